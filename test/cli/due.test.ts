/** Runs that wait for time, and those whose process has died: all of them taken up by one command. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const tools = `
  const nothing = { type: 'object', properties: {} };
  export default [
    { name: 'gate', description: 'Waits.', effect: 'pure', parameters: nothing, run() {
      if (process.env.OPEN) return 'open';
      process.stderr.write('waiting in gate\\n');
      return new Promise(() => {}); } },
    { name: 'fail', description: 'Fails.', effect: 'read', idempotent: false, parameters: nothing,
      run() { throw new Error('closed'); } },
  ];`;

const workshop = (): Folder =>
  new Folder({
    'planvm.config.json': { tools: ['tools.mjs'], limits: { stayMs: 0 } },
    'tools.mjs': tools,
    'nap.star': 'sleep(1)\nanswer("up")\n',
    'long.star': 'sleep(3600)\nanswer("up")\n',
    'ask.star': 'answer("Hi " + ask("Who?"))\n',
    'late.star': 'answer(ask("Who?", timeout = 1, default = "nobody"))\n',
    'fail.star': 'sleep(1)\nanswer(fail())\n',
    'gate.star': 'answer(gate())\n',
  });

interface Listed {
  readonly run: string;
  readonly status: string;
  readonly title: string;
  readonly until?: number;
}

async function listed(folder: Folder, ...flags: string[]): Promise<Listed[]> {
  return JSON.parse((await folder.planvm(['runs', '--json', ...flags])).stdout);
}

/** Looks until the moment has come that these wait for. */
async function untilDue(folder: Folder, runs: number): Promise<Listed[]> {
  for (;;) {
    const due = await listed(folder, '--due');
    if (due.length >= runs) return due;
  }
}

test('what waits for a moment goes on when it has passed, the oldest first', async () => {
  using folder = workshop();
  for (const file of ['nap.star', 'late.star', 'long.star', 'ask.star']) {
    expect(await folder.planvm(['run', file])).toMatchObject({ code: 4 });
  }
  const all = await listed(folder, '--status', 'waiting');
  expect(all.map(({ title, until }) => [title, typeof until])).toEqual([
    ['ask.star', 'undefined'],
    ['long.star', 'number'],
    ['late.star', 'number'],
    ['nap.star', 'number'],
  ]);
  const due = await untilDue(folder, 2);
  expect(due.map(({ title }) => title)).toEqual(['late.star', 'nap.star']);
  const done = await folder.planvm(['resume', '--due', '--json']);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject([
    { status: 'done', answer: 'up' },
    { status: 'done', answer: 'nobody' },
  ]);
  expect(await folder.planvm(['resume', '--due', '--json'])).toMatchObject({
    code: 0,
    stdout: '[]\n',
  });
});

test('so does one that was left a reply; the lines say what came of each', async () => {
  using folder = workshop();
  await folder.planvm(['run', 'ask.star']);
  const none = await folder.planvm(['resume', '--due']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'no run is due\n' });
  await folder.planvm(['answer', 'last', 'Ada', '--no-run']);
  const [{ run = '' } = {}] = await listed(folder, '--due');
  const done = await folder.planvm(['resume', '--due']);
  expect(done).toMatchObject({ code: 0, stdout: `${run}  done  ask.star\n` });
});

test('one that fails gives its exit code, and the others go on all the same', async () => {
  using folder = workshop();
  await folder.planvm(['run', 'fail.star']);
  await folder.planvm(['run', 'nap.star']);
  await untilDue(folder, 2);
  const done = await folder.planvm(['resume', '--due']);
  expect(done.code).toBe(1);
  expect(done.stdout).toMatch(/^r\w+ {2}failed {2}fail\.star\nr\w+ {2}done {2}nap\.star\n$/);
  expect(done.stderr).toContain('PV4202');
});

test('those whose process has died are taken up with --interrupted', async () => {
  using folder = workshop();
  const call = folder.start(['run', 'gate.star']);
  await call.said('waiting in gate');
  const early = await folder.planvm(['resume', '--interrupted'], { env: { OPEN: '1' } });
  expect(early).toMatchObject({ code: 0, stdout: '', stderr: 'no run is interrupted\n' });
  call.process.kill('SIGKILL');
  await call.ended;
  const env = { OPEN: '1' };
  const done = await folder.planvm(['resume', '--due', '--interrupted', '--json'], { env });
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject([{ status: 'done', answer: 'open' }]);
});

test('of several processes that look at once each run is taken by one', async () => {
  using folder = workshop();
  for (let i = 0; i < 4; i++) await folder.planvm(['run', 'nap.star']);
  await untilDue(folder, 4);
  const looks = [1, 2, 3].map(() => folder.planvm(['resume', '--due', '--json']));
  const ended = await Promise.all(looks);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const done: Listed[] = ended.flatMap(({ stdout }) => JSON.parse(stdout));
  expect(done.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
  expect(new Set(done.map(({ run }) => run)).size).toBe(4);
});

test('without a journal nothing is due; one run or all of them', async () => {
  using folder = workshop();
  expect(await folder.planvm(['resume', '--due'])).toMatchObject({ code: 0, stdout: '' });
  const both = await folder.planvm(['resume', 'last', '--due']);
  expect(both).toMatchObject({ code: 2 });
  expect(both.stderr).toContain('PV6002: got the run last, and --due');
  const none = await folder.planvm(['resume']);
  expect(none.stderr).toContain('PV6002: got no run, want one to go on with');
});
