/** docs/reference/plans.md: the dialects stackvm-1 and stackvm-2, from the table of instructions. */
import {
  type InstructionRow,
  type ParameterRow,
  rows,
  rowsOf,
} from '../../src/dialects/stackvm/instructions.ts';
import type { DialectName } from '../../src/dialects/stackvm/plan.ts';
import { block, code, generatedFrom, plain, table } from './markdown.ts';

export function plansPage(): string {
  return `# Plans in JSON

${generatedFrom('src/dialects/stackvm/instructions.ts')}
A plan is a list of instructions. Two dialects share one machine, one checker and one meaning; they
differ in how calls, branches and references are written. \`planvm check PLAN\` says in which one a
plan is, and everything that can be said before it runs. The JSON Schemas are in \`schemas/\`.

${detection}
## Instructions of stackvm-1

${instructions('stackvm-1')}
## Instructions of stackvm-2

${instructions('stackvm-2')}
${rules}`;
}

const detection = `## Which dialect a plan is in

Decided for the plan as a whole, unless \`--dialect\` says it. An instruction counts for stackvm-1 if
its type is \`condition\`, \`llm_generate\` or \`retrieve_…\`, or if it has \`output_var\`; for stackvm-2
if its type is \`calling\` or it has an \`execution_objective\`. Where these are equal, an \`assign\` of
\`value\` and \`var_name\` makes it stackvm-1, then the form of most references decides, and a plan
without any marker is stackvm-2. \`jmp\` and \`jmp_if\` belong to both.
`;

function instructions(dialect: DialectName): string {
  const unlisted = rows.filter((row) => row.unlisted?.includes(dialect));
  const also = unlisted.map(({ type }) => code(type)).join(', ');
  const sections = rowsOf(dialect).map((row) => section(row));
  return `${sections.join('\n')}
Taken as well, as plans in the wild have it: ${also}.
`;
}

function section(row: InstructionRow): string {
  const parameters = row.parameters.map((parameter) => [
    code(parameter.name),
    parameter.required ? 'yes' : '',
    plain(parameter.about) + otherNames(parameter),
  ]);
  const listed =
    parameters.length === 0
      ? ''
      : `\n${table(['parameter', 'required', 'what it is'], parameters)}`;
  return `### \`${row.type}\`

${row.about}
${listed}
${block('json', JSON.stringify({ seq_no: 3, type: row.type, parameters: row.example }))}`;
}

const otherNames = ({ also = [], formerly = [] }: ParameterRow): string => {
  const names = [...also, ...formerly].map(code).join(', ');
  return names === '' ? '' : ` Also written ${names}.`;
};

const rules = `## What a plan means

- **Order.** Instructions run in the order of \`seq_no\`, wherever they stand. Numbers begin with 0 or
  1; a gap or another order is a warning, a number twice an error. A branch of stackvm-1 may number
  its instructions anew. A plan without any number is numbered by position.
- **Variables** live in one store for the whole plan, branches included. Inputs of the run are
  variables. Reading one that no path has written is an error before the run; one that only some
  paths have written is a warning, and an error if the run gets there without it.
- **References.** \`{{x}}\` and \`{"var": "x"}\` in stackvm-1, \`\${x}\` in stackvm-2, at any depth of a
  value, with paths: \`\${x.rows[0].name}\`. A number counts elements from 0, \`[-1]\` from the end. A
  path leads into text that holds a JSON object, too. A text that is exactly one reference is the
  value itself; inside longer text a string is itself and everything else compact JSON. What a
  variable contains is never expanded again.
- **Escapes.** \`$\${x}\` is the text \`\${x}\`, \`$$\${x}\` a dollar sign and a value, \`\\{{x}}\` the text
  \`{{x}}\`. Braces that are no reference stay text, with a warning.
- **The other dialect's references** are text by a dialect's own document. They are resolved, with a
  warning, once any of them names a variable of the plan.
- **assign** sets its variables in order; a later one sees an earlier one. In plans that write
  \`tool_name\`, a text of references, numbers, \`+ - * / % **\` and parentheses is computed if all its
  values are numbers; what looks like a date, a telephone number or a version stays text. Elsewhere
  the tool \`calculate\` computes.
- **Calls.** A null for a parameter that the tool does not require is the same as no parameter. A
  list in \`output_vars\` takes keys of a result that is an object or the text of one; a list of one
  name takes the whole result where there is no such key. A model is told the names as
  \`response_format: {"keys": […]}\`, with the plan's own \`response_format\` as its \`schema\`.
  The name of a tool may stand as \`type\`.
- **Jumps** find their target in the list they stand in, then in the lists around it. No jump leads into a branch. Without \`jump_if_false\` the
  next step follows. Loops run their steps anew each time, at most \`--step-visits\` times.
- **Conditions** are decided by the tool \`llm_condition\`, which sees the prompt and the context.
- **\`on_error\`** names the step to go on at when an instruction fails, for example when its tool
  does. A failed instruction has set nothing, but for an \`assign\`, which keeps what it had set. Of
  a condition \`on_error\` covers the question, not the branches.
- **\`reasoning\`** does nothing; its thoughts are shown with the step.
- **The end.** Setting \`final_answer\` ends the run with its value, also in the middle of a plan and in
  a branch; of an instruction that sets several variables, all are set. Running off the end without
  it is an error, PV3050.
`;
