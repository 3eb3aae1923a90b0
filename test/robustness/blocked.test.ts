/**
 * Tools that let nothing else happen: they compute without a pause, at once or behind an `await`,
 * or wait in a way that no JavaScript can interrupt. Time limits and signals hold all the same.
 */
import { describe, expect, test } from 'vitest';
import { answering, type Call, calling, Folder, ref } from '../support/cli.ts';
import { isPoint } from '../support/depth.ts';
import { startModelServer } from '../support/model-server.ts';
import { followed } from '../support/playbook-follower.ts';

const tools = `
  import { execSync } from 'node:child_process';
  import { existsSync } from 'node:fs';
  const cell = new Int32Array(new SharedArrayBuffer(4));
  // The thread never gets back to its event loop, and takes no CPU.
  const work = (until) => {
    while (!existsSync('mended') && Date.now() < until) Atomics.wait(cell, 0, 0, 5);
    return 'through';
  };
  const named = (name, run, more = {}) => ({ name, description: name, effect: 'read', run, ...more });
  export default [
    named('spins', () => work(Infinity)),
    named('spins_later', async () => { await new Promise(setImmediate);
      return work(Infinity); }),
    named('computes', () => work(Date.now() + 3000)),
    named('writes', () => work(Infinity), { effect: 'write' }),
    named('backtracks', () => existsSync('mended') ? 'through' : /^(a+)+$/.test('a'.repeat(60) + 'b')),
    named('waits_natively', () => existsSync('mended') ? 'through'
      : execSync('sleep 10', { stdio: 'ignore' })),
    named('pauses', () => { process.stderr.write('in pauses\\n');
      return existsSync('mended') ? 'through' : new Promise(() => {}); }),
    named('impatient', () => work(Infinity), { limits: { timeoutMs: 100 } }),
  ];`;

const workshop = (tool: string): Folder =>
  new Folder({
    'tools.mjs': tools,
    'plan.json': [calling(0, tool, {}, 'a'), answering(1, ref('a'))],
  });
const run = ['run', 'plan.json', '--tools', 'tools.mjs'];
const brief = [...run, '--timeout', '100ms', '--json'];

/** The line that says that nothing is heard. */
const deaf = 'without a pause and hears nothing';

describe('a time limit ends the process, and the run can be resumed', () => {
  // Two of them, or all.
  const kinds = ['spins', 'spins_later', 'computes', 'backtracks'];
  test.each(kinds.filter((_, index) => isPoint(index, 2)))('%s', async (tool) => {
    using folder = workshop(tool);
    const { code, stdout, stderr } = await folder.planvm(brief);
    const { run: id, ...result } = JSON.parse(stdout);
    expect({ code, result }).toMatchObject({
      code: 130,
      result: { status: 'suspended', reason: 'interrupted', error: { code: 'PV5120', step: '0' } },
    });
    expect(result.error.message).toContain(
      `${tool} (effect 0#1) has computed for more than the 100`,
    );
    expect(stderr).toContain(`  planvm resume ${id}\n`);
    expect(stderr).not.toContain('debugger');
    // It blocks again: the same end, not another attempt and another.
    const again = await folder.planvm(['resume', id, '--json']);
    expect(again.code).toBe(130);
    expect(JSON.parse(again.stdout)).toMatchObject({ run: id, error: { code: 'PV5120' } });
    folder.write('mended', '');
    expect(await folder.planvm(['resume', id])).toMatchObject({ code: 0, stdout: 'through\n' });
  });

  test('of a tool that a playbook calls, whose name no program has', async () => {
    const text =
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $a = impatient()\n- Return $a\n';
    await using models = await startModelServer(({ messages }) => followed(messages));
    using folder = new Folder({ 'tools.mjs': tools, 'x.playbook.md': text });
    const env = models.env.openai;
    const args = ['run', 'x.playbook.md', '--tools', 'tools.mjs', '--model', 'openai/m', '--json'];
    const ended = await folder.planvm(args, { env });
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ...{ status: 'suspended', reason: 'interrupted' },
      error: { code: 'PV5120', step: 'Main:01', file: 'x.playbook.md', line: 6 },
    });
    folder.write('mended', '');
    expect(await folder.planvm(['resume', 'last'], { env })).toMatchObject({
      ...{ code: 0, stdout: 'through\n' },
    });
  });

  test('a write is in doubt', async () => {
    using folder = workshop('writes');
    const ended = await folder.planvm(brief);
    const { run: id, error } = JSON.parse(ended.stdout);
    expect({ code: ended.code, error: error.code }).toEqual({ code: 130, error: 'PV5120' });
    const asked = await folder.planvm(['resume', id, '--json']);
    expect(asked.code).toBe(6);
    expect(JSON.parse(asked.stdout)).toMatchObject({ reason: 'unknown', error: { step: '0' } });
    const decided = await folder.planvm(['resume', id, '--assume', 'done:"paid"']);
    expect(decided).toMatchObject({ code: 0, stdout: 'paid\n' });
  });

  test('what cannot be interrupted dies as in a crash, with a sentence', async () => {
    using folder = workshop('waits_natively');
    const { signal, stdout, stderr } = await folder.planvm(brief);
    expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: '' });
    expect(stderr).toContain('error PV6023: ');
    expect(stderr).toContain('hint: planvm resume last goes on');
    folder.write('mended', '');
    expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: 'through\n' });
  });

  test('planvm tools call has one too', async () => {
    using folder = workshop('impatient');
    const called = ['tools', 'call', 'impatient', '--tools', 'tools.mjs', '--json'];
    const { code, stdout, stderr } = await folder.planvm(called);
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      stdout: { error: { code: 'PV4005' } },
    });
    expect(stderr).toContain('impatient has computed for more than 100 ms without a pause');
  });
});

test.each([
  [['--timeout', '100ms'], undefined],
  [[], 'SIGINT'],
] as const)('a session ends, by its time limit or by a signal: %j', async (flags, signal) => {
  using folder = workshop('spins');
  const input = 'x = 1\nspins()\n';
  const call = folder.start(['repl', '--tools', 'tools.mjs', ...flags], { input });
  if (signal) {
    await call.said('spins computes without a pause: Ctrl-C ends the session at once');
    call.process.kill(signal);
  }
  const ended = await call.ended;
  if (signal) expect(ended).toMatchObject({ code: null, signal });
  else expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('PV6023') });
});

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it at once', async (signal) => {
    using folder = workshop('spins');
    const call = folder.start(run);
    expect(await stopped(call, signal)).toMatchObject({ code: null, signal });
    folder.write('mended', '');
    expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: 'through\n' });
  });

  test('is heard as ever once the tool has returned', async () => {
    using folder = new Folder({
      'tools.mjs': tools,
      'plan.json': [
        calling(0, 'computes', {}, 'a'),
        calling(1, 'pauses', { after: ref('a') }, 'b'),
        answering(2, ref('b')),
      ],
    });
    const call = folder.start([...run, '--json']);
    await call.said(deaf);
    await call.said('in pauses');
    call.process.kill('SIGINT');
    const { code, stdout } = await call.ended;
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 130,
      result: { status: 'suspended', reason: 'interrupted', error: { code: 'PV5107' } },
    });
  });
});

async function stopped(call: Call, signal: NodeJS.Signals): Promise<unknown> {
  await call.said(deaf);
  call.process.kill(signal);
  return await call.ended;
}
