/**
 * Snapshots of a run on its way. They save the instructions and outcomes before them when the run
 * is taken up again, or when somebody asks for its state at a later place. What it owns: when one
 * is made, its text, and which of those there are can be used.
 *
 * - P1 It is a cache. Each may be missing, and one that cannot be used is passed over without a
 *   word: from it or from the start, the run goes on in the same way.
 * - P2 One is made only when the machine waits and has been handed every outcome that the journal
 *   has up to its number. So what comes before it never matters again, apart from what the window
 *   holds, which the machine asks for once more.
 * - P3 All of a run together are at most as large as what the journal has kept of it, and making
 *   them takes time in proportion.
 */
import type { Machine, Snapshot } from '../../machine/machine.ts';
import { visitsIn } from '../../machine/snapshot.ts';
import type { Limits } from '../../program/limits.ts';
import type { Program } from '../../program/program.ts';
import type { Journal, Lease } from '../journal/journal.ts';
import { type Loaded, machineFor, programHash } from '../load.ts';
import type { Warning } from '../result.ts';
import { writeLimits } from '../settings.ts';
import type { Past } from './past.ts';
import type { Arrival } from './replay.ts';
import type { Mark } from './walk.ts';

/** Raised when the state of a machine is written down in another way, or means another thing. */
const format = 2;

/** Outcomes after which one is worth its while. */
const outcomesLeast = 500;

/** What an event takes beside its outcome, in characters. */
const eventChars = 200;

/**
 * How many times the size that one is likely to have the journal grows by before it is made. With
 * two, those of a plan of 10 000 tasks were a fifth of what it allocated; with four, a tenth. Such
 * a run, taken up again, has at worst a third of its way to go over, and not a quarter.
 */
const growth = 4;

export interface Checkpoint {
  readonly format: number;
  /** Hash of the program's code. */
  readonly program: string;
  /** The last event that counts as seen. */
  readonly seq: number;
  /** Outcomes handed in before, and messages released. */
  readonly position: number;
  readonly emitted: number;
  /** The limits that it ran with. */
  readonly limits: Readonly<Record<string, number>>;
  /** What the machine had mended; it does not say so again. */
  readonly warnings: readonly Warning[];
  readonly machine: Snapshot;
}

export interface CheckpointParts {
  readonly journal: Journal;
  readonly lease: Lease;
  readonly program: Program;
  /** Outcomes after which one is made whatever its size; undefined: as is worth it. */
  readonly checkpointEvery?: number | undefined;
  readonly limits: Limits;
  readonly past: Past;
}

