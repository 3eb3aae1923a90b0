/** One process at a time goes on with a run, whoever else tries. */
import { expect, test } from 'vitest';
import { answering, type Call, calling, Folder, ref } from '../support/cli.ts';

/** `gate` says that it is in, and answers once there is a file `open`. */
const tools = `
  import { existsSync } from 'node:fs';
  import { watch } from 'node:fs/promises';
  const until = async (file) => {
    const changes = watch('.');
    if (existsSync(file)) return;
    for await (const _ of changes) if (existsSync(file)) return;
  };
  export default [
    { name: 'gate', description: 'Waits.', effect: 'read', async run() {
      const opened = until('open');
      process.stderr.write('in the gate\\n');
      await opened;
      return 'through';
    } },
  ];`;

const workshop = (): Folder =>
  new Folder({
    'plan.json': [calling(0, 'gate', {}, 'a'), answering(1, ref('a'))],
    'tools.mjs': tools,
  });
const run = ['run', 'plan.json', '--tools', 'tools.mjs'];

async function killed(folder: Folder): Promise<void> {
  const call = folder.start(run);
  await call.said('in the gate');
  call.process.kill('SIGKILL');
  await call.ended;
}

test('of two that resume at once one wins, and the other says who has the run', async () => {
  using folder = workshop();
  await killed(folder);
  const calls = [0, 1].map(() => folder.start(['resume', 'last', '--json']));
  const entered = (call: Call): Promise<Call | undefined> =>
    call.said('in the gate').then(
      () => call,
      () => undefined,
    );
  const [first, second] = await Promise.race(
    calls.map(async (call) => {
      // The one that loses ends without a word of the gate.
      if (!(await entered(call))) await new Promise(() => {});
      return [call, ...calls.filter((other) => other !== call)];
    }),
  );
  const lost = await second?.ended;
  expect(lost?.code).toBe(2);
  expect(JSON.parse(lost?.stdout ?? '').error).toMatchObject({
    code: 'PV5001',
    message: expect.stringContaining(`is being run by process ${first?.process.pid} on `),
  });
  expect(lost?.stderr).not.toContain('in the gate');
  folder.write('open', '');
  const won = await first?.ended;
  expect({ code: won?.code, answer: JSON.parse(won?.stdout ?? '').answer }).toEqual({
    code: 0,
    answer: 'through',
  });
});

test('a run that is under way is shown, listed and left alone', async () => {
  using folder = workshop();
  const call = folder.start([...run, '--json']);
  await call.said('in the gate');
  const [listed, shown, resumed] = await Promise.all([
    folder.planvm(['runs', '--json']),
    folder.planvm(['show', 'last', '--json']),
    folder.planvm(['resume', 'last']),
  ]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ status: 'running', owned: true }]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    status: 'running',
    // The answer is to be what the gate gives.
    steps: [
      { id: '0', status: 'running' },
      { id: '1', status: 'running' },
    ],
    effects: [{ status: 'running', attempts: 1, endedAt: null }],
  });
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toContain(`is being run by process ${call.process.pid}`);
  folder.write('open', '');
  expect((await call.ended).code).toBe(0);
});

test('a process that was killed does not keep its run: it is taken over at once', async () => {
  using folder = workshop();
  await killed(folder);
  const { stdout } = await folder.planvm(['runs']);
  expect(stdout).toMatch(/ interrupted /);
  folder.write('open', '');
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: 'through\n' });
});

test('runs that share a journal do not disturb each other', async () => {
  using folder = workshop();
  const calls = [0, 1, 2].map(() => folder.start([...run, '--json']));
  await Promise.all(calls.map((call) => call.said('in the gate')));
  folder.write('open', '');
  const ended = await Promise.all(calls.map((call) => call.ended));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(new Set(ended.map(({ stdout }) => JSON.parse(stdout).run)).size).toBe(3);
});
