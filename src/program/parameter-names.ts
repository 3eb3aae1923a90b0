/**
 * What the names of a tool's parameters mean. A parameter has one canonical name, its key in the
 * schema of the tool; requests, the journal, pins and prompts have that name alone. Its keyword
 * `x-aliases` lists further names by which programs and models may give it: those of another tool
 * that this one stands for. A canonical name always means its own parameter.
 */
import type { JsonSchema } from './json-schema.ts';

export const aliasesKeyword = 'x-aliases';

const indices = new WeakMap<JsonSchema, ReadonlyMap<string, string>>();

/** The canonical name of the parameter; the name itself where it is nobody's alias. */
export const parameterName = (parameters: JsonSchema, name: string): string =>
  indexOf(parameters).get(name) ?? name;

/** Made once for a schema, which nobody changes. */
function indexOf(parameters: JsonSchema): ReadonlyMap<string, string> {
  const known = indices.get(parameters);
  if (known) return known;
  const { properties = {} } = parameters;
  const index = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties)) {
    for (const alias of parameterAliases(schema)) {
      if (!Object.hasOwn(properties, alias)) index.set(alias, name);
    }
  }
  indices.set(parameters, index);
  return index;
}

/** The further names of a parameter with this schema. */
export function parameterAliases({ [aliasesKeyword]: aliases }: JsonSchema): readonly string[] {
  return Array.isArray(aliases) ? aliases.filter((one) => typeof one === 'string') : [];
}

/** The schemas of parameters without their aliases: what servers of models are sent. */
export const withoutAliases = (
  properties: NonNullable<JsonSchema['properties']>,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { [aliasesKeyword]: _aliases, ...schema }]) => [
      name,
      schema,
    ]),
  );
