/** Checks data against a JSON Schema. The library for it is loaded with the first schema. */

/** What is wrong with the data; undefined where it fits. */
export type SchemaCheck = (data: unknown) => string | undefined;

/** `name` is what the data is called in the answer. Rejects with why a schema is none. */
export async function compileSchema(schema: object, name: string): Promise<SchemaCheck> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
  });
  const { $schema: _draft, ...rules } = schema as Readonly<Record<string, unknown>>;
  const validate = ajv.compile(rules);
  return (data) =>
    validate(data) ? undefined : ajv.errorsText(validate.errors, { dataVar: name });
}
