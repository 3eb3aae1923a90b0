/**
 * Checks arguments against a JSON Schema where it says more than the engine's own check knows:
 * bounds, patterns, alternatives.
 */
import { EffectFailure } from '../../engine/handler.ts';
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';
import { aliasesKeyword } from '../../program/tool-names.ts';
import { compileSchema, type SchemaCheck } from '../json-schema.ts';

/** The keywords that the engine checks, or that check nothing. */
const plain: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'properties',
  'required',
  'items',
  'enum',
  'format',
  'default',
  'examples',
  'additionalProperties',
  aliasesKeyword,
  '$schema',
  '$comment',
]);

/** Throws `EffectFailure` PV4203 for a schema that is none. */
export async function schemaCheck({ name, parameters }: ToolSpec): Promise<SchemaCheck> {
  try {
    return await compileSchema(parameters, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EffectFailure('PV4203', `the parameters of ${name} are no JSON Schema: ${reason}`, {
      mayHaveActed: false,
      answered: true,
      cause: error,
    });
  }
}

/** Whether the engine's own check knows all that a schema says. */
export function isPlain(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties = {}, items, additionalProperties } = schema as JsonSchema;
  return (
    Object.keys(schema).every((keyword) => plain.has(keyword)) &&
    Object.values(properties).every(isPlain) &&
    isPlain(items) &&
    // The engine knows "none" and "any" of them.
    typeof additionalProperties !== 'object'
  );
}
