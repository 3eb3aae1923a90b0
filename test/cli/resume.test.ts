/** Runs that stop before their end, and how they go on: interrupts, kills, budgets, doubt. */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, planvm, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

/**
 * `gate` says on stderr that it is in, and then waits for ever unless there is a file `open`;
 * `gated_write` is the same as a write. `step` counts its calls in a file.
 */
const tools = `
  import { appendFileSync, existsSync } from 'node:fs';
  const gate = async (name) => {
    appendFileSync('calls.log', name + '\\n');
    if (existsSync('open')) return name + ' is open';
    process.stderr.write('waiting in ' + name + '\\n');
    await new Promise(() => {});
  };
  const parameters = { type: 'object', properties: { after: {} } };
  export default [
    { name: 'step', description: 'Counts.', effect: 'read', run() {
      appendFileSync('calls.log', 'step\\n'); return 'first'; } },
    { name: 'gate', description: 'Waits.', effect: 'read', parameters,
      run: () => gate('gate') },
    { name: 'gated_write', description: 'Waits.', effect: 'write', parameters,
      run: () => gate('gated_write') },
  ];`;

const planOf = (tool: string): unknown[] => [
  calling(0, 'step', {}, 'a'),
  // What it is given has to be journaled before it starts.
  calling(1, tool, { after: ref('a') }, 'b'),
  answering(2, `${ref('a')}, ${ref('b')}`),
];

const workshop = (tool: string): Folder =>
  new Folder({ 'plan.json': planOf(tool), 'tools.mjs': tools });

const run = ['run', 'plan.json', '--tools', 'tools.mjs'];
const calls = (folder: Folder): string[] => folder.read('calls.log').trim().split('\n');

describe('an interrupt', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s suspends the run; it resumes', async (signal) => {
    using folder = workshop('gate');
    const call = folder.start(run);
    await call.said('waiting in gate');
    call.process.kill(signal);
    const { code, stdout, stderr } = await call.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const [, resume = ''] = /^ {2}planvm (resume r\w+)$/m.exec(stderr) ?? [];
    expect(resume).not.toBe('');

    folder.write('open', '');
    const again = await folder.planvm(resume.split(' '));
    expect(again).toMatchObject({ code: 0, stdout: 'first, gate is open\n' });
    expect(calls(folder)).toEqual(['step', 'gate', 'gate']);
  });

  test('is told by --json as well', async () => {
    using folder = workshop('gate');
    const call = folder.start([...run, '--json']);
    await call.said('waiting in gate');
    call.process.kill('SIGINT');
    const { code, stdout } = await call.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'suspended', reason: 'interrupted' });
    const { stderr } = await folder.planvm(['approve', 'last']);
    expect(stderr).toMatch(/does not wait for an approval\n.*it was stopped, and may ask once/);
  });

  test('of a write leaves a doubt', async () => {
    using folder = workshop('gated_write');
    const call = folder.start(run);
    await call.said('waiting in gated_write');
    call.process.kill('SIGINT');
    expect((await call.ended).code).toBe(130);
    const { code, stderr } = await folder.planvm(['resume', 'last']);
    expect(code).toBe(6);
    expect(stderr).toMatch(/--assume done\n.*--assume failed\n.*--assume retry\n$/);
  });
});

test('kill -9 loses nothing that was settled', async () => {
  using folder = workshop('gate');
  const call = folder.start(run);
  await call.said('waiting in gate');
  call.process.kill('SIGKILL');
  expect((await call.ended).signal).toBe('SIGKILL');
  const { stdout } = await folder.planvm(['runs']);
  expect(stdout).toMatch(/^r\w+ +interrupted/m);
  const answered = await folder.planvm(['answer', 'last', 'yes']);
  expect(answered.code).toBe(2);
  expect(answered.stderr).toMatch(
    /hint: it was stopped, and may ask once it is resumed; see planvm show r/,
  );

  folder.write('open', '');
  const again = await folder.planvm(['resume', 'last', '--json']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    status: 'done',
    answer: 'first, gate is open',
  });
  expect(calls(folder)).toEqual(['step', 'gate', 'gate']);
  const late = await folder.planvm(['answer', 'last', 'yes']);
  expect(late.stderr).toMatch(/hint: see planvm show r/);
});

