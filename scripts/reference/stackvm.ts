/**
 * docs/reference/stackvm-1.md and stackvm-2.md: the instructions from their table, the rules in
 * words, and what expressions come to as the machine computes it.
 */
import { readFileSync } from 'node:fs';
import { instructionExample } from '../../src/dialects/stackvm/describe.ts';
import {
  type InstructionRow,
  type ParameterRow,
  type ParameterType,
  rows,
} from '../../src/dialects/stackvm/instructions.ts';
import type { DialectName } from '../../src/dialects/stackvm/plan.ts';
import { schemaOf } from '../../src/dialects/stackvm/schema.ts';
import { evaluated } from './evaluated.ts';
import { block, code, plain, table } from './markdown.ts';
import { rulesOf } from './stackvm-rules.ts';

/** The example at the end of a page: a folder of examples/ and what it shows. */
const worked: Readonly<Record<DialectName, readonly [folder: string, about: string]>> = {
  'stackvm-1': ['branches', 'A model names a mountain, and is asked whether the reply names one.'],
  'stackvm-2': [
    'loop',
    'A loop counts to three. The model decides when it ends; adding is arithmetic, `calculate` a tool.',
  ],
};

export function stackvmPage(dialect: DialectName): string {
  const other = dialect === 'stackvm-1' ? 'stackvm-2' : 'stackvm-1';
  const listed = rows.filter((row) => row.dialects.includes(dialect));
  const rules = rulesOf(dialect);
  return `# Plans in ${dialect}

Generated from \`src/dialects/stackvm/\` by \`npm run reference\`. What the tables below say of
expressions was computed by the machine.

A plan is a JSON list of instructions that share one store of variables. Calls that do not need each
other's results run side by side. There is a [JSON Schema](../../schemas/${dialect}.json) of this form;
the other form is [${other}](${other}.md). [The guide](../guide/plans.md) teaches by examples.

${rules.detection}
## An instruction

${instructionKeys(dialect)}
${rules.numbers}
## The instructions

${rules.tools}
${listed.map((row) => instructionSection(row, dialect)).join('\n')}
## References

${rules.references}
${referenceTable(dialect)}
${rules.afterReferences}
${rules.rest}${dialect === 'stackvm-2' ? `\n${arithmeticTable()}` : ''}
## An example

${example(dialect)}`;
}

function instructionKeys(dialect: DialectName): string {
  const schema = schemaOf(dialect) as {
    $defs: { instruction: { properties: Record<string, { description: string }> } };
  };
  const keys = Object.entries(schema.$defs.instruction.properties);
  return table(
    ['key', 'what it is'],
    keys.map(([key, { description }]) => [code(key), plain(description)]),
  );
}

const types: Readonly<Record<ParameterType, string>> = {
  value: 'any JSON',
  text: 'text, or a reference',
  variable: 'name',
  outputs: 'name, or list of names',
  step: 'number of an instruction',
  branch: 'list of instructions',
  tool: 'name of a tool',
  arguments: 'object',
  note: 'text or data',
};

function instructionSection(row: InstructionRow, dialect: DialectName): string {
  const { type, about, parameters, rest } = row;
  const { parameters: exampleParameters, objective } = instructionExample(row);
  const cells = parameters.map((parameter) => [
    [parameter.name, ...(parameter.also ?? [])].map(code).join(' or '),
    types[parameter.type],
    parameter.required ? 'yes' : '',
    plain(parameter.about) + formerNames(parameter),
  ]);
  if (rest === 'variables') cells.push(['any name', types.value, '', 'The value of the variable.']);
  if (rest === 'arguments') {
    cells.push(['any other', types.value, '', 'A parameter of the tool of the same name.']);
  }
  const purpose = dialect === 'stackvm-2' && objective ? { execution_objective: objective } : {};
  const shown = { seq_no: 3, type, parameters: exampleParameters, ...purpose };
  const wild = row.unlisted?.includes(dialect)
    ? ' The document of the dialect does not have it; plans in use do.'
    : '';
  const former = row.formerly ? ` Formerly ${row.formerly.map(code).join(', ')}.` : '';
  return `### ${type}

${plain(about)}${wild}${former}

${table(['parameter', 'type', 'required', 'what it is'], cells)}
${code(inOwnForm(JSON.stringify(shown), dialect))}
`;
}

