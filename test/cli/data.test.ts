/** The tools for documents and data on the command line: the same call from every notation. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const query = 'SELECT sum(Units) AS units FROM t';
const tables = { t: 'sales.csv' };
const call = `${JSON.stringify(query)}, ${JSON.stringify(tables)}`;

const programs: Readonly<Record<string, string>> = {
  'stackvm-1': JSON.stringify([
    { seq_no: 0, type: 'sql', parameters: { query, tables, output_var: 'found' } },
    { seq_no: 1, type: 'assign', parameters: { final_answer: { var: 'found' } } },
  ]),
  'stackvm-2': JSON.stringify([
    {
      seq_no: 0,
      type: 'calling',
      parameters: { tool_name: 'sql', tool_params: { query, tables }, output_vars: 'found' },
    },
    { seq_no: 1, type: 'assign', parameters: { final_answer: '${' + 'found}' } },
  ]),
  starlark: `answer(sql(${call}))\n`,
  'starlark, by its class': `answer(DataHelpers.sql(${call}))\n`,
  llmcompiler: `Thought: count\n1. sql[${call}]\nThought: say it\n2. join($1)\n<END_OF_PLAN>\n`,
  react: `Thought: count\nAction: sql[${call}]\nThought: say it\nAction: Finish[$1]\n`,
};

test.each(Object.keys(programs))('%s', async (name) => {
  const [dialect = ''] = name.split(',');
  using folder = new Folder({
    'sales.csv': 'Product,Units\nLamp,47\nDesk,11\n',
    'a.txt': programs[name],
  });
  const args = ['run', 'a.txt', '--dialect', dialect, '--tools', 'planvm:data', '--json'];
  const { stdout, stderr } = await folder.planvm(args);
  expect(stderr).not.toContain('error');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: [{ units: 58 }] });
});
