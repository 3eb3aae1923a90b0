/** What models are told of a tool, line by line. */
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { typeOf, typesOf } from './signature.ts';

/** What a tool does, and whether it changes anything, a sentence a line. */
const aboutLines = ({ description, effect }: ToolSpec): string[] => [
  description,
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
    ...(example !== undefined && hasParts(spec) ? [`  - Example: \`${example}\``] : []),
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

/** Whether a required argument has parts, so that a type alone does not show how it is written. */
function hasParts(spec: ToolSpec): boolean {
  const { properties = {} } = spec.parameters;
  return mandatory(spec).some((name) =>
    typesOf(properties[name] ?? {})?.some((type) => type === 'object' || type === 'array'),
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
    ...(after.length > 0 ? [`Before it, ${listed(after)} must have succeeded.`] : []),
    ...(alternatives.length > 0
      ? [`Where it fails, ${listed(alternatives, ', then ')} stands in.`]
      : []),
    ...(conflicts.length > 0 ? [`It never runs at the same time as ${listed(conflicts)}.`] : []),
    ...(calls === undefined ? [] : [`A run may call it ${calls} times.`]),
  ];
}

const listed = (names: readonly string[], between = ' and '): string =>
  names.map((name) => `\`${name}\``).join(between);
