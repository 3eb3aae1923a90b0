/** Rows that a program writes out for a table are held against its columns, in each dialect. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { formatTableSpec, sqlSpec } from '../../src/effects/data/specs.ts';
import { tableAskSpec, tableSpec } from '../../src/effects/table-ask/specs.ts';

const tools = new Map(
  [tableSpec, tableAskSpec, formatTableSpec, sqlSpec].map((spec) => [spec.name, spec]),
);

const plan = (tool: string, params: string): string =>
  `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "${tool}", "params": ${params}, ` +
  '"output_vars": "t"}, "execution_objective": "x"},\n' +
  `{"seq_no": 1, "type": "assign", "parameters": {"final_answer": "\${t}"}}]`;

/** Calls `table` with a table that is written as JSON. */
const forms: readonly (readonly [string, (data: string) => string])[] = [
  ['stackvm-2', (data) => plan('table', `{"data": ${data}}`)],
  ['starlark', (data) => `answer(table(${data}))`],
  ['llmcompiler', (data) => `1. table[${data}]\n2. join()`],
  ['stack', (data) => `function_call(table(${data}))\nanswer(stack_pop(1))`],
];

const check = (text: string, dialect: string): string[] =>
  checkProgram(text, { tools, inputs: ['more'] }, { dialect })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

const cases: readonly (readonly [data: string, ...said: string[]])[] = [
  ['{"columns": ["a", "b"], "rows": [[1, 2], [3, 4]]}'],
  ['{"columns": ["a", "b"], "rows": []}'],
  ['{"columns": ["a"], "rows": [{"a": 1, "b": 2}, {}]}'],
  ['[{"a": 1}, {"b": 2}]'],
  ['{"a": [1, 2], "b": [3, 4]}'],
  [
    '{"columns": ["a", "b"], "rows": [[1, 2], [3], [4, 5, 6], []]}',
    'data.rows[1]: got 1 cell, want 2, one for each column',
    'data.rows[2]: got 3 cells, want 2, one for each column',
    'data.rows[3]: got 0 cells, want 2, one for each column',
  ],
  [
    '{"rows": [[1, 2]], "headers": ["a"]}',
    'data.rows[0]: got 2 cells, want 1, one for each column',
  ],
  ['[[1, 2]]', 'data[0]: got a list, want a dict, or columns beside rows'],
  ['{"rows": [[1, 2]]}', 'data.rows[0]: got a list, want a dict, or columns beside rows'],
  ['[{"a": 1}, [2]]', 'data[1]: got a list, want a dict, as other rows are'],
];

test.each(forms.flatMap(([dialect, form]) => cases.map((one) => [dialect, form, one] as const)))(
  '%s: a table with rows that do not fit is found',
  (dialect, form, [data, ...said]) => {
    expect(check(form(data), dialect)).toEqual(said);
  },
);

test.each<[string, string, ...string[]]>([
  ['starlark', 'table({"columns": more, "rows": [[1], [2, 3]]})'],
  ['starlark', 'table({"columns": ["a"], "rows": [[1], more]})'],
  ['starlark', 'table({"columns": ["a"], "rows": [[x for x in more]]})'],
  ['starlark', 'table({"columns": [x for x in more], "rows": [[1, 2]]})'],
  ['starlark', 'table([[x] for x in more])'],
  [
    'starlark',
    'table({"columns": ("a", "b"), "rows": [(more,)]})',
    'data.rows[0]: got 1 cell, want 2, one for each column',
  ],
  [
    'starlark',
    'table_ask({"columns": ["a"], "rows": [[]]}, "How many?")',
    'table.rows[0]: got 0 cells, want 1, one for each column',
  ],
  [
    'starlark',
    'sql("select 1", tables = {"t": {"columns": ["a"], "rows": [[1, 2]]}})',
    'tables.t.rows[0]: got 2 cells, want 1, one for each column',
  ],
  ['starlark', 'sql("select 1", tables = {"t": "sales.csv", "u": more, "v": [{"a": 1}]})'],
  [
    'llmcompiler',
    '1. table[[{"a": 1}]]\n2. table[{"columns": ["a", "b"], "rows": [[$1]]}]\n3. join()',
    'data.rows[0]: got 1 cell, want 2, one for each column',
  ],
  [
    'llmcompiler',
    '1. table[[{"a": 1}]]\n2. table[$1]\n3. table[{"columns": $1, "rows": [[1]]}]\n4. join()',
  ],
  [
    'stackvm-2',
    plan('table', `{"data": {"columns": ["a", "b"], "rows": [["\${more}"], "\${more}"]}}`),
    'data.rows[0]: got 1 cell, want 2, one for each column',
  ],
  ['stackvm-2', plan('table', `{"data": {"columns": "\${more}", "rows": [["\${more}"]]}}`)],
])('%s: what only a run knows is left to it: %s', (dialect, text, ...said) => {
  expect(check(text, dialect)).toEqual(said);
});
