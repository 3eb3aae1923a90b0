/**
 * Forks of random programs, at random steps: what a fork takes over never makes it another run than
 * one that performs everything itself, and no write is done that was done already.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { type Arguments, EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { ForkEdit } from '../../src/engine/journal/fork-edit.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { loadProgram } from '../../src/engine/load.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import { messagesIn, verifyRun } from '../../src/engine/past/verify.ts';
import { Walk } from '../../src/engine/past/walk.ts';
import type { RunResult } from '../../src/engine/result.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import { locate, pointBehind } from '../../src/engine/views/locate.ts';
import type { Program } from '../../src/program/program.ts';
import { ofSample, propertyRuns, sampledRuns } from '../support/depth.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { compile, tools } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, resume, settle, start, watchedJournal } from './support.ts';

/** Answers by tool and arguments alone, after a time of its own; counts what was written. */
class World {
  readonly written: string[] = [];
  readonly handlers: Map<string, Handler>;
  #turns: number;

  constructor(seed: number) {
    this.#turns = seed;
    const perform = (name: string) => async (args: Arguments) => {
      this.#turns = (this.#turns * 31 + 7) % 101;
      for (let turns = this.#turns % 4; turns > 0; turns--) await settle(1);
      const text = `${name} ${JSON.stringify(args)}`;
      let hash = 2166136261;
      for (const char of `${seed}${text}`) {
        hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
      }
      if (hash % 9 === 0) throw new EffectFailure('PV4200', `${text} broke`, { answered: true });
      if (name === 'write') this.written.push(text);
      return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
    };
    this.handlers = byName(
      ...[...tools.values()].map(({ name, effect, parameters }) =>
        quickTool(name, perform(name), {
          ...{ effect, parameters },
          ...(name === 'write' ? { idempotent: true } : {}),
        }),
      ),
    );
  }
}

/** What must not depend on what was taken over. */
function endOf({ status, answers, variables, error }: RunResult): unknown {
  return { status, answers, error, ...(status === 'done' ? { variables } : {}) };
}

function counted(texts: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));
}

/** Steps that the main line has entered, in order. */
function stepsOf(journal: Journal, run: string, program: Program): string[] {
  const past = readPast(journal.events(run));
  const walk = new Walk({ loaded: loadProgram(run, past, loading(program)), past, status: 'done' });
  const steps: string[] = [];
  for (let moment = walk.next(); moment.kind !== 'end'; moment = walk.next()) {
    if (moment.kind === 'step') steps.push(moment.step.id);
  }
  return steps;
}

interface Drawn {
  readonly program: Program;
  readonly journal: Journal;
  readonly base: RunHandle;
  readonly result: RunResult;
  readonly written: readonly string[];
  readonly at: string;
  readonly seed: number;
}

/** With many checkpoints, or without any. */
const kept = (seed: number): { checkpointEvery?: number } =>
  seed % 2 === 0 ? { checkpointEvery: 1 + (seed % 3) } : {};

/** A run of a random program, and a step of it. */
async function baseOf(source: string, seed: number, place: number): Promise<Drawn> {
  const program = compile(source);
  const world = new World(seed);
  const journal = memoryJournal();
  const base = start({ program, handlers: world.handlers, journal, ...kept(seed) });
  const result = await base.result;
  const steps = stepsOf(journal, base.id, program);
  const at = steps[place % steps.length] ?? '1';
  return { program, journal, base, result, written: world.written, at, seed };
}

function forkOf({ journal, base, program, seed }: Drawn, edit: Omit<ForkEdit, 'by'>) {
  const world = new World(seed);
  const handle = forkRun({
    ...{ journal, run: base.id, handlers: world.handlers, load: loading(program) },
    ...kept(seed),
    edit: { by: 'person', ...edit },
  });
  return { handle, world };
}

const seed = fc.integer({ min: 0, max: 1e6 });

test('a fork that changes nothing is its base, and writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, seed, fc.nat(40), fc.boolean(), async (drawn, seed, place, whole) => {
      const run = await baseOf(sourceOf(drawn), seed, place);
      const { handle, world } = forkOf(run, whole ? {} : { at: run.at });
      expect(endOf(await handle.result)).toEqual(endOf(run.result));
      const said = (id: string): unknown =>
        messagesIn(run.journal.events(id)).map(({ channel, value }) => [channel, value]);
      expect(said(handle.id)).toEqual(said(run.base.id));
      expect(world.written).toEqual([]);
    }),
    sampledRuns(200),
  );
});

