/**
 * Checks arguments against a JSON Schema where it says more than the engine's own check knows:
 * bounds, patterns, alternatives.
 */
import { type Arguments, EffectFailure } from '../../engine/handler.ts';
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';
import { compileSchema } from '../json-schema.ts';

/** What is wrong with the arguments; undefined when they fit. */
export type ArgumentProblem = (args: Arguments) => string | undefined;

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
  '$schema',
  '$comment',
]);

/** Throws `EffectFailure` PV4203 for a schema that is none. */
export async function schemaCheck({ name, parameters }: ToolSpec): Promise<ArgumentProblem> {
  try {
    const check = await compileSchema(parameters, '');
    return (args) => check(numbers(args));
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

/** Big integers as numbers, which is all a checker knows; it keeps nothing of them. */
function numbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbers(item)]));
}