/** Instructions that both dialects take have one example. */
const inOwnForm = (text: string, dialect: DialectName): string =>
  dialect === 'stackvm-1' ? text.replace(/\$\{(\w+)\}/g, '{{$1}}') : text;

const formerNames = ({ formerly = [] }: ParameterRow): string =>
  formerly.length === 0 ? '' : ` Formerly ${formerly.map(code).join(', ')}.`;

const data = {
  city: 'Lisbon',
  year: 2025,
  rate: 1.5,
  list: [7, 8],
  person: { name: 'Ada', 'home town': 'Pisa' },
  reply: '{"score": 9}',
};

/** References as both dialects write them: what stands between the marks, or a whole text. */
const texts: Readonly<Record<DialectName, readonly unknown[]>> = {
  'stackvm-1': [
    '{{list}}',
    { var: 'list' },
    '{{list[0]}}',
    { var: 'person.name' },
    '{{list[-1]}}',
    '{{person["home town"]}}',
    '{{reply.score}}',
    '{{ city }} in {{year}}',
    'all of {{list}}',
    ['{{year}}', { where: { var: 'city' } }],
    '\\{{city}}',
    '{{{year}}}',
    '{{list[5]}}',
    '{{nobody}}',
    '${year}',
    '{"city": true}',
  ],
  'stackvm-2': [
    '${list}',
    '${list[0]}',
    '${person.name}',
    '${list[-1]}',
    '${person["home town"]}',
    '${reply.score}',
    '${ city } in ${year}',
    'all of ${list}',
    ['${year}', { where: '${city}' }],
    '$${city}',
    '$$${year}',
    'costs $5',
    '${list[5]}',
    '${nobody}',
    '{{nobody}}',
    '{{city}}',
  ],
};

function referenceTable(dialect: DialectName): string {
  const inputs = Object.entries(data).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const cells = texts[dialect].map((expression) => [
    code(JSON.stringify(expression)),
    code(evaluated({ dialect, expression, inputs: data })),
  ]);
  const known = inputs.map(([name, value]) => `${code(name)} is ${code(value)}`).join(', ');
  return `Where ${known}:\n\n${table(['written', 'value'], cells)}`;
}

const sums: readonly (readonly [text: string, x: unknown])[] = [
  ['${x} + 1', 41],
  ['(${x} - 1) * 2 / 4', 9],
  ['${x} / 2', 3],
  ['${x} // 2', 3],
  ['${x} % 2', 3],
  ['${x} + 1', '41'],
  ['${x} + 1', 'old'],
  ['${x} and 1', 41],
  ['1 + 1', 0],
  ['-${x}', 1],
  ['${x}-10-15', 2024],
  ['${x} / 0', 1],
];

function arithmeticTable(): string {
  const cells = sums.map(([expression, x]) => [
    code(JSON.stringify(expression)),
    code(JSON.stringify(x)),
    code(evaluated({ dialect: 'stackvm-2', expression, inputs: { x }, arithmetic: true })),
  ]);
  return table(['written', '`x`', 'value'], cells);
}

function example(dialect: DialectName): string {
  const [folder, about] = worked[dialect];
  const read = (name: string): string =>
    readFileSync(new URL(`../../examples/${folder}/${name}`, import.meta.url), 'utf8');
  const { commands }: { commands: { args: string[]; stdout: string }[] } = JSON.parse(
    read('example.json'),
  );
  const { args = [], stdout = '' } = commands[0] ?? {};
  const words = args.map((word) => (/\s/.test(word) ? `"${word}"` : word));
  return `${about} From
[examples/${folder}](../../examples/${folder}):

<!-- examples/${folder}/plan.json -->
${block('json', read('plan.json'))}
${block('sh', `planvm ${words.join(' ')}`)}
prints \`${stdout.trim()}\`.
`;
}
