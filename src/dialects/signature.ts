/** A tool and its parameters as messages and prompts show them. */
import type { JsonSchema, ToolSpec } from '../program/effect.ts';

/** `vector_search(query: string, top_k?: integer)`. */
export function signatureOf({ name, parameters }: ToolSpec): string {
  const { properties = {}, required = [] } = parameters;
  const listed = Object.entries(properties).map(([key, schema]) => {
    const fallback = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`;
    return `${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema)}${fallback}`;
  });
  return `${name}(${listed.join(', ')})`;
}

/** A type as a person writes it down: `list of {name: string, age?: integer}`. */
export function typeOf(schema: JsonSchema, depth = 0): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { items, properties = {}, required = [] } = schema;
  const keys = Object.entries(properties);
  const types = typesOf(schema) ?? (keys.length > 0 ? ['object'] : ['any']);
  return types
    .map((type) => {
      if (type === 'array' && items) return `list of ${typeOf(items, depth + 1)}`;
      if (type !== 'object' || keys.length === 0 || depth >= depthMax) return type;
      const inner = keys.map(
        ([key, value]) => `${key}${required.includes(key) ? '' : '?'}: ${typeOf(value, depth + 1)}`,
      );
      return `{${inner.join(', ')}}`;
    })
    .join(' | ');
}

/** Objects in objects beyond this are shown as `object`. */
const depthMax = 3;

/** The types that a schema allows; undefined where it does not say. */
export function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  if (type === undefined) return undefined;
  return typeof type === 'string' ? [type] : type;
}

/** The parameters of a tool, one to a line. */
export function argumentLines({ parameters }: ToolSpec): string[] {
  const { properties = {}, required = [] } = parameters;
  return Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    const notes = [
      ...(required.includes(name) ? [] : ['optional']),
      ...(type === 'any' ? [] : [type]),
      ...(schema.default === undefined ? [] : [`else ${JSON.stringify(schema.default)}`]),
    ];
    const about = schema.description === undefined ? '' : `: ${schema.description}`;
    return `- \`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${about}`;
  });
}
