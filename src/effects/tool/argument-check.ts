/**
 * Checks arguments against a JSON Schema where it says more than the engine's own check knows:
 * bounds, patterns, alternatives. The library for it is loaded for such a schema only.
 */
import { type Arguments, EffectFailure } from '../../engine/handler.ts';
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';

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
  'default',
  'examples',
  'additionalProperties',
  '$schema',
  '$comment',
]);

/** Throws `EffectFailure` PV4203 for a schema that is none. */
export async function schemaCheck({ name, parameters }: ToolSpec): Promise<ArgumentProblem> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
  });
  const { $schema: _draft, ...rules } = parameters;
  try {
    const validate = ajv.compile(rules);
    return (args) =>
      validate(numbers(args)) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' });
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
