/** The rules of both stackvm dialects in words, for their reference pages. */
import type { DialectName } from '../../src/dialects/stackvm/plan.ts';
import { limitTable } from '../../src/program/limits.ts';
import { table } from './markdown.ts';

export interface Rules {
  readonly detection: string;
  readonly tools: string;
  readonly numbers: string;
  readonly references: string;
  readonly afterReferences: string;
  readonly rest: string;
}

const detection = `A plan is in one dialect as a whole. \`condition\`, \`llm_generate\` and \`retrieve_…\` as a type and
\`output_var\` beside a type are marks of stackvm-1; \`calling\` and \`execution_objective\` are marks of
stackvm-2; the more numerous marks decide. Where there are none, an assign of \`value\` and \`var_name\`
alone is stackvm-1. Otherwise the form of most references decides, and without any the plan is
stackvm-2. \`--dialect\` names it and nothing is looked at.
`;

const numbers = `- Instructions run in the order of their numbers, from the lowest, wherever they stand in the list;
  a list out of order is a warning (PV2126).
- Numbers begin with 0 or 1 and leave none out; else there is a warning (PV2127).
- No number stands twice (PV2125).
- Where no instruction has a number, they are numbered by position, from 0 (PV2122). Where some have
  one, all need one (PV2121).
- A step is named by its number, its second visit \`4@2\`.
- Number and target are written in the plan; no variable stands for one.
`;

const branchNumbers = `- The instructions of a branch go on with the numbers of the list around it, or begin anew. A step
  in a branch is named \`3.true.4\`. A jump looks for its target in its own list first, then in the
  lists around it; it never leads into a branch from outside (PV2129).
`;

const toolTypes = `The name of a tool is a type, too. Its parameters are those of the tool; \`output_var\` may be left
out. [Tools](tools.md) lists those that every run has.
`;

const toolCalls = `A \`type\` that is the name of a tool is taken as a call of it, with a warning (PV2108).
[Tools](tools.md) lists those that every run has.
`;

const referencesFor = (dialect: DialectName): string => {
  const [own, object] =
    dialect === 'stackvm-1'
      ? ['`{{name}}`', ' In place of a value, `{"var": "name"}` is the value of the variable.']
      : ['`${name}`', ''];
  return `${own} in a text stands for the value of a variable, with a path for a part of it; in nested
lists and objects, too.${object} A name has
letters, digits, \`_\` and \`-\`. A path has keys (\`.key\`, \`["any key"]\`) and positions (\`[0]\`, \`[-1]\`
for the last); it leads into text that holds JSON, too. A variable may stand for a key or a position:
${spellings(dialect)}. A key itself is quoted.

A text that is one reference and nothing else is the value itself, with its type. In a longer text a
string stands as it is, the result of a retrieval as its text (the pieces that were found, one after
the other; of a graph, the values that were asked for, or else each of its facts), and anything else
as JSON. What a variable contains is never looked at again.
`;
};

const spellings = (dialect: DialectName): string =>
  dialect === 'stackvm-1'
    ? '`{{people[i].name}}`, or `{{people[{{i}}].name}}`'
    : '`${people[i].name}`, or `${people[${i}].name}`';

const afterReferencesFor = (dialect: DialectName): string => {
  const [foreign, escapes] =
    dialect === 'stackvm-1'
      ? ['`${x}`', '`\\{{x}}` is the text `{{x}}`; backslashes before `{{` count in pairs.']
      : ['`{{x}}` and `{"var": "x"}`', '`$${x}` is the text `${x}`; dollar signs count in pairs.'];
  return `${escapes} A part that is not there is an error
where the step runs (PV3004, PV3005), and says which parts there are. A name that no step writes is
an error of \`check\` (PV2137), and so is one that no path has written yet (PV2138); where only some
path has not, it is a warning (PV2139) and may be an error where the step runs (PV3001).

References in the form of the other dialect, ${foreign}, are text. But once one of
them names a variable of the plan, its author plainly means them: then all are resolved, with a
warning (PV2140).`;
};

const resultsFor = (key: string): string => `
## Results

A name in \`${key}\` gets the whole result. A list of names wants an object, or text that holds
one, and each variable gets the value of the key of its name; a key that is not there is an error
(PV3005). A list of one name takes the whole result where it is no object with that key. An empty
list drops the result. A model is told which keys are wanted where there are two or more, or where
the plan wants JSON of it.

A call waits for the values it needs and for nothing else; setting a variable does not wait for its
value. A \`null\` for a parameter that the tool does not require is the same as no parameter.

A value is handed over in the type that the tool declares for the parameter, where it is that but
for its notation: the text \`3\` for an integer, JSON text for a list or an object, the JSON of
anything for text. What cannot be brought to the type is an error where the step runs (PV4001).
`;

