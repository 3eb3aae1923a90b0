/** Questions about tables on the command line: SQL in the trace, a second try, nothing but reading. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const sql = (text: string): string => JSON.stringify({ sql: text });
const run = ['run', 'p.star', '--model', 'openai/m', '--json'];

test('a question is answered by SQL, which the trace shows', async () => {
  await using server = await startModelServer(
    inOrder(sql('SELECT nme FROM t'), sql('SELECT name FROM t ORDER BY staff DESC LIMIT 1')),
  );
  using folder = new Folder({
    'staff.csv': 'name,staff\nMill,12\nPort,940\nBank,77\n',
    'p.star': 't = table("staff.csv")\nanswer(t.ask("Who employs most?"))\n',
  });
  const { code, stdout } = await folder.planvm([...run, '--tools', 'planvm:data'], {
    env: server.env.openai,
  });
  expect(code).toBe(0);
  const { answer, run: id, usage } = JSON.parse(stdout);
  expect(answer).toBe('Port');
  expect(usage.modelCalls).toBe(2);
  expect(server.requests[0]?.prompt).toContain('t("name", "staff"), 3 rows; the first ones:');
  expect(server.requests[1]?.prompt).toMatch(/This query failed: SELECT nme.*no such column: nme/s);
  const shown = await folder.planvm(['show', `${id}.0-2.query`, '--json']);
  const effects: { name: string; outcome: { value?: unknown } }[] = JSON.parse(
    shown.stdout,
  ).effects;
  expect(effects.map(({ name }) => name)).toEqual(['write_sql', 'run_sql', 'write_sql', 'run_sql']);
  expect(JSON.stringify(effects.at(-2)?.outcome)).toContain('ORDER BY staff DESC');
});

test('several rows are a list of dicts, for a table in a loop and by the function', async () => {
  await using server = await startModelServer(() => sql('SELECT a, a * 2 AS b FROM t'));
  using folder = new Folder({
    'p.star':
      'rows = []\nfor t in [pandas_bind([{"a": 1}]), table({"a": [2]})]:\n' +
      '    rows += t.ask("Double it.")\nrows += table_ask([{"a": 3}], "Double it.")\nanswer(rows)\n',
  });
  const { stdout } = await folder.planvm(run, { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toEqual([
    { a: 1, b: 2 },
    { a: 2, b: 4 },
    { a: 3, b: 6 },
  ]);
});

test.each([
  ['changes the table', 'DELETE FROM t', 'PV4941'],
  ['opens a file', "ATTACH DATABASE 'x.db' AS x", 'PV4941'],
])('a query that %s fails the run, and nothing is done', async (_name, query, code) => {
  await using server = await startModelServer(() => sql(query));
  using folder = new Folder({ 'p.star': 'answer(table([{"a": 1}]).ask("Do it."))\n' });
  const { stdout } = await folder.planvm(run, { env: server.env.openai });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code } });
  expect(server.requests).toHaveLength(2);
});

test('a field of that name of a struct is called as it is', async () => {
  using folder = new Folder({
    'p.star': 's = struct(ask = lambda x: x + "!")\nanswer(s.ask("Who"))\n',
  });
  expect(JSON.parse((await folder.planvm(run)).stdout).answer).toBe('Who!');
});
