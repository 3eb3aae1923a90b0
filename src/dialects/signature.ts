/** A tool and its parameters as messages and prompts show them. */
import { type JsonSchema, mandatory, type ToolSpec } from '../program/effect.ts';

/** `vector_search(query: string, top_k?: integer)`. */
export function signatureOf(spec: ToolSpec): string {
  const { name, parameters } = spec;
  const { properties = {} } = parameters;
  const required = mandatory(spec);
  const listed = Object.entries(properties).map(([key, schema]) => {
    const fallback = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`;
    return `${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema)}${fallback}`;
  });
  return `${name}(${listed.join(', ')})`;
}

/** A type as a person writes it down: `list of {name: string, age?: integer, born?: date}`. */
export function typeOf(schema: JsonSchema, depth = 0): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === undefined && typesOf(schema)) {
    return [...new Set(choiceIn(schema).map((one) => typeOf(one, depth)))].join(' | ');
  }
  const { items, properties = {}, required = [] } = schema;
  const keys = Object.entries(properties);
  const types = typesOf(schema) ?? (keys.length > 0 ? ['object'] : ['any']);
  return types
    .map((type) => {
      if (type === 'string' && typeof schema.format === 'string') return schema.format;
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

/** Types that a schema allows, also by a choice of schemas; undefined where it does not say. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  if (schema.type !== undefined) {
    return typeof schema.type === 'string' ? [schema.type] : schema.type;
  }
  const types = choiceIn(schema).map(typesOf);
  if (types.length === 0 || !types.every((one) => one !== undefined)) return undefined;
  return [...new Set(types.flat())];
}

/** Of a choice of schemas the one for a type, where it is only one; else the schema itself. */
export function branchOf(schema: JsonSchema, type: string): JsonSchema {
  const [only, ...others] = choiceIn(schema).filter((one) => typesOf(one)?.includes(type) ?? true);
  return only && others.length === 0 ? only : schema;
}

/** The schemas of which one has to fit; none where there is one schema only. */
function choiceIn({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  const choice: unknown = anyOf ?? oneOf;
  return Array.isArray(choice) ? choice : [];
}

/** Whether a tool takes parameters that it does not declare; one without any may have no schema. */
export const takesOthers = ({ parameters }: ToolSpec): boolean => {
  const { properties = {}, additionalProperties } = parameters;
  return (additionalProperties ?? Object.keys(properties).length === 0) !== false;
};
