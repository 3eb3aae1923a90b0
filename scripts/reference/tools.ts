/** docs/reference/tools.md: the tools that every run has, from their own declarations. */
import { builtInTools } from '../../src/effects/built-in.ts';
import { delegateSpec } from '../../src/planner/delegate-specs.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../src/program/effect.ts';
import { code, plain, table } from './markdown.ts';

/** Nothing is called here: only what tools say of themselves is read. */
function unused(): never {
  throw new Error('the reference performs no effects');
}

const specs: readonly ToolSpec[] = [
  ...builtInTools({ openModel: unused, openKnowledge: unused, runLoop: unused }).handlers.map(
    ({ spec }) => spec,
  ),
  delegateSpec,
];

export function toolsPage(): string {
  return `# Built-in tools

Generated from the tools' own declarations in \`src/effects/\` by \`npm run reference\`.

Every run has these tools. \`--tools FILE\` adds others, and so do [tool sets](tool-sets.md); one of the same name takes the place of the
built-in one. A *pure* tool always gives the same for the same arguments. A *read* looks at the world
and changes nothing. A *write* changes it. All built-in tools are idempotent, so that a failed attempt
may be repeated. [The guide](../guide/tools.md) says what follows from a class.

${table(
  ['tool', 'kind', 'class'],
  specs.map(({ name, kind, effect }) => [code(name), kind, effect]),
)}${specs.map((spec) => section(spec)).join('')}`;
}

export function section(spec: ToolSpec, heading = '##'): string {
  const { name, description, parameters } = spec;
  const { properties = {} } = parameters;
  const required = mandatory(spec);
  const rows = Object.entries(properties).map(([key, schema]) => [
    code(key),
    typeOf(schema),
    required.includes(key) ? 'yes' : spec.requires?.includes(key) ? 'a person is asked' : '',
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    plain(schema.description ?? ''),
  ]);
  const head = ['parameter', 'type', 'required', 'default', 'what it is'];
  const listed = rows.length === 0 ? 'It takes no parameters.\n' : table(head, rows);
  return `\n${heading} ${name}\n\n${plain(description)}\n\n${listed}`;
}

function typeOf(schema: JsonSchema): string {
  const type = schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
  const { minimum, maximum } = schema;
  return minimum === undefined ? type : `${type}, ${minimum} to ${maximum}`;
}
