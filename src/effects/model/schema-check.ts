/** Checks data that a model wrote against a JSON Schema that a program wrote. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { EffectFailure } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { checkOptions } from '../json-schema.ts';

/** What is wrong with a value, in words for the model that wrote it; undefined when it fits. */
export type Check = (value: unknown) => string | undefined;

const problemsMax = 5;

/** Throws `EffectFailure` PV4116 for a schema that is none. */
export async function schemaCheck(schema: JsonSchema): Promise<Check> {
  const { Ajv } = await import('ajv');
  // Schemas come from programs: one with an odd keyword is still a schema.
  const ajv = new Ajv(checkOptions);
  const { $schema: _draft, ...rules } = schema;
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(rules);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EffectFailure('PV4116', `response_format is not a JSON Schema: ${reason}`, {
      hint: 'correct the schema, or write {"keys": ["a", "b"]}',
      mayHaveActed: false,
    });
  }
  return (value) => (validate(numbers(value)) ? undefined : inWords(validate.errors ?? []));
}

function inWords(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, problemsMax).map(({ instancePath, message, params }) => {
    const place = instancePath === '' ? 'the value' : instancePath;
    const { additionalProperty, allowedValues } = params as Record<string, unknown>;
    const detail = additionalProperty ?? (allowedValues && JSON.stringify(allowedValues));
    return `${place} ${message}${detail === undefined ? '' : `: ${detail}`}`;
  });
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Big integers as numbers: a checker knows no others, and what it looks at is thrown away. */
function numbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbers(item)]));
}
