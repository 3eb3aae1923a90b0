/** The description of plans for whoever writes them, made from the shapes that are read. */
import type { ToolSpec } from '../../program/effect.ts';
import { everyElement, numberFunctions, numberOperators } from '../../program/task.ts';
import type { Environment } from '../dialect.ts';
import { writtenExample } from '../example-arguments.ts';
import { parameterList, toolLines } from '../signature.ts';
import { namedInputs } from './reading.ts';

export function describePlans(environment: Environment): string {
  const sections = [
    form,
    rules(environment),
    argumentSection,
    references,
    inputSection(environment),
    toolSection(environment, (call) => `1. ${call}`),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const form = `# Plans in llmcompiler

A plan is a list of tasks. Each calls one tool; before each stands the thought behind it. A task
runs as soon as the results are there that it refers to, so tasks that do not need each other run at
the same time.

\`\`\`text
Question: the question to be answered

Thought: why this task comes first
1. tool_name[arguments]
Thought: why this one comes next
2. tool_name[arguments with $1]
Thought: all that is needed is there
3. join()
<END_OF_PLAN>
\`\`\``;

const rules = ({ tools }: Environment): string =>
  [
    '## Rules',
    '',
    '- A task is written `N. tool[arguments]`, in one line. `N. tool(arguments)` means the same.',
    '- Numbers begin with 1 and go up by 1. A reference names a task that stands before.',
    '- A line `Thought:` stands before each task and before join.',
    '- `N. join()` is the last task, then `<END_OF_PLAN>`. `join($3)` answers with the result of ' +
      'task 3 itself, `join("It is $3")` with text, `join()` with what is made of all results.',
    '- There are no observations in a plan: results are filled in when it runs. Nothing is ' +
      'copied from one task to another, a reference is.',
    '- Make no call twice where nothing lies between: refer to the first result. To look again, ' +
      'wait with `sleep` or call a tool that writes in between.',
    ...(tools.size > 0 ? ['- Use no tools but those below and join.'] : []),
  ].join('\n');

/** How arguments are written. */
export const argumentSection: string = [
  '## Arguments',
  '',
  '- In the order of the parameters, or by name: `tool["x", limit=3]`. `tool[]` has none.',
  '- Text in quotes, `"as in JSON"`; without quotes where it is short and plain and has no ' +
    'comma. Dates as `2024-02-15`.',
  '- Numbers, `true`, `false`, `null`, lists `["a", 1]` and objects `{"a": 1}`, as in JSON.',
  '- A list is one argument.',
].join('\n');

const operators = numberOperators.map((operator) => `\`${operator}\``).join(' ');
const functions = numberFunctions.map((name) => `\`${name}\``).join(', ');

const references = [
  '## References',
  '',
  `- \`$1\` or \`\${1}\` is the result of task 1. Alone it is the value itself, a number or a ` +
    'list too; in a longer text it is written into the text.',
  `- \`$1.name\`, \`$1[0]\`, \`$1["a key"]\` and \`\${1.list[0].name}\` are parts of a result.`,
  `- \`$1[${everyElement}]\` stands for every element: the task runs once for each, and its ` +
    'result is the list of results.',
  `- Where a parameter is a number, it may be computed: \`$1 * 2\`, with ${operators} and ` +
    `${functions}. In a text nothing is computed.`,
  '- `\\$5` is the text `$5`, and so is `$$5`.',
].join('\n');

export function inputSection(environment: Environment): string {
  const inputs = namedInputs(environment);
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`\${${name}}\``);
  const text = 'These values are there before the first action, and are referred to by name: ';
  return `## Inputs\n\n${text}${names.join(', ')}.`;
}

/** `write` gives an example of a call its form. */
export function toolSection({ tools }: Environment, write: (call: string) => string): string {
  if (tools.size === 0) return '';
  const lines = [...tools.values()].flatMap((spec) => actionToolLines(spec, write));
  return `## Tools\n\n${lines.join('\n')}`;
}

export function actionToolLines(
  spec: ToolSpec,
  write: (call: string) => string = (call) => call,
): string[] {
  const call = exampleCall(spec);
  return toolLines(`${spec.name}[${parameterList(spec)}]`, spec, call && write(call));
}

/** `search["query"]`; undefined where no example can be made of the schema. */
function exampleCall(spec: ToolSpec): string | undefined {
  const written = writtenExample(spec, taskText);
  return written === undefined ? undefined : `${spec.name}[${written}]`;
}

/** JSON as an argument: what would be a reference in a text of it is escaped. */
export const taskText = (value: unknown): string =>
  JSON.stringify(value).replace(/\$(?=[\w{$])/g, '\\$');
