/**
 * What is released in program order (W3): by the main line at once, by a fiber to its parent; by an
 * attempt that is the oldest entry there as it comes, by all others when their entry retires.
 */
import { decode } from '../../program/json.ts';
import {
  type EmitWork,
  type Entry,
  type Fiber,
  type FibersWork,
  type State,
  shownStep,
} from '../state.ts';
import type { Emit } from '../turn.ts';

export function releaseText(state: State, entry: Entry, work: EmitWork): void {
  const step = shownStep(state, entry.site);
  release(state, { channel: work.channel, value: decode(work.text ?? 'null'), step }, entry);
}

/** Releases what fibers have released, in their order, up to one that has failed. */
export function releaseFibers(state: State, entry: Entry, work: FibersWork): void {
  const { calls, emits, failure } = work;
  if (emits.size === 0) return;
  const last = failure?.index ?? calls.length;
  for (let index = 0; index <= last; index++) {
    for (const emit of emits.get(index) ?? []) release(state, emit, entry);
  }
}

/** Releases what an attempt has said so far, where it is the oldest entry of its parent. */
export function releaseAttempt(parent: State, entry: Entry, { alive }: FibersWork): void {
  for (const child of alive.values()) {
    for (const emit of child?.answers.splice(0) ?? []) release(parent, emit, entry);
  }
}

function release(state: State, emit: Emit, { seq }: Entry): void {
  const { fiber } = state;
  if (fiber?.work.mode === 'attempt' && isOldest(fiber)) {
    releaseAttempt(fiber.parent, fiber.entry, fiber.work);
    release(fiber.parent, emit, fiber.entry);
    return;
  }
  if (fiber || emit.channel === 'answer') state.answers.push(emit);
  if (!fiber) state.outbox.emits.push({ ...emit, entry: seq });
}

function isOldest({ parent, entry }: Fiber): boolean {
  for (const oldest of parent.entries.values()) return oldest === entry;
  return false;
}
