/** A tool as messages and prompts show it: its signature, and what models are told of it. */
import { type JsonSchema, mandatory, type ToolSpec } from '../program/effect.ts';
import { firstWords } from '../program/together.ts';

/** `vector_search(query: string, top_k: integer = 5)`. */
export const signatureOf = (spec: ToolSpec, name: string = spec.name): string =>
  `${name}(${parameterList(spec)})`;

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

// What models are told of a tool, line by line.

/** What a tool does, and whether it changes anything, a sentence a line. */
const aboutLines = ({ description, effect }: ToolSpec): string[] => [
  /[^.!?…:]\s*$/.test(description) && effect === 'write'
    ? `${description.trimEnd()}.`
    : description,
  ...(effect === 'write' ? ['It changes the world: call it only when that is wanted.'] : []),
];

/** `place: string, days: integer = 1, unit: "C" | "F" = …`; what may be left out has a default. */
export function parameterList(spec: ToolSpec): string {
  const required = mandatory(spec);
  const parameters = Object.entries(spec.parameters.properties ?? {}).map(([name, schema]) => {
    const type = typeOf(schema);
    const typed = type === 'any' ? name : `${name}: ${type}`;
    if (required.includes(name)) return typed;
    return `${typed} = ${schema.default === undefined ? '…' : JSON.stringify(schema.default)}`;
  });
  return parameters.join(', ');
}

/**
 * A tool in a list. The signature has the names and types of its parameters, so lines below it are
 * for parameters that it says more of. `example`, a call of it, is shown where it is worth its
 * tokens.
 */
export function toolLines(signature: string, spec: ToolSpec, example?: string): string[] {
  const sentences = [...aboutLines(spec), ...togetherLines(spec)];
  return [
    `- \`${signature}\`: ${sentences.join(' ')}`,
    ...parameterNotes(spec),
    ...(example !== undefined && isWorthShowing(spec) ? [`  - Example: \`${example}\``] : []),
  ];
}

function parameterNotes({ parameters, requires = [] }: ToolSpec): string[] {
  const { properties = {} } = parameters;
  return Object.entries(properties).flatMap(([name, { description }]) => {
    const notes = [
      ...(description === undefined ? [] : [description]),
      ...(requires.includes(name) ? ['A person is asked where it is left out.'] : []),
    ];
    return notes.length === 0 ? [] : [`  - \`${name}\`: ${notes.join(' ')}`];
  });
}

/**
 * Whether a call is shown: of each tool that comes from outside, and of a built-in one where a
 * required argument has parts, so that its type does not show how it is written.
 */
function isWorthShowing(spec: ToolSpec): boolean {
  const { properties = {} } = spec.parameters;
  return (
    spec.kind === 'tool' ||
    mandatory(spec).some((name) =>
      typesOf(properties[name] ?? {})?.some((type) => type === 'object' || type === 'array'),
    )
  );
}

/** The parameters of a tool with their types, one to a line. */
export function argumentLines(spec: ToolSpec): string[] {
  const { parameters, requires = [] } = spec;
  const { properties = {} } = parameters;
  const required = mandatory(spec);
  return Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    const notes = [
      ...(required.includes(name) || requires.includes(name) ? [] : ['optional']),
      ...(type === 'any' ? [] : [type]),
      ...(schema.default === undefined ? [] : [`else ${JSON.stringify(schema.default)}`]),
      ...(requires.includes(name) ? ['a person is asked where it is left out'] : []),
    ];
    const about = schema.description === undefined ? '' : `: ${schema.description}`;
    return `- \`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${about}`;
  });
}

/** What a tool says of its results and of how it goes together with others, a sentence a line. */
export function togetherLines(spec: ToolSpec): string[] {
  const { after = [], alternatives = [], conflicts = [], returns, limits } = spec;
  const calls = limits?.callsPerRun;
  return [
    ...(returns ? [`It returns ${typeOf(returns)}.`] : []),
    ...(firstWords(spec) ? ['Call it first: calls of other tools after it wait for it.'] : []),
    ...(after.length > 0 ? [`Call ${listed(after)} before it: it waits for that to succeed.`] : []),
    ...(alternatives.length > 0
      ? [`Where it fails, ${listed(alternatives, ', then ')} stands in.`]
      : []),
    ...(conflicts.length > 0 ? [`It never runs at the same time as ${listed(conflicts)}.`] : []),
    ...(calls === undefined ? [] : [`A run may call it ${calls} times.`]),
  ];
}

const listed = (names: readonly string[], between = ' and '): string =>
  names.map((name) => `\`${name}\``).join(between);
