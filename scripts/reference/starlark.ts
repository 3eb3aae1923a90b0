/** docs/reference/starlark.md: the language, from the tables that prompts and checks are made of. */
import { readFileSync } from 'node:fs';
import { modelCalls } from '../../src/dialects/starlark/compile/model-calls.ts';
import {
  functionRows,
  type LibraryRow,
  methodRows,
  moduleRows,
} from '../../src/dialects/starlark/describe/library.ts';
import { optionRows } from '../../src/dialects/starlark/describe/option-rows.ts';
import { foreign, reserved } from '../../src/dialects/starlark/parse/hints.ts';
import { conformance, type Options, plan } from '../../src/dialects/starlark/parse/options.ts';
import { foreignNames } from '../../src/dialects/starlark/resolve/foreign-names.ts';
import { type LimitName, limitTable } from '../../src/program/limits.ts';
import { block, code, plain, table } from './markdown.ts';
import { deviations } from './starlark-deviations.ts';
import { typeRows } from './starlark-types.ts';

const limited: readonly LimitName[] = [
  'sourceBytes',
  'programInstructions',
  'instructions',
  'callDepth',
  'valueBytes',
  'memoryBytes',
];

export function starlarkPage(): string {
  return `# Programs in Starlark

Generated from \`src/dialects/starlark/\` by \`npm run reference\`.

Starlark is a small Python. Its [specification](https://github.com/bazelbuild/starlark/blob/master/spec.md)
holds here with what this page says. Tools are functions of a program; a call of one does not wait, so
independent calls run side by side. A tool named \`get-weather\` is called as \`get_weather\`.
\`planvm spec starlark\` prints the description that goes into prompts.

## An example

${example()}
## Answers

\`answer(x)\` records an answer, and so does \`result(x)\`; all are printed, in order. A program
that names neither function answers with its variable \`answer\`, else with \`result\`, where the
statements outside of functions have set it. \`print\` writes to stderr.

## Types

${table(
  ['type', 'for example', ''],
  typeRows.map(({ name, example, about }) => [code(name), code(example), about]),
)}
## Functions

${rows(functionRows)}
A function marked *plan* is not in the specification.

## Functions that ask a model

They are tools that every run has, so they are effects as any: calls of them do not wait, and are
journaled. [Long texts](../guide/long-texts.md) shows what becomes of values that a model cannot
read at once.

${rows(Object.values(modelCalls).map(({ row }) => row))}

${Object.entries(methodRows)
  .map(([type, methods]) => `## Methods of ${type}\n\n${rows(methods)}`)
  .join('\n')}
${Object.entries(moduleRows)
  .map(([name, members]) => `## Module ${name}\n\n${rows(members, `${name}.`)}`)
  .join('\n')}
## Options

The specification leaves some parts of the language to its host. Programs of models have the profile
*plan*; the suites of the specification run in *conformance*.

${table(
  ['option', 'what it allows', 'for example', 'plan', 'conformance'],
  (Object.keys(optionRows) as (keyof Options)[]).map((name) => [
    code(name),
    optionRows[name].about,
    code(optionRows[name].example),
    plan[name] ? 'yes' : '',
    conformance[name] ? 'yes' : '',
  ]),
)}
## Limits

${table(
  ['limit', 'flag', 'default', 'of what', 'when it is reached'],
  limited.map((name) => {
    const { flag, about, reached, unit, default: most } = limitTable[name];
    const cells = [`${most.toLocaleString('en-US')} ${unit}`, plain(about), plain(reached)];
    return [code(name), code(`--${flag}`), ...cells];
  }),
)}
[All limits](limits.md).

## What is not there

Check says so, with what to write instead:

${describeAbsent().join('\n')}

## Deviations

${table(
  ['', 'specification', 'here', 'why'],
  deviations.map((one) => [one.about, one.specified, one.here, one.why].map(plain)),
)}`;
}

const rows = (all: readonly LibraryRow[], prefix = ''): string =>
  table(
    ['', ''],
    all.map(({ signature, about, plan: isPlan }) => [
      code(prefix + signature),
      plain(about) + (isPlan ? ' *plan*' : ''),
    ]),
  );

function example(): string {
  const read = (name: string): string =>
    readFileSync(new URL(`../../examples/starlark/${name}`, import.meta.url), 'utf8');
  const { commands }: { commands: { args: string[]; stdout: string }[] } = JSON.parse(
    read('example.json'),
  );
  const { args = [], stdout = '' } = commands[0] ?? {};
  const words = args.map((word) => (/[\s"]/.test(word) ? `'${word}'` : word));
  return `From [examples/starlark](../../examples/starlark):

<!-- examples/starlark/largest.star -->
${block('starlark', read('largest.star'))}
${block('sh', `planvm ${words.join(' ')}`)}
prints \`${stdout.trim()}\`.
`;
}

/** Words of other languages by what is said of them: the hints of check, read beforehand. */
export function describeAbsent(): string[] {
  const words = [
    ...Object.entries(reserved),
    ...Object.entries(foreign).filter(([word]) => word !== 'f' && word !== 'print'),
    ...[...foreignNames].filter(([word]) => !Object.hasOwn(foreign, word)),
  ];
  const byHint = Map.groupBy(words, ([, hint]) => hint);
  return [...byHint].map(
    ([hint, all]) => `- ${all.map(([word]) => `\`${word}\``).join(', ')}: ${hint}`,
  );
}
