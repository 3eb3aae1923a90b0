/**
 * Walks through what a run has done, by running its program over the journal. What it owns: the
 * machine, and how far it has been handed the recorded outcomes.
 *
 * - K1 An outcome is handed in only when the machine waits, in the order of the journal. So each
 *   moment comes after the fewest outcomes that it needs, and is the same in every walk.
 * - K2 From a mark it goes on as the walk did that left it.
 */
import type { Machine, Place, Snapshot } from '../../machine/machine.ts';
import type { Emit, StepVisit, Turn } from '../../machine/turn.ts';
import type { Request } from '../../program/effect.ts';
import type { Limits } from '../../program/limits.ts';
import { isShown } from '../../program/program.ts';
import { RunError } from '../codes.ts';
import type { RunStatus } from '../journal/run-state.ts';
import { type Loaded, limitsAgain, machineFor } from '../load.ts';
import type { Past } from './past.ts';
import { type Asked, handKnown, type Known, Replay } from './replay.ts';
import type { Leftover } from './reuse.ts';

/** Where a walk stands. */
export type Moment =
  | { readonly kind: 'start' }
  /** The main line, or an attempt, has entered the step and done nothing of it. */
  | { readonly kind: 'step'; readonly step: StepVisit }
  /** The outcome of an effect is there, and the machine has not gone on. */
  | { readonly kind: 'outcome'; readonly effect: string }
  /** The program has ended, or waits for what the journal does not have. */
  | { readonly kind: 'end' };

/** A place to come back to. */
export interface Mark {
  readonly snapshot: Snapshot;
  /** Outcomes that were handed in before. */
  readonly position: number;
  /** Messages and answers that were released before. */
  readonly emitted: number;
}

export interface WalkParts {
  readonly loaded: Loaded;
  readonly past: Past;
  /** What has become of the run. */
  readonly status: RunStatus;
  /** Whether a fork takes over, too, what its own journal does not have; then it walks once. */
  readonly inherits?: boolean;
  /** Hears of each request, and of what there is for it. */
  readonly onRequest?: (request: Request, known: Known) => void;
  /** Hears of requests that no longer count. */
  readonly onCancel?: (effect: string) => void;
  /** Called when both have heard of what a turn has asked for and given up. */
  readonly onTurn?: () => void;
}

/** Instructions behind the last outcome of a run that did not end: it may have been spinning. */
const spinningMost = 20_000_000;

/** Instructions of one line without a look up. */
const lineMost = 1_000_000;

export class Walk {
  readonly #parts: WalkParts;
  readonly #limits: Limits;
  #machine: Machine;
  #replay: Replay;
  #instructions = 0;
  /** Instructions before the last outcome. */
  #handedAt = 0;
  #emits: Emit[] = [];
  #emitted = 0;
  #path = '0';
  /** Chooses the steps that people are shown. */
  readonly #shown: (step: StepVisit) => boolean;

