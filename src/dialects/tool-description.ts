/** What models are told of a tool, line by line. */
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { typeOf } from './signature.ts';

/** What a tool does, and whether it changes anything, a sentence a line. */
export const aboutLines = ({ description, effect }: ToolSpec): string[] => [
  description,
  ...(effect === 'write' ? ['It changes the world: call it only when that is wanted.'] : []),
];

/** The parameters of a tool, one to a line. */
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