const formats = table(
  ['`response_format` of `llm_generate`', 'the reply'],
  [
    ['absent, `"text"`', 'text'],
    ['`"json"`', 'any JSON value'],
    ['`"json_object"`', 'a JSON object'],
    ['`{"keys": ["a", "b"]}`', 'a JSON object with at least these keys'],
    ['a JSON Schema', 'JSON that matches it'],
    ['any other object, a list', 'JSON in the form of this example'],
    ['`{"type": "json_schema", …}`, as providers write it', 'JSON that matches the schema'],
    ['other words', 'text; the words are added to the prompt'],
  ],
);

const conditions = `
## Conditions

The question goes to the tool \`llm_condition\`. The model sees the prompt and the context, and no
variable beside them; a question that shows it no data is a warning (PV2151). It answers with
\`{"result": true, "explanation": "…"}\`, or with a plain yes or no. An answer that is neither is asked
for once more, with what is wrong with it; then the step fails (PV4115). \`on_error\` may take over.
`;

const loops = `
A jump to a lower number makes a loop. Every pass runs its steps again; variables stay. A step that is
entered more than ${limitTable.stepVisits.default} times fails (PV3014, \`--step-visits\`). A \`jmp\` with a \`condition_prompt\` and
without \`jump_if_false\` goes on with the next step when the answer is no (PV2130).
`;

const lists = `
## Lists of any length

\`foreach\` goes through a list and executes its \`instructions\` once for each item, which is in the
variable \`item_var\`. A text that holds a list counts as one. The passes share all variables and mean
what they mean one after the other. But a pass waits for no other: the calls of all items run at the same
time, and so do chains of calls. \`output_vars\` gets a list in the order of the
items: for each item, the last output of its pass.

A pass is made of \`calling\`, \`assign\`, \`reasoning\` and \`foreach\`. It has no jumps, sets no
\`final_answer\`, and its \`on_error\` names a step of the same pass (PV2156). Its steps are called
\`3.each.4\`, for the second item \`3.each.4@2\`; they may be numbered from 0 again. Where the list is
empty, what only a pass sets has no value after it.
`;

const failures = `
## Failures

A step that fails ends the run. With \`on_error\`, the run goes on at the step that it names instead.
A call that failed has set none of its variables; of an \`assign\`, the keys before the one that failed
are set. \`on_error\` covers the step itself: its call, the keys of its result, the question of its
condition (not its branches), and not what earlier steps began. A step with \`on_error\` waits for its own result and for
all earlier ones, so nothing later runs beside it.
`;

const endFor = (dialect: DialectName): string => {
  const without =
    dialect === 'stackvm-1'
      ? `Where a run comes to the end of the plan without it, the last output is the answer: what its last
\`assign\` or \`output_var\` has set. \`check\` warns where no step sets it (PV2149). A run that comes to
the end without any output fails (PV3050).`
      : `A plan in which no step sets it is refused (PV2149). A run that comes to the end of the plan without
it fails (PV3050).`;
  return `
## The end

The run ends when \`final_answer\` is set; its value is the answer, whatever its type.
${without}
\`check\` warns where the last step does not set it (PV2150). \`reasoning\` does nothing; its thoughts
are shown with the run.
`;
};

const arithmetic = `
## Arithmetic

Only in plans that call by \`tool_name\`, and only in the values of \`assign\`, a text is computed that
has a reference, a binary operator, and besides them only numbers and parentheses. Where a value is
no number, it stays text. Operators are \`+ - * / // % **\`; ints are exact. What looks like a date or a
telephone number stays text. In other plans, call the tool \`calculate\`.

Assigned in such a plan:
`;

export function rulesOf(dialect: DialectName): Rules {
  const first = dialect === 'stackvm-1';
  return {
    detection,
    tools: first ? toolTypes : toolCalls,
    numbers: first ? numbers + branchNumbers : numbers,
    references: referencesFor(dialect),
    afterReferences: afterReferencesFor(dialect),
    rest: [
      resultsFor(first ? 'output_var' : 'output_vars'),
      '\n',
      formats,
      conditions,
      loops,
      first ? '' : lists,
      failures,
      endFor(dialect),
      first ? '' : arithmetic,
    ].join(''),
  };
}
