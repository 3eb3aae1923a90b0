/** Effects that are performed only once a person has said so. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { type Journal, LeaseLost } from '../../src/engine/journal/journal.ts';
import {
  type Approvals,
  approvalPolicies,
  needsApproval,
} from '../../src/engine/perform/approvals.ts';
import type { Person } from '../../src/engine/perform/person.ts';
import { decideRun } from '../../src/engine/reply.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { compile } from '../support/starlark-machine.ts';
import {
  byName,
  programOf,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
} from './support.ts';

const program = programOf([{ tool: 'read' }, { tool: 'wipe' }, { tool: 'read' }]);

const tools = () => ({
  read: testTool('read'),
  wipe: testTool('wipe', { effect: 'write', destructive: true }),
});

/** A run that waits for the approval of its second effect. */
async function asked(): Promise<{ journal: Journal; run: string }> {
  const { read, wipe } = tools();
  const run = start({ program, handlers: byName(read, wipe) });
  (await read.call(0)).answer('a');
  expect(await run.result).toMatchObject({
    status: 'waiting',
    reason: 'approval',
    error: {
      code: 'PV5140',
      message: 'wipe {"n":2} is to be approved (effect 0#2): it cannot be undone',
      hint: 'approve it, or deny it',
      step: '2',
    },
    waits: [{ kind: 'approval', effect: '0#2', step: '2', tool: 'wipe', request: { n: 2 } }],
  });
  expect(wipe.calls).toEqual([]);
  return { journal: run.journal, run: run.id };
}

const again = (parts: { journal: Journal; run: string }, approvals?: Partial<Approvals>) => {
  const { read, wipe } = tools();
  const handle = resume({ program, handlers: byName(read, wipe), approvals, ...parts });
  return { read, wipe, handle };
};

const typesOf = ({ journal, run }: { journal: Journal; run: string }): string[] =>
  journal.events(run).map(({ type }) => type);

test('what was approved is performed, once, by whoever has the run then', async () => {
  const parts = await asked();
  parts.journal.post(parts.run, { kind: 'approve', effect: '0#2', by: 'kim', note: 'go' });
  const { wipe, read, handle } = again(parts);
  (await wipe.call(0)).answer('gone');
  (await read.call(0)).answer('b');
  expect(await handle.result).toMatchObject({ status: 'done', variables: { v2: 'gone' } });
  const granted = parts.journal.events(parts.run).find(({ type }) => type === 'approval.granted');
  expect(granted).toMatchObject({ effect: '0#2', by: 'kim', note: 'go' });
  expect(typesOf(parts).filter((type) => type === 'approval.requested')).toHaveLength(1);
  expect(parts.journal.posts(parts.run)).toEqual([]);
});

test('an effect is approved by its id or that of its step', async () => {
  for (const place of ['0#2', '2']) {
    const { journal, run } = await asked();
    const by = 'kim';
    const given = { journal, run, handlers: new Map(), by, approved: true };
    const found = await decideRun({ ...given, effects: [place] });
    expect(found).toMatchObject([{ effect: '0#2', step: '2' }]);
    expect(journal.posts(run)).toMatchObject([{ post: { kind: 'approve', effect: '0#2', by } }]);
    await expect(decideRun({ ...given, effects: ['3'] })).rejects.toThrow('has no effect 3');
  }
});

test('what was denied fails, and resuming asks again', async () => {
  const parts = await asked();
  parts.journal.post(parts.run, { kind: 'deny', effect: '0#2', by: 'kim', note: 'wrong disk' });
  const { wipe, handle } = again(parts);
  expect(await handle.result).toMatchObject({
    status: 'failed',
    error: { code: 'PV4020', message: 'wipe was not approved by kim: wrong disk', step: '2' },
  });
  expect(wipe.calls).toEqual([]);
  expect(await again(parts).handle.result).toMatchObject({ status: 'waiting' });
  expect(typesOf(parts).filter((type) => type === 'approval.requested')).toHaveLength(2);
});

