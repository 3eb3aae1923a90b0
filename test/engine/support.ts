/** What tests of the engine share: a clock they move, tools they answer, programs made by hand. */
import type { Clock, TimerHandle } from '../../src/engine/clock.ts';
import type { Arguments, AttemptContext, Handler } from '../../src/engine/handler.ts';
import type { EventBody, Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Load } from '../../src/engine/load.ts';
import { type RunHandle, resumeRun, type StartOptions, startRun } from '../../src/engine/run.ts';
import { ChunkBuilder, ProgramBuilder } from '../../src/program/builder.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';

/** Time that stands still until a test moves it. */
export class TestClock implements Clock {
  readonly #timers = new Set<{ at: number; fire: () => void }>();
  #now = 1_700_000_000_000;

  now(): number {
    return this.#now;
  }

  uptime(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void): TimerHandle {
    const timer = { at: this.#now + ms, fire };
    this.#timers.add(timer);
    return timer;
  }

  cancel(timer: TimerHandle): void {
    this.#timers.delete(timer as { at: number; fire: () => void });
  }

  /** Milliseconds until the timers that are set, soonest first. */
  waits(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Moves on, firing each timer at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
    }
    this.#now = end;
  }
}

/** Lets everything happen that is ready to: ticks, microtasks, and what they lead to. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

export interface Call {
  readonly args: Arguments;
  readonly context: AttemptContext;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

/** A tool whose calls wait for the test to answer them. */
export interface TestTool extends Handler {
  /** All calls so far, in the order in which they started. */
  readonly calls: Call[];
  /** The call with this index, once it has started. */
  call(index: number): Promise<Call>;
}

type SpecChanges = Partial<Omit<ToolSpec, 'name'>>;

export function testTool(name: string, changes: SpecChanges = {}): TestTool {
  const calls: Call[] = [];
  const waiting: { index: number; resolve: (call: Call) => void }[] = [];
  return {
    spec: toolSpec({ name, description: `The tool ${name}.`, effect: 'read', ...changes }),
    calls,
    perform(args, context) {
      return new Promise((answer, fail) => {
        const made = { args, context, answer, fail };
        const index = calls.push(made) - 1;
        for (const waiter of waiting) if (waiter.index === index) waiter.resolve(made);
      });
    },
    call(index) {
      const made = calls[index];
      return made
        ? Promise.resolve(made)
        : new Promise((resolve) => waiting.push({ index, resolve }));
    },
  };
}

/** A tool that answers by itself. */
export function quickTool(
  name: string,
  perform: (args: Arguments, context: AttemptContext) => unknown,
  changes: SpecChanges = {},
): Handler {
  const spec = toolSpec({ name, description: `The tool ${name}.`, effect: 'read', ...changes });
  return { spec, perform: async (args, context) => perform(args, context) };
}

export const byName = (...handlers: Handler[]): Map<string, Handler> =>
  new Map(handlers.map((handler) => [handler.spec.name, handler]));

/** One step of a test program: a call, whose result goes to the variable `v` and its number. */
export type Step =
  | { readonly tool: string; readonly n?: number; readonly from?: number }
  | { readonly say: string }
  | { readonly sayResult: number };

/**
 * A program of numbered steps. A call passes `n`, the number of its step where it is not given, or
 * the result of the step `from`; the answer is the result of the last call.
 */
export function programOf(steps: readonly Step[], edit?: (chunk: ChunkBuilder) => void): Program {
  const program = new ProgramBuilder('assembly');
  const chunk = new ChunkBuilder('main');
  let last = 0;
  steps.forEach((step, i) => {
    const line = i + 1;
    chunk
      .at(line, 1)
      .emit('STEP', program.step({ label: `${line}`, kind: 'call', line, column: 1 }));
    if ('tool' in step) {
      chunk.tool(step.tool).constant('n');
      if (step.from === undefined) chunk.constant(step.n ?? line);
      else chunk.emit('GLOBAL', program.global(`v${step.from}`));
      chunk.call(0, 1).emit('SETGLOBAL', program.global(`v${line}`));
      last = line;
    } else {
      if ('say' in step) chunk.constant(step.say);
      else chunk.emit('GLOBAL', program.global(`v${step.sayResult}`));
      chunk.emit('EMIT', chunk.constantSlot('say'));
    }
  });
  edit?.(chunk);
  if (last > 0) chunk.emit('GLOBAL', program.global(`v${last}`)).emit('ANSWER');
  program.add(chunk.constant(null).emit('RETURN').seal());
  return program.build();
}

export type TestRun = Pick<StartOptions, 'program' | 'handlers'> & Partial<StartOptions>;

/** Starts a run in a journal of its own, unless one is given. */
export function start(options: TestRun): RunHandle & { readonly journal: Journal } {
  const { journal = memoryJournal(), ...rest } = options;
  return { ...startRun({ text: '', dialect: 'assembly', journal, ...rest }), journal };
}

export const loading =
  (program: Program): Load =>
  () => ({ program });

export function resume(
  options: Pick<Parameters<typeof resumeRun>[0], 'journal' | 'run' | 'handlers'> &
    Partial<Parameters<typeof resumeRun>[0]> & { program: Program },
): RunHandle {
  const { program, ...rest } = options;
  return resumeRun({ load: loading(program), ...rest });
}

/**
 * A journal whose appends a test sees before they happen, and snapshots, as appends of nothing; what
 * it throws is the append's failure.
 */
export function watchedJournal(
  journal: Journal,
  before: (events: readonly EventBody[], durable: boolean) => void,
): Journal {
  return {
    create: (run, owner, events) => journal.create(run, owner, events),
    claim: (run, owner) => journal.claim(run, owner),
    renew: (lease) => journal.renew(lease),
    release: (lease) => journal.release(lease),
    append(lease, events, options) {
      before(events, options?.durable ?? false);
      return journal.append(lease, events, options);
    },
    events: (run, after, upTo) => journal.events(run, after, upTo),
    find: (run) => journal.find(run),
    list: (filter) => journal.list(filter),
    keepSnapshot(lease, snapshot) {
      before([], false);
      journal.keepSnapshot(lease, snapshot);
    },
    snapshots: (run) => journal.snapshots(run),
    snapshot: (run, seq) => journal.snapshot(run, seq),
    children: (run) => journal.children(run),
    post: (run, post) => journal.post(run, post),
    posts: (run) => journal.posts(run),
    withdraw: (run, post, instead) => journal.withdraw(run, post, instead),
    adopt: (runs) => journal.adopt(runs),
    remove: (run) => journal.remove(run),
    restore: (run) => journal.restore(run),
    removed: () => journal.removed(),
    sweep: (options) => journal.sweep(options),
    sizes: () => journal.sizes(),
    close: () => journal.close(),
  };
}