  constructor(parts: WalkParts, from?: Mark) {
    this.#parts = parts;
    const { loaded, past } = parts;
    this.#limits = limitsAgain(loaded, past);
    this.#shown = ({ index }) => isShown(loaded.program, index);
    [this.#machine, this.#replay] = this.#begin(from);
  }

  get machine(): Machine {
    return this.#machine;
  }

  /** Whose line it has gone on to: that of a fiber, or the main line, `0`, as at any moment. */
  get path(): string {
    return this.#path;
  }

  /** Outcomes handed in so far. */
  get position(): number {
    return this.#replay.position;
  }

  /** Messages and answers released so far. */
  get emitted(): number {
    return this.#emitted;
  }

  mark(): Mark {
    const snapshot = this.#machine.snapshot();
    return { snapshot, position: this.#replay.position, emitted: this.#emitted };
  }

  goTo(from?: Mark): void {
    this.#emits = [];
    this.#path = '0';
    [this.#machine, this.#replay] = this.#begin(from);
  }

  /** Goes on to the next outcome, the next step that is chosen, or the end. */
  next(choose: (step: StepVisit) => boolean = this.#shown): Moment {
    this.#path = '0';
    for (;;) {
      const turn = this.#machine.run(this.#fuel(), choose);
      const isAnswered = this.#take(turn);
      const step = turn.steps.at(-1);
      if (turn.status === 'paused' && step) {
        this.#path = step.path ?? '0';
        return { kind: 'step', step };
      }
      if (isAnswered) continue;
      if (turn.status === 'ready' && this.#fuel() > 0) continue;
      const next = turn.status === 'blocked' ? this.#replay.next() : undefined;
      if (!next) return { kind: 'end' };
      this.#machine.settle(next.effect, next.outcome);
      this.#handedAt = this.#instructions;
      return { kind: 'outcome', effect: next.effect };
    }
  }

  /**
   * Goes on to another line of the source, of the main line or a fiber, unless the next moment is
   * before that: then `next` leads there. The step is given where the line is the first of one. A
   * line that computes for long counts as another one now and then.
   */
  nextLine(): { readonly kind: 'line' } | Moment | undefined {
    const path = this.#path;
    const from = this.#machine.place(path);
    this.#path = '0';
    for (let instructions = 1; ; instructions++) {
      const turn = this.#machine.run(Math.min(1, this.#fuel()), this.#shown);
      const isAnswered = this.#take(turn);
      const step = turn.steps.at(-1);
      if (turn.status === 'paused' && step) {
        this.#path = step.path ?? '0';
        return { kind: 'step', step };
      }
      const running = this.#machine.running();
      const place = this.#machine.place(running);
      const isElsewhere = place && (running !== path || isOther(place, from));
      // The step that begins there is a moment of its own.
      const isLine = isElsewhere && place.line > 0 && !place.isStep;
      if (isLine || instructions >= lineMost) {
        this.#path = running;
        return { kind: 'line' };
      }
      if (!isAnswered && (turn.status !== 'ready' || this.#fuel() === 0)) return undefined;
    }
  }

  /** Goes on to where a step is entered; undefined where that does not happen. */
  nextStep(...ids: readonly string[]): Moment | undefined {
    for (;;) {
      const moment = this.next((step) => ids.includes(step.id));
      if (moment.kind === 'step') return moment;
      if (moment.kind === 'end') return undefined;
    }
  }

  /** Goes on until an effect has been asked for, and no further; false where it is not. */
  nextIssue(effect: string): boolean {
    this.#path = '0';
    for (let instructions = 0; !this.#machine.isOpen(effect); instructions++) {
      if (instructions >= lineMost) return false;
      const turn = this.#machine.run(Math.min(1, this.#fuel()));
      const isAnswered = this.#take(turn);
      if (isAnswered || (turn.status === 'ready' && this.#fuel() > 0)) continue;
      const next = turn.status === 'blocked' ? this.#replay.next() : undefined;
      if (!next) return false;
      this.#machine.settle(next.effect, next.outcome);
      this.#handedAt = this.#instructions;
    }
    return true;
  }

  /** What was done in the base, or may have been, and a fork has not asked for so far. */
  vanished(isWrite: (tool: string) => boolean, coming?: readonly Asked[]): readonly Leftover[] {
    return this.#replay.vanished(isWrite, coming);
  }

  /** What was released since this was asked last. */
  takeEmits(): readonly Emit[] {
    const emits = this.#emits;
    this.#emits = [];
    return emits;
  }

  #begin(from: Mark | undefined): [Machine, Replay] {
    const { loaded, past, inherits = false } = this.#parts;
    const machine = machineFor(loaded, past, this.#limits, from?.snapshot);
    this.#emitted = from?.emitted ?? 0;
    this.#instructions = machine.view().instructions;
    this.#handedAt = this.#instructions;
    const reuse = inherits ? past.reuse : undefined;
    const seen = { ...past, effects: new Map(past.effects), reuse };
    return [machine, new Replay(seen, from?.position)];
  }

  /** Whether something was handed in that the machine has not seen. */
  #take(turn: Turn): boolean {
    let isAnswered = false;
    this.#instructions = turn.instructions;
    this.#emits.push(...turn.emits);
    this.#emitted += turn.emits.length;
    for (const effect of turn.cancels) {
      this.#replay.drop(effect);
      this.#parts.onCancel?.(effect);
    }
    for (const request of turn.requests) isAnswered = this.#answer(request) || isAnswered;
    this.#parts.onTurn?.();
    return isAnswered;
  }

  #answer(request: Request): boolean {
    const { id, tool } = request;
    const known = this.#replay.answer(request, this.#parts.loaded.specs.get(tool));
    this.#parts.onRequest?.(request, known);
    if (known.kind === 'nothing' || known.kind === 'other') return false;
    return handKnown(this.#machine, id, known);
  }

  #fuel(): number {
    const { status } = this.#parts;
    const hasEnded = status === 'done' || status === 'failed' || !this.#replay.over;
    const most = hasEnded ? Infinity : this.#handedAt + spinningMost;
    return Math.max(0, Math.min(this.#limits.instructions, most) - this.#instructions);
  }
}

const isOther = (place: Place, from: Place | undefined): boolean =>
  place.depth !== from?.depth || place.chunk !== from.chunk || place.line !== from.line;

// The tools that a run asks for as soon as it goes on.

/**
 * Throws `RunError` PV5104 where one of them is not among the handlers. `inherits`: of a fork that
 * has not begun. Nothing is performed, and the journal stays as it is.
 */
export function requireTools(
  parts: Pick<WalkParts, 'loaded' | 'past' | 'status' | 'inherits'>,
  handlers: ReadonlyMap<string, unknown>,
): void {
  const asked = new Map<string, string>();
  const walk = new Walk({
    ...parts,
    onRequest: ({ id, tool, race }, known) => {
      if (!race && (known.kind === 'nothing' || known.kind === 'begun')) asked.set(id, tool);
    },
    onCancel: (effect) => asked.delete(effect),
  });
  while (walk.next(() => false).kind !== 'end');
  for (const tool of asked.values()) if (!handlers.has(tool)) throw missingTool(tool);
}

export const missingTool = (tool: string): RunError =>
  new RunError('PV5104', `the run needs the tool ${tool}, which is not configured`, {
    hint: 'resume it with the tools it was started with, and let it have them',
  });
