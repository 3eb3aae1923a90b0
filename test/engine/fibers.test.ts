/** Programs with fibers as whole runs: killed anywhere, resumed, shown. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arguments, EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { sampledRuns } from '../support/depth.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { compile, tools } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, resume, settle, start, watchedJournal } from './support.ts';

/** Answers as drawn by the effect, in turns of the event loop; remembers what was written. */
class World {
  readonly written: string[] = [];
  readonly done = new Map<string, unknown>();
  readonly #seed: number;
  readonly #delay: () => number;

  constructor(seed: number, delay: () => number) {
    this.#seed = seed;
    this.#delay = delay;
  }

  handlers(): Map<string, Handler> {
    return byName(
      ...[...tools.values()].map(({ name, effect, parameters }) =>
        quickTool(
          name,
          async (args, context) => {
            for (let turns = this.#delay(); turns > 0; turns--) await settle(1);
            const value = this.#outcome(args, context.effect);
            if (name === 'write') {
              this.written.push(`${context.effect} ${JSON.stringify(args)}`);
              this.done.set(context.effect, value);
            }
            return value;
          },
          { effect, parameters, ...(name === 'write' ? { idempotent: true } : {}) },
        ),
      ),
    );
  }

  #outcome(args: Arguments, effect: string): unknown {
    let hash = 2166136261;
    for (const char of `${this.#seed}${effect}${JSON.stringify(args)}`) {
      hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
    }
    if (hash % 9 === 0) throw new EffectFailure('PV4200', `${effect} broke`, { answered: true });
    return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
  }
}

function endOf(result: RunResult, { written }: World, journal: Journal, run: string): unknown {
  const said = journal
    .events(run)
    .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));
  const { status, answers, error } = result;
  // A write whose answer was lost is performed again, with the same key.
  return { status, answers, error, said, written: [...new Set(written)] };
}

test('side by side and through any deaths, a run ends as it does one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.integer({ min: 0, max: 1e6 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { maxLength: 4 }),
      fc.constantFrom(undefined, 1, 2),
      async (drawn, seed, deaths, checkpointEvery) => {
        const program = compile(sourceOf(drawn));
        const still = new World(seed, () => 0);
        const alone = start({ program, handlers: still.handlers(), sequential: true });
        const expected = endOf(await alone.result, still, alone.journal, alone.id);

        let turns = seed;
        const world = new World(seed, () => {
          turns = (turns * 31 + 7) % 101;
          return turns % 4;
        });
        const parts = { program, handlers: world.handlers(), checkpointEvery };
        const journal = memoryJournal();
        let appends = 0;
        const mortal = (): Journal => {
          let dead = false;
          return watchedJournal(journal, () => {
            dead ||= deaths.includes(++appends);
            if (dead) throw new Error('died');
          });
        };
        let handle: RunHandle = start({ ...parts, journal: mortal() });
        for (;;) {
          const result = await handle.result.catch(() => undefined);
          const { id } = handle;
          if (result) {
            expect(endOf(result, world, journal, id)).toEqual(expected);
            return;
          }
          // Before its first append nothing is known of a run: it is started anew.
          if (!journal.find(id)?.events) handle = start({ ...parts, journal: mortal() });
          else handle = resume({ ...parts, journal: mortal(), run: id });
        }
      },
    ),
    sampledRuns(200),
  );
});

describe('a run with fibers', () => {
  const source = `
def look(x):
    first = read(x = x)
    return read(x = first) if first == 2 else first
found = parallel(look, [1, 2])
tried = attempt(look, 3)
third = try_call(read, x = 4)
read(x = 5)`;

  test('is shown with the paths of its fibers, at the step that asked for them', async () => {
    const program = compile(source);
    const handlers = byName(quickTool('read', ({ x }) => x));
    const run = start({ program, handlers });
    await run.result;
    const { effects, steps } = showRun({ ...run, run: run.id, load: loading(program) });
    const listed = effects.map(({ id, step, status }) => `${id} ${step} ${status}`);
    expect(listed.toSorted()).toEqual([
      '0#1 7 done',
      '0#2 8 done',
      '0.1#1 5 done',
      '0.2#1 5 done',
      '0.2#2 5 done',
      '0.3#1 6 done',
    ]);
    expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['done']));
  });

  test('that has failed performs only those again whose failure ended it', async () => {
    const program = compile(source);
    let mended = false;
    const performed: string[] = [];
    const read = quickTool('read', ({ x }, { effect }) => {
      performed.push(effect);
      if (Number(x) >= 3 && !mended) throw new EffectFailure('PV4200', `no ${x}`);
      return x;
    });
    const parts = { program, handlers: byName(read) };
    const run = start(parts);
    expect(await run.result).toMatchObject({ status: 'failed', error: { message: 'no 5' } });
    mended = true;
    performed.length = 0;
    const again = await resume({ ...parts, journal: run.journal, run: run.id }).result;
    expect(again.status).toBe('done');
    expect(performed).toEqual(['0#2']);
    expect(again.variables).toMatchObject({ tried: { ok: false }, third: { ok: false } });
  });

  test('that fails in a fiber names the place inside', async () => {
    const program = compile(source);
    const read = quickTool('read', ({ x }) => {
      if (x === 2) throw new EffectFailure('PV4200', 'no 2');
      return x;
    });
    const run = start({ program, handlers: byName(read) });
    expect((await run.result).error).toMatchObject({ message: 'no 2', step: '5', line: 3 });
  });

  test('meets its budget of instructions also where a fiber spins', async () => {
    const program = compile(
      'def spin(x):\n    while True:\n        x += 1\nparallel(spin, [1, 2])',
    );
    const run = start({ program, handlers: byName(), limits: { instructions: 50_000 } });
    const result = await run.result;
    expect(result).toMatchObject({ status: 'suspended', reason: 'limit' });
  });

  test('is not allowed by an attempt to go beyond its budget of effects', async () => {
    const program = compile(
      'def many(n):\n    return [read(x = i) for i in range(n)]\na = attempt(many, 5)',
    );
    const handlers = byName(quickTool('read', ({ x }) => x));
    const run = start({ program, handlers, limits: { effects: 3 } });
    expect(await run.result).toMatchObject({ status: 'suspended', reason: 'limit' });
    const again = resume({
      program,
      handlers,
      journal: run.journal,
      run: run.id,
      limits: { effects: 9 },
    });
    const result = await again.result;
    expect(result.variables).toMatchObject({ a: { ok: true, value: [0, 1, 2, 3, 4] } });
  });
});
