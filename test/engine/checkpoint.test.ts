/** Snapshots of runs on their way: when they are made, and that runs go on from them as without. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { isBefore } from '../../src/engine/journal/lineage.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { stateAt } from '../../src/engine/past/time.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { stateView } from '../../src/engine/views/state-view.ts';
import { createMachine } from '../../src/machine/create.ts';
import { ofSample, sampledRuns } from '../support/depth.ts';
import { hashOf } from '../support/draw.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { compile, tools } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, resume, start } from './support.ts';

const counting = `
def main():
    total = 0
    for i in range(3000):
        total += read(x = i)
    return total
total = main()
`;

const echo = byName(quickTool('read', ({ x }) => x));

const sizeOf = (journal: Journal, run: string): number =>
  journal.events(run).reduce((sum, event) => sum + JSON.stringify(event).length, 0);

test('a long run keeps some, all together no larger than its journal', async () => {
  const run = start({ program: compile(counting), handlers: echo });
  expect((await run.result).variables).toMatchObject({ total: 4498500 });
  const { journal, id } = run;
  const kept = journal.snapshots(id);
  expect(kept.length).toBeGreaterThanOrEqual(3);
  expect(kept.length).toBeLessThanOrEqual(6);
  const sizes = kept.map((seq) => journal.snapshot(id, seq)?.length ?? 0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(sizeOf(journal, id));
});

test('a state that grows faster than the journal is not kept each time', async () => {
  const program = compile(`
def main():
    all = []
    for i in range(3000):
        all.append("%d" % read(x = i) + "a large text that is made of little" * 20)
    return len(all)
count = main()
`);
  const run = start({ program, handlers: echo, sequential: true });
  expect((await run.result).variables).toEqual({ count: 3000 });
  const { journal, id } = run;
  const sizes = journal.snapshots(id).map((seq) => journal.snapshot(id, seq)?.length ?? 0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(sizeOf(journal, id));
});

test('what a snapshot of a full window takes is known before it is made', () => {
  const lines = Array.from({ length: 900 }, (_, i) => `a${i} = read(x = ${i})`);
  const machine = createMachine(compile(lines.join('\n')), { tools });
  expect(machine.extent()).toBeLessThan(900 * 50);
  expect(machine.run(1e6).status).toBe('blocked');
  const size = JSON.stringify(machine.snapshot()).length;
  expect(machine.extent()).toBeGreaterThan(size / 2);
  expect(machine.extent()).toBeLessThan(size * 2);
});

/** A journal that has the first events of a run, and of its snapshots those asked for. */
function cut(
  journal: Journal,
  run: string,
  events: readonly RunEvent[],
  snapshots: readonly number[] = [],
): Journal {
  const made = memoryJournal();
  const first = events[0];
  if (first?.type !== 'run.started') throw new Error('no start');
  const bodies = events.map(({ seq: _, at: __, ...body }) => body);
  const lease = made.create(first.run, 'test', bodies);
  for (const seq of snapshots) {
    made.keepSnapshot(lease, { seq, text: journal.snapshot(run, seq) ?? '' });
  }
  made.release(lease);
  return made;
}

/** What a resumed run comes to, what it writes, and what it performs that has its outcome. */
async function goOn(
  journal: Journal,
  run: string,
  program: ReturnType<typeof compile>,
  seed: number,
): Promise<unknown> {
  const settled = new Set(
    journal.events(run).flatMap((one) => (one.type === 'effect.settled' ? [one.effect] : [])),
  );
  // How far reads had come when another one failed is a matter of time.
  const [writes, again]: [string[], string[]] = [[], []];
  const handlers = answering(seed, (effect, tool) => {
    if (tool === 'write') writes.push(effect);
    if (settled.has(effect)) again.push(effect);
  });
  const result = await resume({ program, handlers, journal, run }).result;
  const said = journal
    .events(run)
    .flatMap((event) => (event.type === 'message.emitted' ? [`${event.step} ${event.value}`] : []));
  expect(again).toEqual([]);
  return { ...comparable(result), said, writes };
}

const comparable = ({ status, answers, error, warnings, variables }: RunResult): object => ({
  ...{ status, answers, error, warnings },
  variables: status === 'done' ? variables : {},
});

/** Answers as drawn by the effect, some of them failures. */
function answering(
  seed: number,
  onCall: (effect: string, tool: string) => void,
): Map<string, Handler> {
  return byName(
    ...[...tools.values()].map(({ name, effect, parameters }) =>
      quickTool(
        name,
        (args, context) => {
          onCall(context.effect, name);
          const hash = hashOf(`${seed}${context.effect}${JSON.stringify(args)}`);
          if (hash % 9 === 0) throw new EffectFailure('PV4200', 'broke', { answered: true });
          return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
        },
        { effect, parameters, ...(name === 'write' ? { idempotent: true } : {}) },
      ),
    ),
  );
}

test('from any of them, a run goes on as from its start', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.integer({ min: 0, max: 1e6 }),
      fc.nat(1000),
      async (drawn, seed, cutAt) => {
        const program = compile(sourceOf(drawn));
        const handlers = answering(seed, () => {});
        const limits = { concurrency: 2 };
        const run = start({ program, handlers, limits, checkpointEvery: 1 });
        await run.result;
        const { journal, id } = run;
        const events = journal.events(id);
        for (const seq of journal.snapshots(id)) {
          compared++;
          // Any events behind the snapshot may be there as well, but not the end.
          const last = seq + (cutAt % (events.length - seq));
          const seen = events.slice(0, last);
          const expected = await goOn(cut(journal, id, seen), id, program, seed);
          expect(await goOn(cut(journal, id, seen, [seq]), id, program, seed)).toEqual(expected);
        }
      },
    ),
    sampledRuns(100),
  );
  expect(compared).toBeGreaterThan(ofSample(20));
});