describe('a write that was killed', () => {
  const killed = async (): Promise<Folder> => {
    const folder = workshop('gated_write');
    const call = folder.start(run);
    await call.said('waiting in gated_write');
    call.process.kill('SIGKILL');
    await call.ended;
    return folder;
  };

  test.each([
    ['--assume done', ['--assume', 'done'], 0, 'first, null\n', 1],
    ['--assume with a result', ['--assume', '0#2=done:"by hand"'], 0, 'first, by hand\n', 1],
    ['--assume failed', ['--assume', 'failed'], 1, '', 1],
    ['--assume retry', ['--assume', '0#2=retry'], 0, 'first, gated_write is open\n', 2],
  ])('is in doubt, exit 6, until %s decides', async (_name, assume, code, stdout, writes) => {
    using folder = await killed();
    folder.write('open', '');
    const asked = await folder.planvm(['resume', 'last']);
    expect(asked).toMatchObject({ code: 6, stdout: '' });
    expect(asked.stderr).toContain('nobody knows whether this took effect: gated_write');

    expect(await folder.planvm(['resume', 'last', ...assume])).toMatchObject({ code, stdout });
    expect(calls(folder).filter((name) => name === 'gated_write')).toHaveLength(writes);
  });

  test.each([
    ['maybe', 'got maybe, want done, done:JSON, failed, failed:TEXT or retry'],
    ['done:{', 'done:{ is no JSON'],
    ['retry:1', 'retry takes no value'],
  ])('--assume %s is a usage error', async (given, message) => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['resume', 'last', '--assume', given]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a decision about what is not in doubt is refused, and nothing is performed', async () => {
    using folder = await killed();
    folder.write('open', '');
    const elsewhere = await folder.planvm(['resume', 'last', '--assume', '0#9=done']);
    expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
    expect(elsewhere.stderr).toMatch(/PV5145: effect 0#9 of run r\w+ is not in doubt/);
    expect(elsewhere.stderr).toContain('in doubt: 0#2');
    await folder.planvm(['resume', 'last', '--assume', 'failed']);
    // Resumed once more it would be performed again, which is not what this says.
    const done = await folder.planvm(['resume', 'last', '--assume', 'done']);
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toMatch(/PV5145: nothing of run r\w+ is in doubt: it has failed/);
    expect(calls(folder).filter((name) => name === 'gated_write')).toHaveLength(1);
    const retry = await folder.planvm(['resume', 'last', '--assume', 'retry']);
    expect(retry).toMatchObject({ code: 0, stdout: 'first, gated_write is open\n' });
    expect(retry.stderr).toContain('nothing is in doubt: --assume decides nothing');
  });

  test('--assume for all and for one at once is a usage error', async () => {
    using folder = new Folder();
    const args = ['resume', 'last', '--assume', 'done', '--assume', '0#1=retry'];
    const { code, stderr } = await folder.planvm(args);
    expect(code).toBe(2);
    expect(stderr).toContain('--assume decides for all effects and for single ones at once');
  });
});

test('a budget that is met exits 5, and the run goes on with a larger one', async () => {
  using folder = workshop('gate');
  folder.write('open', '');
  const { code, stdout, stderr } = await folder.planvm([...run, '--effects', '1']);
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toMatch(/error PV5101: .*1 effects/);
  const [, next = ''] = /^ {2}planvm (resume r\w+ --effects \d+)$/m.exec(stderr) ?? [];
  const again = await folder.planvm(next.split(' '));
  expect(again).toMatchObject({ code: 0, stdout: 'first, gate is open\n' });
  expect(calls(folder)).toEqual(['step', 'gate']);
});

describe('cancel', () => {
  test('of a run that no process has is done at once', async () => {
    using folder = workshop('gate');
    folder.write('open', '');
    await folder.planvm([...run, '--effects', '1']);
    const { code, stdout } = await folder.planvm(['cancel', 'last', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ run: expect.stringMatching(/^r/), cancelled: true });
    const [only] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(only).toMatchObject({ status: 'cancelled' });
  });

  test('of a run that another process has asks that process, which ends with 130', async () => {
    using folder = workshop('gate');
    const call = folder.start(run);
    await call.said('waiting in gate');
    const { code, stderr } = await folder.planvm(['cancel', 'last']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^run r\w+ was asked to stop\n$/);
    expect(await call.ended).toMatchObject({ code: 130, stdout: '' });
  });
});

