/**
 * One seed drives a random program, how long each effect takes, which fail, and when the process
 * dies. Whatever comes of it, the run ends as it does one effect at a time and without an accident.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assumption } from '../../src/engine/assume.ts';
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
} from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal.ts';
import { memoryJournal } from '../../src/engine/memory/journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import type { ChunkBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/program.ts';
import {
  byName,
  programOf,
  quickTool,
  resume,
  type Step,
  start,
  watchedJournal,
} from './support.ts';

interface Plan {
  readonly steps: readonly Step[];
  /** Steps whose effect fails, by what they pass. */
  readonly failing: ReadonlySet<string>;
  /** Whether a failure in the middle is caught and answered by one more call. */
  readonly caught: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc
    .array(
      fc.record({
        kind: fc.constantFrom('read', 'read', 'read', 'pure', 'write', 'say', 'pass'),
        from: fc.nat(),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map(stepsOf),
  failing: fc
    .array(fc.nat(24), { maxLength: 2 })
    .map((numbers) => new Set(numbers.map((number) => String(number)))),
  caught: fc.boolean(),
});

function stepsOf(drawn: readonly { kind: string; from: number }[]): Step[] {
  const calls: number[] = [];
  return drawn.map(({ kind, from }, i): Step => {
    const source = calls[from % Math.max(1, calls.length)];
    if (kind === 'say') return source ? { sayResult: source } : { say: `line ${i + 1}` };
    calls.push(i + 1);
    if (kind !== 'pass') return { tool: kind };
    return source ? { tool: 'read', from: source } : { tool: 'read' };
  });
}

function compile({ steps, caught }: Plan): Program {
  return programOf(steps, caught ? guardedCall : undefined);
}

/** Two calls under a handler that makes one more. */
function guardedCall(chunk: ChunkBuilder): void {
  const after = chunk.label();
  const begin = chunk.address;
  chunk.tool('read').constant('n').constant(20).call(0, 1).emit('POP');
  chunk.tool('write').constant('n').constant(21).call(0, 1).emit('BARRIER').emit('POP');
  const end = chunk.address;
  chunk.jump('JMP', after);
  chunk.handler({ start: begin, end, target: chunk.address, depth: 0 });
  chunk.emit('POP').tool('read').constant('n').constant(22).call(0, 1);
  chunk.emit('EMIT', chunk.constantSlot('say')).place(after);
}

class World {
  /** What was written, in order, and the result of each write by effect. */
  readonly written: string[] = [];
  readonly results = new Map<string, string>();
  readonly twice: string[] = [];
  readonly #failing: ReadonlySet<string>;
  readonly #delay: () => number;

  /** `delay` gives turns of the event loop. */
  constructor(failing: ReadonlySet<string>, delay: () => number) {
    this.#failing = failing;
    this.#delay = delay;
  }

  tools(): Map<string, Handler> {
    const look = async ({ n }: Arguments): Promise<string> => {
      for (let turns = this.#delay(); turns > 0; turns--) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (this.#failing.has(String(n))) throw new EffectFailure('PV4200', `no ${String(n)}`);
      return `got ${String(n)}`;
    };
    const write = async (args: Arguments, { effect }: AttemptContext): Promise<string> => {
      if (this.#failing.has(String(args.n))) {
        throw new EffectFailure('PV4200', `no ${String(args.n)}`, { answered: true });
      }
      if (this.results.has(effect)) this.twice.push(effect);
      this.results.set(effect, `got ${String(args.n)}`);
      this.written.push(String(args.n));
      return look(args);
    };
    return byName(
      quickTool('read', look),
      quickTool('pure', look, { effect: 'pure' }),
      quickTool('write', write, { effect: 'write' }),
    );
  }

  /** What a person would find out about the effects in doubt. */
  decisions(journal: Journal, run: string): Map<string, Assumption> {
    const found = new Map<string, Assumption>();
    for (const event of journal.events(run)) {
      if (event.type !== 'effect.unknown') continue;
      const value = this.results.get(event.effect);
      found.set(event.effect, value === undefined ? { as: 'retry' } : { as: 'done', value });
    }
    return found;
  }
}

/** What must not depend on time, chance and accidents. */
interface End {
  readonly status: string;
  readonly answers: unknown;
  readonly error: unknown;
  readonly written: readonly string[];
  readonly twice: readonly string[];
  readonly said: readonly unknown[];
}

function endOf(result: RunResult, world: World, journal: Journal, run: string): End {
  const said = journal
    .events(run)
    .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));
  const { status, answers, error } = result;
  const { written, twice } = world;
  return { status, answers, error, written, twice, said };
}

async function alone(drawn: Plan): Promise<End> {
  const world = new World(drawn.failing, () => 0);
  const run = start({ program: compile(drawn), handlers: world.tools(), sequential: true });
  return endOf(await run.result, world, run.journal, run.id);
}

/** Runs side by side, dying before the appends with these numbers, counted over all processes. */
async function throughAccidents(
  drawn: Plan,
  delays: readonly number[],
  deaths: ReadonlySet<number>,
): Promise<End> {
  let drawnDelays = 0;
  const world = new World(drawn.failing, () => delays[drawnDelays++ % delays.length] ?? 0);
  const parts = { program: compile(drawn), handlers: world.tools() };
  const journal = memoryJournal();
  let appends = 0;
  const mortal = (): Journal => {
    let dead = false;
    return watchedJournal(journal, () => {
      dead ||= deaths.has(++appends);
      if (dead) throw new Error('died');
    });
  };
  let handle: RunHandle = start({ ...parts, journal: mortal() });
  for (;;) {
    const result = await handle.result.catch(() => undefined);
    const { id } = handle;
    if (result && result.status !== 'suspended') return endOf(result, world, journal, id);
    const assume = world.decisions(journal, id);
    // Before its first append nothing is known of a run: it is started anew.
    if (!journal.find(id)?.events) handle = start({ ...parts, journal: mortal() });
    else handle = resume({ ...parts, journal: mortal(), run: id, assume });
  }
}

test('side by side and through any deaths, a run ends as it does one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      plan,
      fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { maxLength: 4 }),
      async (drawn, delays, deaths) => {
        const expected = await alone(drawn);
        expect(await throughAccidents(drawn, delays, new Set(deaths))).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);
