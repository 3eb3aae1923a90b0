/**
 * The description of a dialect for whoever writes plans in it, made from the tables of check, with
 * an example of each instruction.
 */
import { mandatory, type ToolSpec } from '../../program/effect.ts';
import { limitDefaults } from '../../program/limit-defaults.ts';
import type { Environment } from '../dialect.ts';
import { exampleArguments } from '../example-arguments.ts';
import { argumentLines, signatureOf, toolLines } from '../signature.ts';
import { toolNames } from './check.ts';
import { type InstructionRow, type ParameterRow, rowsOf } from './instructions.ts';
import { spellings } from './parameters.ts';
import { answerName, conditionTool, type DialectName, formOf } from './plan.ts';
import { written } from './template.ts';

export function describePlan(dialect: DialectName, environment: Environment): string {
  const rows = rowsOf(dialect).filter((row) => isThere(row, environment));
  const about = rows.map((row) => rowSection(row, dialect, environment));
  const sections = [
    formSection(dialect),
    `## Instructions\n\n${about.join('\n\n')}`,
    referenceSection(dialect),
    ruleSection(dialect, environment),
    toolSection(dialect, rows, environment),
    inputSection(dialect, environment),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** An instruction that stands for a tool is there when the tool is. */
function isThere({ type, kind, rest }: InstructionRow, { tools }: Environment): boolean {
  if (kind === 'condition' || kind === 'jump') return kind === 'jump' || tools.has(conditionTool);
  return rest !== 'arguments' || tools.has(type);
}

function formSection(dialect: DialectName): string {
  const keys = [
    '- `seq_no`: its number: 0, 1, 2, …; each number once.',
    '- `type`: the type of the instruction.',
    '- `parameters`: an object; each type has its own, listed below.',
    ...(dialect === 'stackvm-2'
      ? [
          '- `execution_objective`: what it is for, what result is expected, and which later ' +
            'instructions use it. Leave it out of `reasoning` only.',
        ]
      : []),
    '- `on_error` (optional): the `seq_no` to go on at when this instruction fails; it has set ' +
      'nothing then.',
  ];
  return [
    `# Plans in ${dialect}`,
    'A plan is a JSON array of instructions. They are executed in the order of their numbers, ' +
      'from the lowest, and share one store of variables. Calls that do not need the results of ' +
      'each other run at the same time by themselves.',
    `Each instruction is an object:\n${keys.join('\n')}`,
  ].join('\n\n');
}

function rowSection(row: InstructionRow, dialect: DialectName, { tools }: Environment): string {
  const spec = row.rest === 'arguments' ? tools.get(row.type) : undefined;
  const own = row.parameters.filter((parameter) => !(spec && parameter.argument));
  const shown = instructionExample(row);
  const objective = dialect === 'stackvm-2' ? shown.objective : undefined;
  const example = {
    seq_no: 3,
    type: row.type,
    parameters: shown.parameters,
    ...(objective === undefined ? {} : { execution_objective: objective }),
  };
  return [
    `### ${row.type}`,
    spec?.description ?? row.about,
    ...(row.rest === 'variables' ? ['- any name: the value of the variable of that name.'] : []),
    ...(spec ? argumentLines(spec) : []),
    ...own.map(parameterLine),
    ...(row.needs ? [`It needs ${row.needs.map(allOf).join(', or ')}.`] : []),
    ...(spec && !fits(row, spec) ? [] : [`Example: \`${JSON.stringify(example)}\``]),
  ].join('\n');
}

function parameterLine({ name, required, about }: ParameterRow): string {
  return `- \`${name}\`${required ? '' : ' (optional)'}: ${about}`;
}

const allOf = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(' with ');

/** A tool of a run may take the place of the one that the instruction is named for. */
function fits(row: InstructionRow, spec: ToolSpec): boolean {
  const { parameters } = row;
  const taken = new Set(parameters.flatMap((one) => (one.argument ? [] : spellings(one))));
  const given = Object.keys(instructionExample(row).parameters).filter((name) => !taken.has(name));
  return (
    given.every((name) => Object.hasOwn(spec.parameters.properties ?? {}, name)) &&
    mandatory(spec).every((name) => given.includes(name))
  );
}

function referenceSection(dialect: DialectName): string {
  const form = formOf(dialect);
  const spell = (path: string): string => `\`${written(form, path)}\``;
  const object =
    dialect === 'stackvm-1'
      ? ' In place of a value, `{"var": "name"}` is the value of the variable.'
      : '';
  const text = dialect === 'stackvm-1' ? '`\\{{name}}`' : '`$${name}`';
  return [
    '## References',
    `${spell('name')} in a text stands for the value of a variable, ${spell('name.key')} and ` +
      `${spell('name.list[0]')} for a part of it, also of the JSON that a text holds; in nested ` +
      `lists and objects too. ${spell('name.list[i]')} is the part whose position or key the ` +
      `variable \`i\` holds.${object}`,
    'A text that is one reference and nothing else is the value itself, with its type; inside a ' +
      'longer text, a retrieval is put in as its text, and what is no text as JSON. Nothing is ' +
      'computed in a text. ' +
      `${text} is the text ${spell('name')} itself.`,
    'Refer only to variables that an instruction sets before, on every way there. Their names ' +
      'consist of letters, digits, `_` and `-`.',
  ].join('\n');
}

function ruleSection(dialect: DialectName, { tools }: Environment): string {
  const visits = limitDefaults.stepVisits;
  const rules = [
    `The run ends as soon as the variable \`${answerName}\` is set; its value is the answer. ` +
      'Every way through the plan has to set it, so the last instruction does; ' +
      (dialect === 'stackvm-1'
        ? 'where a run ends without it, the last output is the answer.'
        : 'a plan that does not is refused.'),
    ...(dialect === 'stackvm-1'
      ? [
          'Where the last instruction is a condition, the last one of each branch sets it.',
          'The instructions of a branch may go on with the numbers of the list around them, or ' +
            'begin again.',
        ]
      : [
          'For a list whose length is not known, use `foreach`.',
          'A jump leads to the `seq_no` of an instruction. A loop jumps back to a lower one; its ' +
            `condition has to end it, and no instruction is executed more than ${visits} times.`,
        ]),
    'A model sees its prompt and its context only: put the data it needs into them.',
    'A `seq_no`, the name of a variable and the name of a tool are written out: references ' +
      'stand in values only.',
    'Give a tool each parameter that it requires, of the type that is shown, and no others.',
    ...(tools.has('calculate') ? ['To compute with numbers, call the tool `calculate`.'] : []),
    'Use no other types of instruction and no other tools.',
  ];
  return `## Rules\n\n${rules.map((rule) => `- ${rule}`).join('\n')}`;
}

function toolSection(
  dialect: DialectName,
  rows: readonly InstructionRow[],
  environment: Environment,
): string {
  const types = new Set(rows.map(({ type }) => type));
  const names = toolNames(environment).filter((name) => !types.has(name));
  if (names.length === 0) return '';
  const how =
    dialect === 'stackvm-1'
      ? 'Each can be used as a `type`, with its parameters and `output_var`.'
      : 'Call them by `calling`, with the parameters by name.';
  const lines = names.flatMap((name) => {
    const spec = environment.tools.get(name);
    if (!spec) return [];
    return toolLines(signatureOf(spec), spec, toolExample(spec, dialect));
  });
  return `## Tools\n\n${how}\n\n${lines.join('\n')}`;
}

/** One call of a tool as an instruction, with a text of it that would be a reference escaped. */
function toolExample(spec: ToolSpec, dialect: DialectName): string | undefined {
  const found = exampleArguments(spec);
  if (!found) return undefined;
  const [form, escaped] = dialect === 'stackvm-1' ? [/\{\{/g, '\\{{'] : [/\$\{/g, '$$${'];
  const params: unknown = JSON.parse(JSON.stringify(Object.fromEntries(found)), (_key, value) =>
    typeof value === 'string' ? value.replace(form, escaped) : value,
  );
  if (dialect === 'stackvm-2') {
    const parameters = { tool: spec.name, params, output_vars: 'result' };
    const execution_objective = `Get the result of ${spec.name}, for the next step.`;
    return JSON.stringify({ seq_no: 1, type: 'calling', parameters, execution_objective });
  }
  // An object with the key `var` is a reference there.
  const isOdd = found.has('output_var') || JSON.stringify(params).includes('"var":');
  const parameters = { ...Object.fromEntries(Object.entries(params ?? {})), output_var: 'result' };
  return isOdd ? undefined : JSON.stringify({ seq_no: 1, type: spec.name, parameters });
}

function inputSection(dialect: DialectName, { inputs }: Environment): string {
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`${written(formOf(dialect), name)}\``);
  return `## Inputs\n\nThese variables are set before the first instruction: ${names.join(', ')}.`;
}

// An example of each instruction of the stackvm dialects, for planners and readers.

export interface InstructionExample {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What it is for; absent where an instruction needs no objective. */
  readonly objective?: string;
}

type Examples = Readonly<Record<string, InstructionExample>>;

const ofStackvm1: Examples = {
  assign: {
    parameters: { value: 12, var_name: 'months' },
  },
  llm_generate: {
    parameters: { prompt: 'Name the largest city in {{facts}}.', output_var: 'city' },
  },
  retrieve_knowledge_graph: {
    parameters: { query: 'Cities of Portugal', output_var: 'facts' },
  },
  retrieve_embedded_chunks: {
    parameters: { embedding_query: 'Population of {{city}}', top_k: 5, output_var: 'passages' },
  },
  vector_search: {
    parameters: { query: 'Population of {{city}}', top_k: 5, output_var: 'passages' },
  },
  condition: {
    parameters: {
      prompt: 'Does this name a population? {{passages}}',
      true_branch: [
        { seq_no: 4, type: 'assign', parameters: { value: '{{passages}}', var_name: 'source' } },
      ],
      false_branch: [],
    },
  },
};

const ofStackvm2: Examples = {
  assign: {
    parameters: { city: 'Lisbon', question: 'How many people live in ${city}?' },
    objective: 'Set the city and the question about it, which step 4 looks up.',
  },
  calling: {
    parameters: {
      tool: 'llm_generate',
      params: { prompt: 'Summarise the report and list its risks.', context: '${report}' },
      output_vars: ['summary', 'risks'],
    },
    objective: 'Get a summary and the risks as JSON, for the final answer in step 4.',
  },
  foreach: {
    parameters: {
      items: '${cities}',
      item_var: 'city',
      instructions: [
        {
          seq_no: 4,
          type: 'calling',
          parameters: {
            tool: 'llm_generate',
            params: { prompt: 'Say in one sentence what ${city} is known for.' },
            output_vars: 'about',
          },
          execution_objective: 'Get a sentence about one city.',
        },
      ],
      output_vars: 'sentences',
    },
    objective: 'Get a list of one sentence for each city, for the summary in step 5.',
  },
};

const ofBoth: Examples = {
  jmp: {
    parameters: {
      condition_prompt: 'Is ${city} a capital?',
      jump_if_true: 5,
      jump_if_false: 7,
    },
    objective: 'Go on at step 5 for a capital, else at step 7.',
  },
  jmp_if: {
    parameters: { condition_prompt: 'Is ${city} a capital?', jump_if_true: 5, jump_if_false: 7 },
  },
  reasoning: {
    parameters: {
      chain_of_thoughts: 'First find the city, then its population.',
      dependency_analysis: 'Step 2 needs the city of step 1.',
    },
  },
};

/** Throws for a row that has none, which a test rules out for the rows of the table. */
export function instructionExample({ type, dialects }: InstructionRow): InstructionExample {
  const [only = ''] = dialects.length === 1 ? dialects : [];
  const example = (examplesByDialect[only] ?? ofBoth)[type];
  if (!example) throw new Error(`got the instruction ${type}, want one that has an example`);
  return example;
}

const examplesByDialect: Readonly<Record<string, Examples>> = {
  'stackvm-1': ofStackvm1,
  'stackvm-2': ofStackvm2,
};
