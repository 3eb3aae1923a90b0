/**
 * `first`: which of several calls comes first is the one thing that time decides. The machine says
 * who was there first as far as it has seen. The journal decides, and the machine takes what is
 * decided, so that a resumed run and a replay take the same one.
 *
 * - C1 A candidate that fails while the race is open drops out and is no failure of the program;
 *   unless something else uses it as well.
 * - C2 Those that have lost are given up, unless something else uses them.
 */
import type { EffectError } from '../../program/effect.ts';
import { isPending, settled, type Value } from '../../program/value.ts';
import { struct } from '../result-struct.ts';
import type { Entry, Race, State } from '../state.ts';

/** What the machine would decide, once: the first that is there, -1 where all have failed. */
export function propose(state: State, { work }: Entry): void {
  if (work.kind !== 'effect' || !work.race || work.race.proposed !== undefined) return;
  const { candidates, errors } = work.race;
  const there = candidates.findIndex((candidate) => !isPending(settled(candidate)));
  const index = there >= 0 ? there : errors.size === candidates.length ? -1 : undefined;
  if (index === undefined) return;
  work.race.proposed = index;
  state.outbox.won.push({ effect: work.id, index });
}

/** The result of a race that has been decided; undefined while its winner is still to come. */
export function conclude({
  candidates,
  errors,
  winner,
}: Race): { readonly value: Value } | { readonly error: EffectError } | undefined {
  if (winner === undefined) return undefined;
  if (winner === null) return { value: null };
  if (winner < 0) {
    const lowest = errors.get(Math.min(...errors.keys()));
    return lowest && { error: lowest };
  }
  const value = settled(candidates[winner] ?? null);
  return isPending(value) ? undefined : { value: struct({ index: winner, value }) };
}

/** Takes a failed candidate out of the race that is open (C1); false where it is none. */
export function dropOut(state: State, entry: Entry, error: EffectError): boolean {
  const race = state.awaited && state.entries.get(state.awaited.entry);
  if (race?.work.kind !== 'effect' || !race.work.race) return false;
  const { candidates, errors, winner } = race.work.race;
  const places = candidates.flatMap((one, i) => (entryOf(one) === entry.seq ? [i] : []));
  if (places.length === 0 || winner !== undefined || isUsed(state, entry, race.seq)) return false;
  for (const place of places) errors.set(place, error);
  leave(entry);
  propose(state, race);
  return true;
}

/** The open entries that a decided race can do without (C2). */
export function losersOf(state: State, race: Race, own: number): Entry[] {
  const found = new Set<Entry>();
  for (const candidate of race.candidates) {
    const entry = state.entries.get(entryOf(candidate) ?? -1);
    if (entry && entry.state !== 'failed' && !isUsed(state, entry, own)) found.add(entry);
  }
  return [...found];
}

/** An entry that no longer counts: it has neither value nor failure, and nothing to say. */
export function leave(entry: Entry): void {
  entry.state = 'done';
  if (entry.work.kind === 'fibers') entry.work.emits.clear();
}

const entryOf = (candidate: Value): number | undefined => {
  const seen = settled(candidate);
  return isPending(seen) ? seen.entry : undefined;
};

const isUsed = (state: State, { dependents }: Entry, race: number): boolean =>
  dependents.some((seq) => seq !== race && state.entries.has(seq));
