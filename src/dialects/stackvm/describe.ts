/** The description of a dialect for whoever writes plans in it, made from the tables of check. */
import type { Environment } from '../dialect.ts';
import { toolNames } from './arguments.ts';
import { type InstructionRow, type ParameterRow, rowsOf } from './instructions.ts';
import { answerName, conditionTool, type DialectName, formOf } from './plan.ts';
import { signatureOf } from './signature.ts';
import { written } from './template.ts';

export function describePlan(dialect: DialectName, environment: Environment): string {
  const rows = rowsOf(dialect).filter((row) => isThere(row, environment));
  const sections = [
    formSection(dialect),
    `## Instructions\n\n${rows.map((row) => rowSection(row, dialect)).join('\n\n')}`,
    referenceSection(dialect),
    ruleSection(dialect),
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
    '- `on_error` (optional): the `seq_no` to go on at when this instruction fails.',
  ];
  return [
    `# Plans in ${dialect}`,
    'A plan is a JSON array of instructions. They are executed in the order of their numbers, ' +
      'from the lowest, and share one store of variables. Calls that do not need the results of ' +
      'each other run at the same time by themselves.',
    `Each instruction is an object:\n${keys.join('\n')}`,
  ].join('\n\n');
}

function rowSection(row: InstructionRow, dialect: DialectName): string {
  const parameters = row.parameters.map(parameterLine);
  const objective =
    dialect === 'stackvm-2' && row.kind !== 'reasoning' ? { execution_objective: '…' } : {};
  const example = { seq_no: 3, type: row.type, parameters: row.example, ...objective };
  return [
    `### ${row.type}`,
    row.about,
    ...(row.rest === 'variables' ? ['- any name: the value of the variable of that name.'] : []),
    ...parameters,
    `Example: \`${JSON.stringify(example)}\``,
  ].join('\n');
}

function parameterLine({ name, required, about }: ParameterRow): string {
  return `- \`${name}\`${required ? '' : ' (optional)'}: ${about}`;
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
      `${spell('name.list[0]')} for a part of it; in nested lists and objects too.${object}`,
    'A text that is one reference and nothing else is the value itself, with its type; inside a ' +
      `longer text, what is no text is written as JSON. ${text} is that text itself.`,
    'Refer only to variables that an earlier instruction sets on every way there.',
  ].join('\n');
}

function ruleSection(dialect: DialectName): string {
  const rules = [
    `- The run ends when the variable \`${answerName}\` is set; its value is the answer. ` +
      `The last instruction must set it. A plan that ends without it fails.`,
    '- A model sees its prompt and its context only: put the data it needs into them.',
    '- A `seq_no`, the name of a variable and the name of a tool are written out: references ' +
      'stand in values only.',
    ...(dialect === 'stackvm-1'
      ? [
          '- The instructions of a branch may go on with the numbers of the list around them, or ' +
            'begin anew.',
        ]
      : ['- A loop jumps back to a lower number; let its condition become false.']),
    '- Use no other types of instruction and no other tools.',
  ];
  return `## Rules\n\n${rules.join('\n')}`;
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
    return spec ? [`### \`${signatureOf(spec)}\`\n${spec.description}${details(spec)}`] : [];
  });
  return `## Tools\n\n${how}\n\n${lines.join('\n\n')}`;
}

function details({ parameters, effect }: Parameters<typeof signatureOf>[0]): string {
  const described = Object.entries(parameters.properties ?? {}).flatMap(([name, schema]) =>
    schema.description === undefined ? [] : [`- \`${name}\`: ${schema.description}`],
  );
  const write =
    effect === 'write' ? ['It changes the world: call it only when that is wanted.'] : [];
  return [...write, ...described].map((line) => `\n${line}`).join('');
}

function inputSection(dialect: DialectName, { inputs }: Environment): string {
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`${written(formOf(dialect), name)}\``);
  return `## Inputs\n\nThese variables are set before the first instruction: ${names.join(', ')}.`;
}