test('a run that is done prints its answer again: its process may have died before', async () => {
  const call = calling(0, 'double', { n: 4 }, 'eight');
  using folder = new Folder({
    'plan.json': [call, answering(1, ref('eight'))],
    'tools.mjs': `export default [{ name: 'double', description: 'Doubles.', effect: 'read',
      parameters: { type: 'object', properties: { n: {} } }, run: ({ n }) => n * 2 }];`,
  });
  const { stdout } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs', '--json']);
  // It needs nothing that it was started with.
  rmSync(join(folder.path, 'tools.mjs'));
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: '8\n' });
  const again = await folder.planvm(['resume', 'last', '--json']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
  const shown = await folder.planvm(['show', 'last', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ...{ status: 'done', answer: 8, answers: [{ value: 8, step: '1' }] },
  });
});

describe('a run that cannot be resumed', () => {
  test('because another process has it is a usage error that names the process', async () => {
    using folder = workshop('gate');
    const call = folder.start(run);
    await call.said('waiting in gate');
    const { code, stderr } = await folder.planvm(['resume', 'last']);
    call.process.kill('SIGKILL');
    await call.ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`is being run by process ${call.process.pid}`);
  });

  test('because there is none says so, and makes no journal', async () => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['resume', 'last']);
    expect(code).toBe(2);
    expect(stderr).toContain('error PV6012: there is no run yet');
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });
});

test('a resumed run finds its tools from another folder', async () => {
  using folder = new Folder({
    '.git/HEAD': '',
    'inner/x': '',
    'plan.json': [calling(0, 'one', {}, 'a'), calling(1, 'one', {}, 'b'), answering(2, ref('b'))],
    'tools.mjs': `export default [{ name: 'one', description: 'One.', effect: 'read', run: () => 1 }];`,
  });
  await folder.planvm([...run, '--effects', '1']);
  const cwd = join(folder.path, 'inner');
  const ended = await planvm(['resume', 'last', '--effects', '9'], { cwd });
  expect(ended).toMatchObject({ code: 0, stdout: '1\n' });
});

/** As if its process had died between the end of the run and its output. */
describe('a run that ended and said nothing', () => {
  const programs = {
    'a.star': 'answer(6 * 7)\n',
    'two.json': [answering(0, 42)],
    'tasks.txt': '1. calculate["6 * 7"]\n2. join("$1")\n',
  };
  test.each([
    ['a.star', 'starlark'],
    ['two.json', 'stackvm-2'],
    ['tasks.txt', 'llmcompiler'],
  ])('prints the answer of %s again', async (file, dialect) => {
    using folder = new Folder(programs);
    const first = await folder.planvm(['run', file, '--dialect', dialect]);
    expect(first.code).toBe(0);
    const { stdout } = first;
    expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout });
    const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
    expect(shown).toMatchObject({ status: 'done', answers: [{ value: shown.answer }] });
    expect(`${shown.answer}\n`).toBe(stdout);
  });

  test('prints its error again', async () => {
    using folder = new Folder({ 'fail.star': 'x = 1 // 0\n' });
    await folder.planvm(['run', 'fail.star']);
    const again = await folder.planvm(['resume', 'last']);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('error PV3003: floored division by zero');
  });

  test('is that of the program also where a judge came after it', async () => {
    const accept = '{"reason": "It says where.", "accept": true, "suggestion": ""}';
    await using server = await startModelServer(inOrder('answer("On shelf 12.")', accept));
    using folder = new Folder();
    const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test' };
    const asked = ['ask', 'Where?', '--program', '--judge', '--dialect', 'starlark'];
    expect((await folder.planvm(asked, { env })).code).toBe(0);
    expect(await folder.planvm(['resume', 'last'], { env })).toMatchObject({
      ...{ code: 0, stdout: 'On shelf 12.\n' },
    });
    const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'], { env })).stdout);
    expect(shown).toMatchObject({ answer: 'On shelf 12.', answers: [{ value: 'On shelf 12.' }] });
    expect(server.requests).toHaveLength(2);
  });
});
