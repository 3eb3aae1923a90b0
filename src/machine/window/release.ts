/** What is released in program order (W3): by the main line at once, by a fiber to its parent. */
import { decode } from '../../program/json.ts';
import { type EmitWork, type Entry, type FibersWork, type State, shownStep } from '../state.ts';
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

function release(state: State, emit: Emit, { seq }: Entry): void {
  if (state.fiber || emit.channel === 'answer') state.answers.push(emit);
  if (!state.fiber) state.outbox.emits.push({ ...emit, entry: seq });
}