test('a fork with another variable ends as one that performs everything again', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, seed, fc.nat(40), async (drawn, seed, place) => {
      const run = await baseOf(sourceOf(drawn), seed, place);
      const edit = { at: run.at, set: { a: '"z"', memory: '["z7"]' } };
      const taking = forkOf(run, edit);
      const alone = forkOf(run, { ...edit, perform: 'all' });
      expect(endOf(await taking.handle.result)).toEqual(endOf(await alone.handle.result));
      const own = counted(taking.world.written);
      const kept = counted(
        [...readPast(run.journal.events(alone.handle.id)).effects.values()].flatMap((one) =>
          one.tool === 'write' && one.origin === 'base' && one.outcome?.ok
            ? [`write ${one.request}`]
            : [],
        ),
      );
      const before = counted(run.written);
      for (const [text, wanted] of counted(alone.world.written)) {
        const there = (before.get(text) ?? 0) - (kept.get(text) ?? 0);
        expect([text, own.get(text) ?? 0]).toEqual([text, Math.max(0, wanted - there)]);
      }
    }),
    sampledRuns(200),
  );
});

/** Its fork takes over a read that a replay, which hands outcomes in by turns, fails before. */
const failsBeforeItsTurn: [Parameters<typeof sourceOf>[0], number, number, number] = [
  [
    [{ kind: 'parallel', count: 4, callee: 0 }],
    [
      { kind: 'call', tool: 'read', of: 1 },
      { kind: 'parallel', count: 4, callee: 0 },
      { kind: 'call', tool: 'write', of: 0 },
    ],
    [],
    [
      { kind: 'branch', body: [] },
      { kind: 'parallel', count: 2, callee: 1 },
      { kind: 'attempt', callee: 1 },
    ],
  ],
  7452,
  39,
  0,
];

test('a fork of a fork that changes nothing is that fork, wherever it begins', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, seed, fc.nat(40), fc.nat(40), async (drawn, seed, place, other) => {
      const run = await baseOf(sourceOf(drawn), seed, place);
      const edit = { at: run.at, set: { a: '"z"', memory: '["z7"]' } };
      const first = forkOf(run, edit).handle;
      const expected = endOf(await first.result);
      const again = { journal: run.journal, run: first.id, load: loading(run.program) };
      expect(verifyRun(again).differences).toEqual([]);
      const steps = stepsOf(run.journal, first.id, run.program);
      const at = steps[other % (steps.length + 1)];
      const { handle, world } = forkOf({ ...run, base: first }, at === undefined ? {} : { at });
      expect(endOf(await handle.result)).toEqual(expected);
      const said = (id: string): unknown =>
        messagesIn(run.journal.events(id)).map(({ channel, value }) => [channel, value]);
      expect(said(handle.id)).toEqual(said(first.id));
      expect(world.written).toEqual([]);
    }),
    { ...sampledRuns(200), examples: [failsBeforeItsTurn] },
  );
});

test('a place is the same whether it is found from the start or from a checkpoint', async () => {
  let quick = 0;
  await fc.assert(
    fc.asyncProperty(bodies, seed, async (drawn, seed) => {
      const program = compile(sourceOf(drawn));
      const journal = memoryJournal();
      const { handlers } = new World(seed);
      const { id, result } = start({ program, handlers, journal, checkpointEvery: 1 });
      await result;
      const events = journal.events(id);
      const head = readPast(events.slice(0, 3));
      const loaded = loadProgram(id, head, loading(program));
      for (const at of stepsOf(journal, id, program)) {
        const found = pointBehind({ journal, run: id, head }, loaded, at);
        if (!found) continue;
        quick++;
        const { point, names } = locate(loaded, events, at);
        expect(found).toEqual({ point, names });
      }
    }),
    propertyRuns(25),
  );
  expect(quick).toBeGreaterThan(ofSample(5));
});

test('a fork that dies before any append goes on to the same end', async () => {
  await fc.assert(
    fc.asyncProperty(
      bodies,
      seed,
      fc.nat(40),
      fc.uniqueArray(fc.integer({ min: 1, max: 16 }), { maxLength: 4 }),
      async (drawn, seed, place, deaths) => {
        const run = await baseOf(sourceOf(drawn), seed, place);
        const edit = { at: run.at, set: { a: '"z"', c: '"7"' } };
        const smooth = forkOf(run, edit);
        const expected = endOf(await smooth.handle.result);
        let appends = 0;
        const mortal = (): Journal => {
          let dead = false;
          return watchedJournal(run.journal, () => {
            dead ||= deaths.includes(++appends);
            if (dead) throw new Error('died');
          });
        };
        const { handlers, written } = new World(seed);
        const parts = { program: run.program, handlers, run: run.base.id };
        let handle = forkRun({
          ...{ ...parts, journal: mortal(), load: loading(run.program), ...kept(seed) },
          edit: { by: 'person', ...edit },
        });
        for (;;) {
          const result = await handle.result.catch(() => undefined);
          if (result) {
            expect(endOf(result)).toEqual(expected);
            break;
          }
          handle = resume({ ...parts, journal: mortal(), run: handle.id, ...kept(seed) });
        }
        // A write whose answer was lost is performed again, with the same key.
        expect([...new Set(written)].toSorted()).toEqual(
          [...new Set(smooth.world.written)].toSorted(),
        );
      },
    ),
    sampledRuns(200),
  );
});
