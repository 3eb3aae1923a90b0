/**
 * A program that grows entry by entry while a person looks on: each entry is more text for one
 * machine. What it owns: the machine between entries, a journal in memory, the effects of the entry
 * that runs. What it does not own: how entries are read and shown.
 *
 * Invariants:
 * - N1 An entry is over when its last effect is: nothing of it settles behind the next one.
 * - N2 An entry that fails or is stopped leaves the variables as they were before it.
 * - N3 No two effects of a session have the same idempotency key.
 */
import { createMachine, restoreMachine } from '../machine/create.ts';
import type { Machine, MachineOptions } from '../machine/machine.ts';
import type { Turn } from '../machine/turn.ts';
import type { GuestError, Request, ToolSpec } from '../program/effect.ts';
import { encode } from '../program/json.ts';
import { type Limits, limits, limitTable } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Listener } from './events.ts';
import type { Handler } from './handler.ts';
import type { Journal, Lease } from './journal/journal.ts';
import { memoryJournal } from './journal/open-journal.ts';
import { processOwner } from './journal/owner.ts';
import { Recorder } from './journal/recorder.ts';
import type { Past } from './past/past.ts';
import { readPast } from './past/read-past.ts';
import { handIn } from './past/replay.ts';
import { type Approvals, defaultApprovals } from './perform/approvals.ts';
import { Dispatch } from './perform/dispatch.ts';
import type { Person } from './perform/person.ts';
import { concernOf } from './provenance/concern.ts';
import { trustedGlobals } from './provenance/provenance.ts';
import { aroundInner, toolLookup } from './run.ts';
import { runId } from './run-name.ts';
import { newKey } from './settings.ts';
import { nothingSpent, type Spent } from './spent.ts';
import { waitText } from './stop.ts';

/** How an entry ended. */
export type EntryEnd =
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: GuestError }
  /** It was stopped, met a limit, or nobody knows whether an effect happened. */
  | { readonly status: 'stopped'; readonly message: string };

export interface SessionOptions {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** What is asked about before it is performed; without it, what cannot be undone. */
  readonly approvals?: Approvals;
  /** Who answers; without one, an entry that asks is stopped. */
  readonly person?: Person;
  readonly onEvent: Listener;
}

