/** A tool in one line, as messages and prompts show it. */
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';

/** `vector_search(query: string, top_k?: integer)`. */
export function signatureOf({ name, parameters }: ToolSpec): string {
  const { properties = {}, required = [] } = parameters;
  const listed = Object.entries(properties).map(([key, schema]) => {
    const fallback = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`;
    return `${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema)}${fallback}`;
  });
  return `${name}(${listed.join(', ')})`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = typesOf(schema) ?? ['any'];
  return types
    .map((type) => (type === 'array' && schema.items ? `list of ${typeOf(schema.items)}` : type))
    .join(' | ');
}

/** The types that a schema allows; undefined where it does not say. */
export function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  if (type === undefined) return undefined;
  return typeof type === 'string' ? [type] : type;
}