test('what was denied and the program went on without is not asked about again', async () => {
  const source = 't = attempt(write, x = 1)\na = read(x = t.ok)\nread(x = 2)\n';
  const program = compile(source);
  let isBroken = true;
  const read = quickTool('read', ({ x }) => {
    if (isBroken && x === 2) throw new EffectFailure('PV4200', 'no', { answered: true });
    return x;
  });
  const write = testTool('write', { effect: 'write', destructive: true });
  const options = { program, handlers: byName(read, write) };
  const { journal, id, result } = start(options);
  expect(await result).toMatchObject({ status: 'waiting' });
  journal.post(id, { kind: 'deny', effect: '0.1#1', by: 'kim' });
  expect(await resume({ ...options, journal, run: id }).result).toMatchObject({ status: 'failed' });
  isBroken = false;
  const mended = await resume({ ...options, journal, run: id }).result;
  expect(mended).toMatchObject({ status: 'done', variables: { a: false } });
});

test('an approval survives the process that took it', async () => {
  const parts = await asked();
  parts.journal.post(parts.run, { kind: 'approve', effect: '0#2', by: 'kim' });
  const owner = 'one';
  const { read, wipe } = tools();
  const options = { program, handlers: byName(read, wipe), owner, ...parts };
  const first = resume({ ...options, limits: { effects: 1 } });
  expect(await first.result).toMatchObject({ status: 'suspended', reason: 'limit' });
  expect(typesOf(parts)).toContain('approval.granted');
  expect(wipe.calls).toEqual([]);
  const second = resume({ ...options, limits: { effects: 10 } });
  const call = await wipe.call(0);
  // The process is gone; nobody knows what it did, so it is asked about and not performed again.
  expect(await resume(options).result).toMatchObject({ reason: 'unknown' });
  const lost = expect(second.result).rejects.toThrow(LeaseLost);
  call.answer('too late');
  await lost;
});

test('resuming with a looser policy is an approval too', async () => {
  for (const approvals of [{ policy: 'none' }, { yes: ['wipe'] }] satisfies Partial<Approvals>[]) {
    const parts = await asked();
    const { wipe, read, handle } = again(parts, approvals);
    (await wipe.call(0)).answer('gone');
    (await read.call(0)).answer('b');
    expect(await handle.result).toMatchObject({ status: 'done' });
  }
});

test('what the run was started with holds when it is resumed', async () => {
  const { read, wipe } = tools();
  const approvals: Approvals = { policy: 'all', yes: ['wipe'] };
  const run = start({ program, handlers: byName(read, wipe), approvals });
  expect(await run.result).toMatchObject({ waits: [{ effect: '0#1', tool: 'read' }] });
  const resumed = again({ journal: run.journal, run: run.id });
  expect(await resumed.handle.result).toMatchObject({ waits: [{ effect: '0#1' }] });
});

test('several approvals are open at once; each is for its own effect', async () => {
  const { read } = tools();
  const both = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const options = { program: both, handlers: byName(read) };
  const run = start({ ...options, approvals: { policy: 'all' } });
  expect(await run.result).toMatchObject({ waits: [{ effect: '0#1' }, { effect: '0#2' }] });
  const { journal, id } = run;
  journal.post(id, { kind: 'approve', effect: '0#2', by: 'kim' });
  const resumed = resume({ ...options, journal, run: id });
  (await read.call(0)).answer('second');
  expect(await resumed.result).toMatchObject({ waits: [{ effect: '0#1' }] });
  expect(read.calls).toHaveLength(1);
});

test('an owner that waits for something else takes approvals within a second', async () => {
  const clock = new TestClock();
  const wipe = testTool('wipe', { effect: 'write', destructive: true });
  const pure = testTool('pure', { effect: 'pure' });
  const beside = programOf([{ tool: 'wipe' }, { tool: 'pure' }]);
  const run = start({ program: beside, handlers: byName(wipe, pure), clock });
  const call = await pure.call(0);
  await settle();
  run.journal.post(run.id, { kind: 'approve', effect: '0#1', by: 'kim' });
  clock.advance(1000);
  (await wipe.call(0)).answer('gone');
  call.answer('pure');
  expect(await run.result).toMatchObject({ status: 'done' });
});

describe('somebody who is there', () => {
  const saying = (approved: boolean): Person => ({
    answer: async () => undefined,
    decide: async () => ({ approved, by: 'kim' }),
  });

  test('approves in place', async () => {
    const { read, wipe } = tools();
    const run = start({ program, handlers: byName(read, wipe), person: saying(true) });
    (await read.call(0)).answer('a');
    (await wipe.call(0)).answer('gone');
    (await read.call(1)).answer('b');
    expect(await run.result).toMatchObject({ status: 'done' });
  });

  test('denies in place', async () => {
    const { read, wipe } = tools();
    const run = start({ program, handlers: byName(read, wipe), person: saying(false) });
    (await read.call(0)).answer('a');
    expect(await run.result).toMatchObject({ error: { code: 'PV4020' } });
  });
});

