/**
 * `kill -9` anywhere on the way: `resume` comes to the result of a run that nobody touched, and
 * what must not happen twice has happened once.
 */
import { describe, expect, test } from 'vitest';
import { answering, calling, type Ended, Folder, ref } from '../support/cli.ts';

/**
 * Each call says on stderr how many there were in this process, so that a test can kill it there,
 * and takes a moment, so that the signal finds the run anywhere. `append` is not idempotent: it
 * acts, and then takes its time to say so. `put` is.
 */
const tools = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  let calls = 0;
  const call = async (act) => {
    process.stderr.write('call ' + ++calls + ';\\n');
    await pause(2);
    const value = act();
    await pause(2);
    return value;
  };
  const n = { n: {}, after: {} };
  const parameters = { type: 'object', properties: n, required: ['n'] };
  export default [
    { name: 'look', description: 'Reads.', effect: 'read', parameters,
      run: ({ n }) => call(() => 'looked ' + n) },
    { name: 'put', description: 'Writes, in a way that can be repeated.', effect: 'write',
      idempotent: true, parameters, run: ({ n }) => call(() => {
        mkdirSync('put', { recursive: true });
        writeFileSync('put/' + n, '');
        return 'put ' + n; }) },
    { name: 'append', description: 'Writes.', effect: 'write', parameters,
      run: ({ n }) => call(() => { appendFileSync('ledger', n + '\\n'); return 'appended ' + n; }) },
  ];`;

/** 30 steps: reads side by side and in chains, writes of both kinds between them. */
const plan = [
  ...Array.from({ length: 30 }, (_, n) => {
    const tool = n % 5 === 2 ? 'append' : n % 5 === 4 ? 'put' : 'look';
    return calling(
      n,
      tool,
      n % 3 === 0 || n === 1 ? { n } : { n, after: ref(`v${n - 1}`) },
      `v${n}`,
    );
  }),
  answering(30, { first: ref('v2'), last: ref('v29'), all: `${ref('v3')}, ${ref('v4')}` }),
];
const appends = [2, 7, 12, 17, 22, 27];

const workshop = (): Folder => new Folder({ 'plan.json': plan, 'tools.mjs': tools, ledger: '' });
const ledger = (folder: Folder): number[] =>
  folder.read('ledger').split('\n').filter(Boolean).map(Number);

/** All of a result that does not depend on when it was reached. */
function lasting({ stdout }: Ended): unknown {
  const { run: _run, ...document } = JSON.parse(stdout);
  return document;
}

/** What a person does about writes in doubt: looks whether they happened. */
async function decisions(folder: Folder): Promise<string[]> {
  const { effects } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  const happened = new Set(ledger(folder));
  return effects
    .filter(({ status }: { status: string }) => status === 'unknown')
    .flatMap(({ id, request: { n } }: { id: string; request: { n: number } }) => [
      '--assume',
      happened.has(n) ? `${id}=done:"appended ${n}"` : `${id}=retry`,
    ]);
}

/** Kills at the given calls, one after the other, and resumes in between until it is done. */
async function survive(
  kills: readonly number[],
): Promise<{ readonly ended: Ended; readonly written: readonly number[] }> {
  using folder = workshop();
  // A run that the signal finds after its last append is over: its answer is printed again.
  const ended = await killedAndResumed(folder, kills);
  return { ended, written: ledger(folder) };
}

async function killedAndResumed(folder: Folder, kills: readonly number[]): Promise<Ended> {
  let args = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
  for (const kill of kills) {
    const call = folder.start(args);
    // It may end before it comes to so many calls: the rest is nearly done.
    await call.said(`call ${kill};`).catch(() => {});
    call.process.kill('SIGKILL');
    const ended = await call.ended;
    if (ended.code === 0) return ended;
    expect(ended.signal === 'SIGKILL' || ended.code === 6).toBe(true);
    args = ['resume', 'last', '--json', ...(await decisions(folder))];
  }
  for (;;) {
    const ended = await folder.planvm(['resume', 'last', '--json', ...(await decisions(folder))]);
    if (ended.code !== 6) return ended;
  }
}

describe('a run of 30 steps', async () => {
  using untouched = workshop();
  const smooth = await untouched.planvm(['run', 'plan.json', '--tools', 'tools.mjs', '--json']);
  const written = ledger(untouched);

  test('that nobody touches is done', () => {
    expect({ code: smooth.code, written }).toEqual({ code: 0, written: appends });
    expect(lasting(smooth)).toMatchObject({ status: 'done', answer: { last: 'put 29' } });
  });

  test.each([[1], [3], [6], [9], [14], [19], [24], [29], [30]])(
    'is killed at call %i',
    async (at) => {
      const { ended, written } = await survive([at]);
      expect({ code: ended.code, written }).toEqual({ code: 0, written: appends });
      expect(lasting(ended)).toEqual(lasting(smooth));
    },
  );

  test('is killed again and again', async () => {
    const { ended, written } = await survive([2, 5, 1, 7, 3, 4]);
    expect({ code: ended.code, written }).toEqual({ code: 0, written: appends });
    expect(lasting(ended)).toEqual(lasting(smooth));
  });
});
