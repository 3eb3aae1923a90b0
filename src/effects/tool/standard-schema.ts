/**
 * The part of Standard Schema (https://standardschema.dev) that tools use: validation, and the JSON
 * Schema that newer libraries give of themselves. Zod, Valibot, ArkType and others speak it.
 */
import type { JsonSchema } from '../../program/effect.ts';

export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated | Promise<Validated>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(given: unknown): given is StandardSchema {
  // Some libraries' schemas are functions.
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) return false;
  const standard: unknown = Reflect.get(given, '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    'validate' in standard &&
    typeof standard.validate === 'function'
  );
}

/**
 * What the schema accepts, as JSON Schema; undefined where neither it nor a known library can say.
 * What JSON Schema cannot express (a transformation, a refinement) is left open.
 */
export async function jsonSchemaOf(schema: StandardSchema): Promise<JsonSchema | undefined> {
  const { vendor, jsonSchema } = schema['~standard'];
  const target = 'draft-2020-12';
  // Its own method takes no leniency: a schema with a transformation would be refused.
  if (vendor === 'zod' && '_zod' in schema) {
    const { toJSONSchema } = await import('zod/v4/core');
    return tidy(toJSONSchema(schema as never, { target, io: 'input', unrepresentable: 'any' }));
  }
  return jsonSchema && tidy(jsonSchema.input({ target }));
}

function tidy({ $schema: _draft, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}

/** `limit: Invalid input: expected number`, several of them in a row. */
export function issueText(issues: readonly Issue[]): string {
  return issues.map(({ path = [], message }) => `${pathText(path)}${message}`).join('; ');
}

function pathText(path: NonNullable<Issue['path']>): string {
  let text = '';
  for (const part of path) {
    const key = typeof part === 'object' ? part.key : part;
    text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`;
  }
  return text === '' ? '' : `${text}: `;
}
