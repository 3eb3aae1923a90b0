/** Runs under ids of the user's choice, with titles and metadata. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const tools = `
  import { appendFileSync, existsSync } from 'node:fs';
  const write = (name) => { appendFileSync('calls.log', name + '\\n'); return name; };
  export default [
    { name: 'order', description: 'Orders.', effect: 'write', destructive: false,
      run: () => write('ordered') },
    { name: 'fail', description: 'Fails.', effect: 'read', idempotent: false,
      run() { write('failed'); throw new Error('no stock'); } },
  ];`;

const planOf = (tool: string): unknown[] => [
  calling(0, 'order', {}, 'first'),
  calling(1, tool, {}, 'second'),
  answering(2, `${ref('first')}, ${ref('second')}`),
];

const workshop = (tool = 'order'): Folder =>
  new Folder({ 'plan.json': planOf(tool), 'tools.mjs': tools });

const run = ['run', 'plan.json', '--tools', 'tools.mjs', '--id', 'ticket-42'];
const calls = (folder: Folder): string[] => folder.read('calls.log').trim().split('\n');

async function listed(folder: Folder, ...args: string[]): Promise<unknown[]> {
  return JSON.parse((await folder.planvm(['runs', '--json', ...args])).stdout);
}

test('a run with an id is started once; the same command prints its answer again', async () => {
  using folder = workshop();
  const first = await folder.planvm([...run, '--json']);
  const again = await folder.planvm([...run, '--json']);
  expect(JSON.parse(first.stdout)).toMatchObject({ run: 'ticket-42', status: 'done' });
  expect(again).toMatchObject({ code: 0, stdout: first.stdout });
  expect(again.stderr).toContain('run ticket-42 exists already: done; nothing is started twice');
  expect(calls(folder)).toEqual(['ordered', 'ordered']);
  const other = await folder.planvm([...run, '--input', 'city=Oslo']);
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('PV5113: run ticket-42 is of another request: got other inputs');
  expect(other.stderr).toContain('planvm show ticket-42');
  expect(calls(folder)).toHaveLength(2);
  expect(await folder.planvm([...run.slice(0, -1), 'last'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PV5111: the id of a run: got "last", want another id'),
  });
});

test('the same command goes on where the run has stopped', async () => {
  using folder = workshop();
  expect((await folder.planvm([...run, '--effects', '1'])).code).toBe(5);
  expect(calls(folder)).toEqual(['ordered']);
  const next = await folder.planvm([...run, '--effects', '9']);
  expect(next).toMatchObject({ code: 0, stdout: 'ordered, ordered\n' });
  expect(calls(folder)).toEqual(['ordered', 'ordered']);
  expect(await listed(folder)).toHaveLength(1);
});

test('the same command prints again how the run has failed, and tries nothing again', async () => {
  using folder = workshop('fail');
  const first = await folder.planvm(run);
  const again = await folder.planvm(run);
  expect(first).toMatchObject({ code: 1, stdout: '' });
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('no stock');
  expect(calls(folder)).toEqual(['ordered', 'failed']);
  expect((await folder.planvm(['resume', 'ticket-42'])).code).toBe(1);
  expect(calls(folder)).toEqual(['ordered', 'failed', 'failed']);
});

test('of two commands at once, one starts the run', async () => {
  using folder = workshop();
  const both = [folder.start(run), folder.start(run)].map(({ ended }) => ended);
  const codes = (await Promise.all(both)).map(({ code }) => code);
  expect(codes).toContain(0);
  expect(calls(folder)).toEqual(['ordered', 'ordered']);
  expect(await listed(folder)).toMatchObject([{ run: 'ticket-42', status: 'done' }]);
});

test('of a run that was repaired, the same command prints the answer of the repair', async () => {
  const repaired = [calling(0, 'order', {}, 'first'), answering(1, 'sold out')];
  await using server = await startModelServer(inOrder(`PLAN\n${JSON.stringify(repaired)}`));
  using folder = workshop('fail');
  const args = [...run, '--repair', '1', '--model', 'openai/test'];
  const { env } = { env: server.env.openai };
  const first = await folder.planvm(args, { env });
  expect(first).toMatchObject({ code: 0, stdout: 'sold out\n' });
  expect(await folder.planvm(args, { env })).toMatchObject({ code: 0, stdout: 'sold out\n' });
  expect(calls(folder)).toEqual(['ordered', 'failed']);
  expect(server.requests).toHaveLength(1);
});

test('playbooks are played once under an id', async () => {
  const desk = '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return "done"\n';
  using folder = new Folder({ 'desk.playbook.md': desk });
  const args = ['run', 'desk.playbook.md', '--id', 'desk', '--title', 'The desk', '--json'];
  const first = await folder.planvm(args);
  const again = await folder.planvm([...args, '--turns', '7']);
  expect(JSON.parse(first.stdout)).toMatchObject({ run: 'desk', status: 'done', answer: 'done' });
  expect(again).toMatchObject({ code: 0, stdout: first.stdout });
  expect(await listed(folder)).toMatchObject([{ run: 'desk', title: 'The desk' }]);
});

test('runs are found by title and metadata, which show prints', async () => {
  using folder = workshop();
  const about = (id: string, ...more: string[]) => [...run.slice(0, -1), id, ...more];
  await folder.planvm(about('a', '--title', 'Bread', '--meta', 'team=red', '--meta', 'q=1=1'));
  await folder.planvm(about('b', '--meta', 'team=blue'));
  const metadata = { team: 'red', q: '1=1' };
  const bread = { run: 'a', title: 'Bread', metadata };
  expect(await listed(folder, '--meta', 'team=red')).toMatchObject([bread]);
  expect(await listed(folder, '--meta', 'q=1=1', '--title', 'BREAD')).toMatchObject([bread]);
  expect(await listed(folder, '--meta', 'team=blue')).toMatchObject([{ run: 'b' }]);
  expect(await listed(folder, '--meta', 'team=blue', '--meta', 'q=1=1')).toEqual([]);
  const shown = await folder.planvm(['show', 'a', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject(bread);
  expect((await folder.planvm(['show', 'a'])).stdout).toContain(JSON.stringify(metadata));
  const wrong = await folder.planvm(about('c', '--meta', 'team'));
  expect(wrong.stderr).toContain('--meta: got team, want key=value');
});