/**
 * Whether a fork asks for what its base has not come to before the fork's point, as fibers do that
 * a failure has made void: it may take over what a later request takes else.
 */
function asksEarly([forked, ...own]: readonly RunEvent[]): boolean {
  const point = forked?.type === 'run.forked' ? forked.point : undefined;
  return own.some((event) => 'effect' in event && point && isBefore(event.effect, point));
}

test('a fork goes on from one of its base as from the start', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.integer({ min: 0, max: 1e6 }),
      fc.nat(100),
      async (drawn, seed, pick) => {
        const program = compile(sourceOf(drawn));
        const handlers = answering(seed, () => {});
        const limits = { concurrency: 2 };
        const run = start({ program, handlers, limits, checkpointEvery: 1 });
        await run.result;
        const { journal, id } = run;
        const events = journal.events(id);
        const steps = showRun({ journal, run: id, load: loading(program) }).steps;
        const at = steps[pick % steps.length]?.id ?? '';
        const forked = async (snapshots: readonly number[]): Promise<unknown> => {
          const copy = cut(journal, id, events, snapshots);
          const edit = { at, set: { a: '"other"' }, by: 'person' } as const;
          const parts = { journal: copy, run: id, load: loading(program), id: 'fork' };
          // Another seed: what is performed anew has other outcomes than what is taken over.
          const fork = forkRun({ ...parts, edit, handlers: answering(seed + 1, () => {}), limits });
          const result = await fork.result;
          const own = copy.events('fork', copy.find('fork')?.base?.seq ?? 0);
          early ||= asksEarly(own);
          const reused = own.filter(({ type }) => type === 'effect.reused').length;
          const settled = own.filter(({ type }) => type === 'effect.settled').length;
          const done = result.status === 'done';
          return [comparable(result), result.warnings, done && reused, done && settled];
        };
        let early = false;
        const kept = journal.snapshots(id);
        const [found, expected] = [await forked(kept), await forked([])];
        if (early) return;
        if (kept.length > 0) compared++;
        expect(found).toEqual(expected);
      },
    ),
    sampledRuns(150),
  );
  expect(compared).toBeGreaterThan(ofSample(15));
});

test('the state at any place is the same from one of them as from the start', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.integer({ min: 0, max: 1e6 }),
      fc.nat(1000),
      async (drawn, seed, pick) => {
        const program = compile(sourceOf(drawn));
        const handlers = answering(seed, () => {});
        const limits = { concurrency: 2 };
        const run = start({ program, handlers, limits, checkpointEvery: 1 });
        await run.result;
        const { journal, id } = run;
        const view = showRun({ journal, run: id, load: loading(program) });
        const places = ['end', `event:${1 + (pick % (journal.find(id)?.events ?? 1))}`];
        for (const list of [view.steps, view.effects]) {
          const place = list[pick % Math.max(1, list.length)]?.id;
          if (place !== undefined) places.push(place);
        }
        const without = cut(journal, id, journal.events(id));
        for (const at of places) {
          const seen = (of: Journal): unknown => {
            const state = stateAt({ journal: of, run: id, load: loading(program), at });
            return [stateView(state, at), state.position, state.emitted];
          };
          if (journal.snapshots(id).length > 0) compared++;
          expect(seen(journal)).toEqual(seen(without));
        }
      },
    ),
    sampledRuns(150),
  );
  expect(compared).toBeGreaterThan(ofSample(50));
});

test('one that cannot be used is passed over', async () => {
  const program = compile(
    'a = read(x = 1)\nb = read(x = a)\nc = [a, b]\nprint(c)\nif b:\n    d = 1\n',
  );
  const run = start({ program, handlers: echo, checkpointEvery: 1 });
  await run.result;
  const { journal, id } = run;
  const events = journal.events(id);
  const seq = journal.snapshots(id)[0] ?? 0;
  const text = journal.snapshot(id, seq) ?? '';
  const spoilt = [
    text.slice(0, -20),
    'null',
    text.replace('"format":2', '"format":0'),
    text.replace(/"program":"./, '"program":"x'),
    text.replace(`"seq":${seq}`, '"seq":1'),
    text.replace('"heap":', '"pile":'),
  ];
  for (const damaged of spoilt) {
    expect(damaged).not.toBe(text);
    const other = cut(journal, id, events.slice(0, seq));
    const lease = other.claim(id, 'test');
    other.keepSnapshot(lease, { seq, text: damaged });
    other.release(lease);
    const result = await resume({ program, handlers: echo, journal: other, run: id }).result;
    expect(result.variables).toMatchObject({ a: 1, b: 1, c: [1, 1], d: 1 });
  }
});

test('one that has seen a failure is of no use once the failure is tried again', async () => {
  const program = compile('a = read(x = 1)\nb = read(x = 2)\nif a + b:\n    c = a + b\n');
  let broken = true;
  const handlers = byName(
    quickTool('read', ({ x }) => {
      if (x === 2 && broken) throw new EffectFailure('PV4200', 'no');
      return x;
    }),
  );
  const parts = { program, handlers, checkpointEvery: 1 };
  const run = start(parts);
  expect((await run.result).status).toBe('failed');
  broken = false;
  const again = await resume({ ...parts, journal: run.journal, run: run.id }).result;
  expect([again.status, again.variables]).toEqual(['done', { a: 1, b: 2, c: 3 }]);
  const { inspection } = stateAt({ ...run, run: run.id, load: loading(program), at: 'end' });
  expect(inspection.status).toBe('done');
});
