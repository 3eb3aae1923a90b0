/** Streams and the window: parts that come, and loops that are left before the last one. */
import { decode } from '../../program/json.ts';
import type { HostObject } from '../../program/value.ts';
import { received } from '../memory.ts';
import type { State } from '../state.ts';
import { addPart, entryOf, isOpenStream, isStream, markRead } from '../stream.ts';
import { leaveStream } from './give-up.ts';
import { retire, wake } from './window.ts';

/** Hands in a part of an effect that is open; those that are there already are ignored. */
export function settlePart(state: State, id: string, index: number, text: string): void {
  const entry = state.effects.get(id);
  if (entry?.work.kind !== 'effect' || !entry.work.stream) return;
  received(state, text.length);
  addPart(entry.work.stream, index, decode(text));
  wake(state);
}

/** A loop over a value is left: of a stream, nobody will ask for more. */
export function leaveLoop(state: State, over: HostObject): void {
  if (!isStream(over)) return;
  markRead(over);
  if (!isOpenStream(over)) return;
  const entry = state.entries.get(entryOf(over));
  if (entry?.work.kind !== 'effect' || entry.work.stream !== over) return;
  leaveStream(state, entry);
  retire(state);
}
