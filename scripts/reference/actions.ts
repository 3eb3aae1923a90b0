/**
 * docs/reference/llmcompiler.md: what plans of tasks and transcripts of ReAct may hold. What an
 * argument is worth is not described but read, when the page is made.
 */
import type { Environment } from '../../src/dialects/dialect.ts';
import { codes } from '../../src/dialects/llmcompiler/codes.ts';
import { planOf, readPlan } from '../../src/dialects/llmcompiler/plan.ts';
import { labelWords } from '../../src/dialects/llmcompiler/shapes.ts';
import { type JsonSchema, toolSpec } from '../../src/program/effect.ts';
import { textOf } from '../../src/program/json.ts';
import { isNode, numberFunctions, numberOperators } from '../../src/program/task.ts';
import type { Value } from '../../src/program/value.ts';
import { code, plain, table } from './markdown.ts';

export function actionsPage(): string {
  return `# Plans of tasks, and transcripts of ReAct

Generated from \`src/dialects/llmcompiler/\` and \`src/dialects/react/\` by \`npm run reference\`. The
[guide](../guide/llmcompiler.md) says how they are written; \`planvm spec llmcompiler\` and \`planvm spec
react\` print what models are told.

## Form

\`\`\`
plan        = { question | thought | observation | comment | task } end [ "<END_OF_PLAN>" ]
task        = number name arguments [ comment ]
end         = number ( "join" | "finish" ) arguments
number      = INT ( "." | ")" | ":" ) | "$" INT "="
transcript  = { thought | action | observation } "Action:" "Finish" arguments
action      = "Action:" name arguments
arguments   = "[" [ argument { "," argument } ] "]" | "(" [ argument { "," argument } ] ")"
argument    = [ name ( "=" | ":" ) ] value
value       = text in quotes | number | true | false | null | list | object | reference | bare text
reference   = "$" INT { step } | "$\{" [ "p" INT "." ] INT { step } "}" | "$p" INT "." INT { step }
step        = "." NAME | "[" ( INT | "*" | text in quotes ) "]"
name        = a letter or "_", then letters, digits, "_", "-", ".", "/", ":"
\`\`\`

## Labels

${labelTable()}
## What an argument is worth

By the type of its parameter. \`result(1)\` stands for the result of task 1, with its type; what a text
holds of it is written in braces.

${worthTable()}
Numbers are computed with ${listed(numberOperators)} and ${listed(numberFunctions)}.

## What is said of them

Those that say *it was taken*, *closed* or *left out* are warnings; \`--strict\` makes errors of them.

${table(
  ['code', ''],
  Object.entries(codes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, meaning]) => [name, plain(meaning)]),
)}`;
}

const listed = (names: readonly string[]): string => names.map(code).join(', ');

function labelTable(): string {
  const byLabel = Map.groupBy(Object.entries(labelWords), ([, label]) => label);
  const rows = [...byLabel].map(([label, words]) => [
    code(label),
    words.map(([word]) => code(`${word}:`)).join(', '),
  ]);
  return table(['label', 'is read from, in any case'], rows);
}

const columns: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  'array of strings': { type: 'array', items: { type: 'string' } },
  any: {},
};

const written: readonly string[] = [
  ...['"tides"', "'tides'", 'tides at sea', 'tides, at sea', '1984', '"1984"', '1.5', '-2e3'],
  ...['2024-02-15', 'true', 'None', '["a", "b"]', "{'k': [1, True]}", '(1, 2)', '$1', '"$1"'],
  ...['$1.rows[0].name', '$1[*].url', '$1 * 2', '"at $1 today"', '["a", $1]', 'max($1, 2) - 1'],
  ...['"\\$1"', '"$$1"', '"$1.50"'],
];

function worthTable(): string {
  const rows = written.map((text) => [
    code(text),
    ...Object.values(columns).map((schema) => worth(text, schema)),
  ]);
  return table(['written', ...Object.keys(columns)], rows);
}

function worth(text: string, schema: JsonSchema): string {
  const parameters = { type: 'object', properties: { x: schema }, required: ['x'] };
  const given = toolSpec({ name: 'tool', description: '', effect: 'read', parameters });
  const first = toolSpec({ name: 'first', description: '', effect: 'read' });
  const environment: Environment = {
    tools: new Map([given, first].map((spec) => [spec.name, spec])),
    inputs: [],
  };
  const { tasks, diagnostics } = planOf(readPlan(`1. first[]\n2. tool[${text}]`), environment);
  const args = tasks.find(({ id }) => id === '2')?.args;
  const value = typeof args === 'object' && args?.kind === 'dict' ? args.slots[0]?.[1] : undefined;
  if (value === undefined) return 'an error';
  const isTold = diagnostics.some(({ severity }) => severity === 'warning');
  return `${code(shown(value))}${isTold ? ', told' : ''}`;
}

function shown(value: Value): string {
  if (isNode(value)) return nodeText(value.items);
  if (typeof value === 'object' && value?.kind === 'list') {
    return `[${value.items.map(shown).join(', ')}]`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : textOf(value);
}

function nodeText([kind, first, ...rest]: readonly Value[]): string {
  if (kind === 'ref') {
    const steps = rest.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
    return `result(1)${steps.join('').replace('.*', '[*]')}`;
  }
  if (kind === 'number') {
    const pieces = [first ?? '', ...rest];
    return pieces.map((piece) => (typeof piece === 'string' ? piece : shown(piece))).join('');
  }
  if (kind === 'list') return `list(${shown(first ?? null)})`;
  if (rest.length === 0 && typeof first === 'object') return `text(${shown(first)})`;
  const pieces = [first ?? '', ...rest].map((piece) =>
    typeof piece === 'string' ? piece : `{${shown(piece)}}`,
  );
  return JSON.stringify(pieces.join(''));
}
