/**
 * A program that grows entry by entry while a person looks on: each entry is more text for one
 * machine. What it owns: the machine between entries, a journal in memory. What it does not own:
 * the entry that runs, which is an execution as any, and how entries are read and shown.
 *
 * Invariants:
 * - N1 An entry is over when its last effect is: nothing of it settles behind the next one.
 * - N2 An entry that fails or is stopped leaves the variables as they were before it.
 * - N3 No two effects of a session have the same idempotency key.
 */
import { createMachine, restoreMachine } from '../machine/create.ts';
import type { Machine, MachineOptions } from '../machine/machine.ts';
import type { GuestError, Request, ToolSpec } from '../program/effect.ts';
import { type Limits, limits, limitTable } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Listener } from './events.ts';
import { Execution } from './execution.ts';
import type { Handler } from './handler.ts';
import type { Journal } from './journal/journal.ts';
import { memoryJournal } from './journal/open-journal.ts';
import { processOwner } from './journal/owner.ts';
import type { Recorder } from './journal/recorder.ts';
import type { Past } from './past/past.ts';
import { readPast } from './past/read-past.ts';
import { type Approvals, defaultApprovals } from './perform/approvals.ts';
import type { Person } from './perform/person.ts';
import { concernOf } from './provenance/concern.ts';
import { trustedGlobals } from './provenance/provenance.ts';
import type { RunResult } from './result.ts';
import { aroundInner, toolLookup } from './run.ts';
import { runId } from './run-name.ts';
import { newKey } from './settings.ts';
import { nothingSpent, type Spent } from './spent.ts';

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
  #entry: Execution | undefined;

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
    const entry = this.#entryOf(machine, program);
    this.#entry = entry;
    entry.subscribe(this.#options.onEvent);
    entry.begin();
    const end = this.#endOf(await entry.result, machine);
    this.#spent = entry.spent;
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
    this.#entry?.cancel('cancelled');
  }

  /** An entry is a run of its own, whose program goes on where those before it have ended. */
  #entryOf(machine: Machine, program: Program): Execution {
    const { handlers, random = Math.random, approvals = defaultApprovals, person } = this.#options;
    const [clock, journal, owner] = [this.#clock, this.#journal, processOwner()];
    const run = `${this.#id}.${this.#runs.length + 1}`;
    this.#runs.push(run);
    const record = { id: run, title: run, dialect: '', createdAt: clock.now(), inputs: '{}' };
    const instructions = machine.view().instructions + this.#limits.instructions;
    const limits = { ...this.#limits, instructions };
    return new Execution({
      ...{ journal, machine, program, limits, clock, random, approvals, person },
      ...aroundInner({ journal, owner, clock, random }, limits, approvals),
      lease: journal.create({ ...record, settings: '{}' }, owner),
      specs: this.#specs,
      tool: toolLookup(handlers, this.#specs),
      past: { ...readPast([]), spent: this.#spent, requestKey: newKey() },
      concern: (recorder) => (request) => this.#concern(program, recorder, request),
      ...{ grows: true, sameProgram: true, warnings: [], opening: [] },
    });
  }

  /** Variables may hold what entries before this one have come by. */
  #concern(program: Program, recorder: Recorder, request: Request): string | undefined {
    const past = (): Pick<Past, 'effects'> => {
      recorder.flush();
      const all = this.#runs.flatMap((run) => [...readPast(this.#journal.events(run)).effects]);
      return { effects: new Map(all) };
    };
    const [specs, earlier] = [this.#specs, [...this.#doubted]];
    return concernOf({ program, specs, past, earlier }, request, false);
  }

  #endOf({ status, limit, error }: RunResult, machine: Machine): EntryEnd {
    const failure = machine.view().error;
    if (status === 'done') return { status };
    if (status === 'failed' && failure) return { status, error: failure };
    if (status === 'cancelled') return { status: 'stopped', message: 'stopped' };
    const message = limit ? usedUp(limit.name, this.#limits) : (error?.message ?? status);
    return { status: 'stopped', message };
  }
}

function usedUp(limit: keyof Limits, { [limit]: most }: Limits): string {
  const { unit } = limitTable[limit];
  return `the entry has used up the ${most} ${unit} that there are, by the limit ${limit}`;
}