test('what needs an approval, by policy', () => {
  const specs = [
    toolSpec({ name: 'pure', description: '', effect: 'pure' }),
    toolSpec({ name: 'read', description: '', effect: 'read' }),
    toolSpec({ name: 'write', description: '', effect: 'write' }),
    toolSpec({ name: 'wipe', description: '', effect: 'write', destructive: true }),
    toolSpec({ name: 'yes', description: '', effect: 'write', destructive: true }),
    toolSpec({ name: 'ask', description: '', effect: 'read', kind: 'person' }),
    toolSpec({ name: 'sleep', description: '', effect: 'read', kind: 'clock' }),
  ];
  const needed = approvalPolicies.map((policy) => [
    policy,
    ...specs.filter((one) => needsApproval({ policy, yes: ['yes'] }, one)).map(({ name }) => name),
  ]);
  expect(needed).toEqual([
    ['none'],
    ['untrusted', 'wipe'],
    ['destructive', 'wipe'],
    ['writes', 'write', 'wipe'],
    ['all', 'pure', 'read', 'write', 'wipe'],
  ]);
});

describe('replies that nobody has taken yet', () => {
  const by = (parts: { journal: Journal; run: string }, name: string) => ({
    ...{ ...parts, handlers: new Map(), effects: ['0#2'], by: name },
  });

  test('a denial takes the place of an approval', async () => {
    const parts = await asked();
    await decideRun({ ...by(parts, 'kim'), approved: true });
    await decideRun({ ...by(parts, 'lee'), approved: false, note: 'wrong disk' });
    expect(parts.journal.posts(parts.run).map(({ post }) => post)).toEqual([
      { kind: 'deny', effect: '0#2', by: 'lee', note: 'wrong disk' },
    ]);
    const { wipe, handle } = again(parts);
    expect(await handle.result).toMatchObject({ status: 'failed', error: { code: 'PV4020' } });
    expect(wipe.calls).toEqual([]);
    expect(parts.journal.posts(parts.run)).toEqual([]);
  });

  test.each([
    [true, true],
    [false, true],
    [false, false],
  ])('of an approval (%s) and another (%s), the first counts', async (first, second) => {
    const parts = await asked();
    await decideRun({ ...by(parts, 'kim'), approved: first });
    const late = decideRun({ ...by(parts, 'lee'), approved: second });
    await expect(late).rejects.toMatchObject({
      code: 'PV5142',
      message: expect.stringContaining('kim has replied'),
    });
    expect(parts.journal.posts(parts.run)).toHaveLength(1);
  });

  test('a denial that comes after an approval was taken is told so, and leads to nothing', async () => {
    const parts = await asked();
    await decideRun({ ...by(parts, 'kim'), approved: true });
    const { journal } = parts;
    const [{ id = 0 } = {}] = journal.posts(parts.run);
    const lease = journal.claim(parts.run, 'other');
    const taking = {
      ...journal,
      events: (...range: Parameters<Journal['events']>) => journal.events(...range),
      find: (run: string) => journal.find(run),
      posts: (run: string) => journal.posts(run),
      withdraw: (...what: Parameters<Journal['withdraw']>) => {
        const granted = { type: 'approval.granted', effect: '0#2', by: 'kim' } as const;
        journal.append(lease, [granted], { taken: [id] });
        return journal.withdraw(...what);
      },
    };
    const late = decideRun({ ...by({ ...parts, journal: taking }, 'lee'), approved: false });
    await expect(late).rejects.toMatchObject({ code: 'PV5142' });
    expect(journal.posts(parts.run)).toEqual([]);
  });

  test('where it cannot go on, nothing is left', async () => {
    const parts = await asked();
    const ready = () => Promise.reject(new Error('no tools'));
    const failing = decideRun({ ...by(parts, 'kim'), approved: true, ready });
    await expect(failing).rejects.toThrow('no tools');
    expect(parts.journal.posts(parts.run)).toEqual([]);
  });
});
