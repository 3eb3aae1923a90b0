/** Checks data against a JSON Schema. The library for it is loaded with the first schema. */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { heldFormats } from '../program/formats.ts';

/** What is wrong with the data; undefined where it fits. */
export type SchemaCheck = (data: unknown) => string | undefined;

/** As every check of schemas in here has them: no other formats are held to. */
export const checkOptions: {
  readonly strict: false;
  readonly allErrors: true;
  readonly logger: false;
  readonly formats: typeof heldFormats;
} = {
  strict: false,
  allErrors: true,
  logger: false,
  formats: heldFormats,
};

/** Knows what a schema is, which takes longer to learn than to read any of them. */
let judge: Ajv2020 | undefined;

/** `name` is what the data is called in the answer. Rejects with why a schema is none. */
export async function compileSchema(schema: object, name: string): Promise<SchemaCheck> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { $schema: _draft, ...rules } = schema as Readonly<Record<string, unknown>>;
  judge ??= new Ajv2020(checkOptions);
  judge.validateSchema(rules, true);
  // One for each schema: they keep what they have compiled, by names that schemas may share.
  const ajv = new Ajv2020({ ...checkOptions, validateSchema: false });
  const validate = ajv.compile(rules);
  return (data) =>
    validate(data) ? undefined : ajv.errorsText(validate.errors, { dataVar: name });
}