/** Instructions between looks at the world. */
const sliceInstructions = 100_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #id: string;
  readonly #specs: ReadonlyMap<string, ToolSpec>;
  readonly #machineOptions: MachineOptions;
  #machine: Machine | undefined;
  /** What the machine has run without a failure. */
  #program: Program | undefined;
  /** The run of each entry so far. */
  readonly #runs: string[] = [];
  readonly #doubted = new Set<string>();
  #spent: Spent = nothingSpent();
  #entry: Entry | undefined;

  constructor(options: SessionOptions) {
    const { handlers, clock = systemClock, random = Math.random } = options;
    this.#options = options;
    this.#limits = limits(options.limits);
    this.#clock = clock;
    this.#journal = memoryJournal();
    this.#id = runId(clock.now(), random);
    this.#specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
    this.#machineOptions = { tools: this.#specs, limits: this.#limits };
  }

  /** What entries are compiled on top of; undefined before the first. */
  get program(): Program | undefined {
    return this.#program;
  }

  /** The global variables, as the last entry left them. */
  get variables(): ReadonlyMap<string, Value> {
    return this.#machine?.view().variables ?? new Map();
  }

  /** What these variables were given is not to be trusted: it is of runs, not of a person. */
  doubt(names: Iterable<string>): void {
    for (const name of names) this.#doubted.add(name);
  }

  /** Variables that hold nothing but what entries say, as they stand, and people have given. */
  get trusted(): ReadonlySet<string> {
    if (!this.#program) return new Set();
    const [program, specs] = [this.#program, this.#specs];
    return trustedGlobals({ program, specs, earlier: [...this.#doubted] });
  }

  /** Runs a program that the session's own has grown into. One entry runs at a time. */
  async enter(program: Program): Promise<EntryEnd> {
    const before = this.#machine?.snapshot();
    const machine = this.#machine ?? createMachine(program, this.#machineOptions);
    this.#machine?.extend(program);
    const run = `${this.#id}.${this.#runs.length + 1}`;
    this.#runs.push(run);
    this.#entry = new Entry({
      machine,
      program,
      specs: this.#specs,
      runs: [...this.#runs],
      doubted: [...this.#doubted],
      limits: this.#limits,
      clock: this.#clock,
      random: this.#options.random ?? Math.random,
      approvals: this.#options.approvals ?? defaultApprovals,
      person: this.#options.person,
      handlers: this.#options.handlers,
      journal: this.#journal,
      run,
      spent: this.#spent,
      onEvent: this.#options.onEvent,
    });
    const end = await this.#entry.run();
    this.#spent = this.#entry.spent;
    this.#entry = undefined;
    if (end.status === 'done') {
      this.#machine = machine;
      this.#program = program;
    } else {
      this.#machine =
        before && this.#program
          ? restoreMachine(this.#program, this.#machineOptions, before)
          : undefined;
    }
    return end;
  }

  /** Stops the entry that runs; what it has begun is given up. */
  stop(): void {
    this.#entry?.stop('stopped');
  }
}

interface EntryParts extends Required<Omit<SessionOptions, 'limits' | 'person'>> {
  readonly person: Person | undefined;
  readonly machine: Machine;
  readonly program: Program;
  /** Runs of entries that may have given it values, and its own. */
  readonly runs: readonly string[];
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Names of variables whose first values came out of other runs. */
  readonly doubted: readonly string[];
  readonly limits: Limits;
  readonly journal: Journal;
  readonly run: string;
  readonly spent: Spent;
}

/** One entry while it runs. */
class Entry {
  readonly #parts: EntryParts;
  readonly #recorder: Recorder;
  readonly #dispatch: Dispatch;
  readonly #tool: ReturnType<typeof toolLookup>;
  readonly #promise = Promise.withResolvers<EntryEnd>();
  /** Instructions of the machine: before the entry, and by now. */
  readonly #before: number;
  #instructions: number;
  #scheduled = false;
  #over = false;

  constructor(parts: EntryParts) {
    const { journal, run, clock, random, limits, spent, handlers, onEvent } = parts;
    const { approvals, person } = parts;
    this.#parts = parts;
    this.#before = parts.machine.view().instructions;
    this.#instructions = this.#before;
    const record = { id: run, title: run, dialect: '', createdAt: clock.now(), inputs: '{}' };
    const lease: Lease = journal.create({ ...record, settings: '{}' }, processOwner());
    this.#recorder = new Recorder(journal, lease);
    this.#recorder.subscribe(onEvent);
    this.#dispatch = new Dispatch({
      ...{ run, clock, random, limits, spent, recorder: this.#recorder, requestKey: newKey() },
      ...aroundInner({ journal, owner: processOwner(), clock, random }, limits, approvals),
      once: new Map(),
      assume: undefined,
      approvals,
      concern: (request) => this.#concern(request),
      ...{ hasFailed: undefined, decided: new Map() },
      person,
      rule: undefined,
      // Nobody posts to what is typed at a prompt.
      look: () => {},
      wake: () => this.#wake(),
      guard: (action) => this.#guard(action),
    });
    this.#tool = toolLookup(handlers, parts.specs);
  }

  get spent(): Spent {
    return this.#dispatch.spent;
  }

  /** Variables may hold what entries before this one have come by. */
  #concern(request: Request): string | undefined {
    const { program, specs, journal, runs, doubted: earlier } = this.#parts;
    const past = (): Pick<Past, 'effects'> => {
      this.#recorder.flush();
      const all = runs.flatMap((run) => [...readPast(journal.events(run)).effects]);
      return { effects: new Map(all) };
    };
    return concernOf({ program, specs, past, earlier }, request, false);
  }

  run(): Promise<EntryEnd> {
    this.#wake();
    return this.#promise.promise;
  }

  stop(message: string): void {
    this.#end({ status: 'stopped', message });
  }

  #wake(): void {
    if (this.#scheduled || this.#over) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#guard(() => this.#tick());
    });
  }

  /** Runs a part of the entry; what it throws ends it with the session. */
  #guard(action: () => void): void {
    if (this.#over) return;
    try {
      action();
    } catch (error) {
      this.#over = true;
      this.#dispatch.abort('the session has failed');
      this.#promise.reject(error);
    }
  }

  #tick(): void {
    const { machine } = this.#parts;
    for (const arrival of this.#dispatch.collect()) handIn(machine, arrival);
    const turn = machine.run(this.#fuel());
    this.#instructions = turn.instructions;
    this.#take(turn);
    this.#dispatch.launch();
    this.#recorder.flush();
    this.#recorder.show();
    this.#conclude(turn);
  }

  #fuel(): number {
    const left = this.#before + this.#parts.limits.instructions - this.#instructions;
    return Math.max(0, Math.min(sliceInstructions, left));
  }

  #take(turn: Turn): void {
    for (const effect of turn.cancels) this.#dispatch.drop(effect);
    for (const request of turn.requests) {
      if (request.race) this.#dispatch.acceptRace(request, undefined);
      else this.#dispatch.accept(request, this.#tool(request.tool), undefined);
    }
    for (const { effect, index } of turn.won) this.#dispatch.see(effect, index);
    for (const { channel, value, step } of turn.emits) {
      this.#recorder.record({ type: 'message.emitted', channel, value: encode(value), step });
    }
  }

  #conclude({ status }: Turn): void {
    const { machine, limits } = this.#parts;
    const { held, quiet, doubts } = this.#dispatch;
    const doubt = doubts[0];
    if (status === 'failed') {
      const { error } = machine.view();
      if (error) this.#end({ status: 'failed', error });
    } else if (doubt) {
      this.stop(`nobody knows whether ${doubt.job.request.tool} took effect: ${doubt.why}`);
    } else if (status === 'full') {
      this.stop(usedUp('memoryBytes', limits));
    } else if (status === 'ready') {
      if (this.#fuel() > 0) this.#wake();
      else this.stop(usedUp('instructions', limits));
    } else if (quiet) {
      // Nothing is under way, so what the machine waits for is more text.
      const [wait] = this.#dispatch.open;
      if (held) this.stop(usedUp(held.limit, limits));
      else if (wait) this.stop(waitText(wait));
      else this.#end({ status: 'done' });
    }
  }

  #end(end: EntryEnd): void {
    if (this.#over) return;
    this.#dispatch.cancelAll(end.status === 'stopped' ? end.message : 'the entry has ended');
    this.#recorder.flush();
    this.#recorder.show();
    this.#over = true;
    this.#promise.resolve(end);
  }
}

function usedUp(limit: keyof Limits, { [limit]: most }: Limits): string {
  const { unit } = limitTable[limit];
  return `the entry has used up the ${most} ${unit} that there are, by the limit ${limit}`;
}