/** Keeps those of one run while it goes on. */
export class Checkpoints {
  readonly #parts: CheckpointParts;
  #outcomes = 0;
  /** How many of all outcomes the machine has been handed, once it has been handed the past. */
  #position: number;
  /** Characters that the journal has grown by since the last one. */
  #grown = 0;
  /** How large that one was: the next one is likely to be so, too. */
  #size = 0;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
    this.#position = parts.past.order.length;
  }

  saw(arrival: Arrival): void {
    if (!('outcome' in arrival)) {
      this.#grown += eventChars + arrival.part.length;
      return;
    }
    this.#outcomes++;
    this.#position++;
    // Its start is an event as well.
    this.#grown += 2 * eventChars + (arrival.outcome.ok ? arrival.outcome.value.length : 0);
  }

  isDue(machine: Machine): boolean {
    const { checkpointEvery: every } = this.#parts;
    if (every !== undefined) return this.#outcomes >= every;
    if (this.#outcomes < outcomesLeast || this.#grown < growth * this.#size) return false;
    return this.#grown >= growth * machine.extent();
  }

  /** Keeps the state, unless it has grown faster than the journal (P3). */
  keep(machine: Machine, seen: Pick<Checkpoint, 'seq' | 'emitted' | 'warnings'>): void {
    const { seq, emitted, warnings } = seen;
    const { journal, lease, checkpointEvery } = this.#parts;
    const program = programHash(this.#parts.program);
    const made: Checkpoint = {
      ...{ format, program, seq, emitted, warnings, position: this.#position },
      limits: writeLimits(this.#parts.limits),
      machine: machine.snapshot(),
    };
    const text = textOf(made);
    this.#size = text?.length ?? Infinity;
    if (text === undefined) return;
    if (checkpointEvery === undefined && this.#grown < this.#size) return;
    journal.keepSnapshot(lease, { seq, text });
    this.#outcomes = 0;
    this.#grown = 0;
  }
}

/** Undefined where it is longer than a text can be: a run does not end for want of a cache (P1). */
function textOf(checkpoint: Checkpoint): string | undefined {
  try {
    return JSON.stringify(checkpoint);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A machine that goes on from a checkpoint, and what an execution needs to do so as well. */
export interface Restored extends Pick<Checkpoint, 'seq' | 'emitted' | 'warnings'> {
  readonly machine: Machine;
  /** How many of the recorded outcomes it has been handed. */
  readonly position: number;
}

export interface RestoreOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly past: Past;
  readonly loaded: Loaded;
  readonly limits: Limits;
}

/** The latest that can be used, or nothing. */
export function restoreLatest(options: RestoreOptions): Restored | undefined {
  for (const seq of options.journal.snapshots(options.run).toReversed()) {
    const found = usable(options, seq);
    const restored = found && restore(options, found);
    if (restored) return restored;
  }
  return undefined;
}

/** The checkpoint of this number, where it is one of this program and of this past. */
export function usable(
  { journal, run, past, loaded }: Omit<RestoreOptions, 'limits'>,
  seq: number,
): Checkpoint | undefined {
  if (past.lost.some(({ from, to }) => from <= seq && seq < to)) return undefined;
  const found = read(journal.snapshot(run, seq));
  if (found?.format !== format || found.seq !== seq) return undefined;
  if (found.program !== programHash(loaded.program)) return undefined;
  // What a fork shares with its base ends where it begins to differ.
  const isShared = past.branches.every(
    (branch) => branch.seq <= seq || isBeforeStep(found, loaded.program, branch.step),
  );
  return isShared ? found : undefined;
}

/** Whether the main line had not entered a step by then; `4@2`. */
function isBeforeStep({ machine }: Checkpoint, { steps }: Program, id: string): boolean {
  const [, label = '', visit = '1'] = /^(.*?)(?:@(\d+))?$/s.exec(id) ?? [];
  const visits = visitsIn(machine);
  return (
    id !== '' && steps.every((step, i) => step.label !== label || (visits[i] ?? 0) < Number(visit))
  );
}

/**
 * Where a walk to a step may begin, or one to the end where `step` is absent: at the latest
 * checkpoint before it. Nothing: at the start.
 */
export function nearestMark(
  options: Omit<RestoreOptions, 'limits'>,
  step?: string,
): Mark | undefined {
  const { journal, run, past } = options;
  const seqs = journal.snapshots(run).filter((seq) => seq <= past.lastSeq);
  const found = latestBefore(options, seqs, step);
  if (!found) return undefined;
  const { machine, seq, emitted } = found;
  return { snapshot: machine, position: positionAt(past, seq), emitted };
}

/** Of checkpoints by their numbers, ascending: the latest before a step, or of all. */
export function latestBefore(
  options: Omit<RestoreOptions, 'limits'>,
  seqs: readonly number[],
  step?: string,
): Checkpoint | undefined {
  let found: Checkpoint | undefined;
  let [low, high] = [0, seqs.length - 1];
  // Steps are entered one after the other: what is too late for one makes all behind it too late.
  while (low <= high) {
    const middle = step === undefined ? high : (low + high) >> 1;
    const one = usable(options, seqs[middle] ?? 0);
    if (one && (step === undefined || isBeforeStep(one, options.loaded.program, step))) {
      found = one;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

function read(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function restore(options: RestoreOptions, found: Checkpoint): Restored | undefined {
  const { past, loaded, limits } = options;
  const { seq, emitted, warnings } = found;
  try {
    const machine = machineFor(loaded, past, limits, found.machine);
    return { seq, emitted, warnings, machine, position: positionAt(past, seq) };
  } catch {
    // A text that is damaged; one before it, or none, does as well (P1).
    return undefined;
  }
}

/** How many recorded outcomes come before an event and at it. */
export function positionAt({ order, effects }: Past, seq: number): number {
  const after = order.findIndex((id) => (effects.get(id)?.settledSeq ?? 0) > seq);
  return after < 0 ? order.length : after;
}

/**
 * Empties those that have seen an outcome that no longer counts, so that nobody has to read the
 * whole history to know.
 */
export function dropLost(journal: Journal, lease: Lease, { lost }: Past): void {
  for (const seq of journal.snapshots(lease.run)) {
    if (lost.some(({ from, to }) => from <= seq && seq < to)) {
      journal.keepSnapshot(lease, { seq, text: '' });
    }
  }
}

/** Leaves in the past what the machine has not taken up yet, or will ask for once more. */
export function forgetSeen({ effects, reuse }: Past, { machine, seq }: Restored): void {
  const open = new Set(machine.view().open);
  for (const [id, effect] of effects) {
    if (effect.firstSeq > seq || open.has(id)) continue;
    effects.delete(id);
    if (effect.origin !== 'base') reuse?.ask(effect.hash);
  }
}
