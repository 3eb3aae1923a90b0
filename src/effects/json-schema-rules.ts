/** Schemas as functions that check data, in the thread that calls them. */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { heldFormats } from '../program/formats.ts';

/** A schema, and how what is wrong with data is told. */
export interface SchemaRules {
  readonly schema: object;
  /** For people and servers, with a name of the data; or for the model that wrote the data. */
  readonly teller: { readonly for: 'people'; readonly name: string } | { readonly for: 'model' };
}

/** What is wrong with the data; undefined where it fits. */
export type RulesCheck = (data: unknown) => string | undefined;

// Schemas come from programs and strangers: one with an odd keyword is still a schema, and no
// other formats are held to.
const options = { strict: false, allErrors: true, logger: false, formats: heldFormats } as const;

/** Knows what a schema is, which takes longer to learn than to read any of them. */
let judge: Ajv2020 | undefined;

/** Rejects with why a schema is none. */
export async function compileRules({ schema, teller }: SchemaRules): Promise<RulesCheck> {
  const { $schema: _draft, ...rules } = schema as Readonly<Record<string, unknown>>;
  if (teller.for === 'model') {
    const { Ajv } = await import('ajv');
    const validate = new Ajv(options).compile(rules);
    return (data) => (validate(numbers(data)) ? undefined : inWords(validate.errors ?? []));
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  judge ??= new Ajv2020(options);
  judge.validateSchema(rules, true);
  // One for each schema: they keep what they have compiled, by names that schemas may share.
  const ajv: Ajv = new Ajv2020({ ...options, validateSchema: false });
  const validate: ValidateFunction = ajv.compile(rules);
  return (data) =>
    validate(numbers(data)) ? undefined : ajv.errorsText(validate.errors, { dataVar: teller.name });
}

const problemsMax = 5;

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
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbers(item)]));
}
