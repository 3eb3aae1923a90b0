/**
 * A call that looks further once more of the program is there: the wider scopes of binding. Its
 * first request goes out as any read does. Where the outcome is `{"barrier": …}`, the call is not
 * over: the same request is made again, with that as one more argument.
 *
 * - Round 2, `0#7.1`, starts when all that stands before the *group* has succeeded: the oldest call
 *   of the same place in the program that was still open when this one was issued. So the elements
 *   of a loop look further side by side, and none waits for what another one of them comes to.
 * - Round 3, `0#7.1.1`, starts when all that stands before the call itself has succeeded (W1): who
 *   asks a person asks in the order of the program, and for what is reached.
 *
 * Until a round starts the call is nobody's: it holds no slot of the engine, so that what it waits
 * for always has one.
 */
import { decode, encode } from '../../program/json.ts';
import { dictGet, dictSet, isDict } from '../../program/value.ts';
import type { EffectWork, Entry, IssueSite, Rounds, State } from '../state.ts';
import { ready, wake } from './window.ts';

/** The rounds of a call that is issued now as the entry `seq`. */
export function roundsOf(state: State, { trace }: IssueSite, seq: number): Rounds {
  for (const { work, site } of state.entries.values()) {
    if (work.kind !== 'effect' || !work.rounds) continue;
    const isSamePlace =
      site.trace.length === trace.length && site.trace.every((at, i) => at === trace[i]);
    if (isSamePlace) return { left: roundsMore, group: work.rounds.group, after: seq };
  }
  return { left: roundsMore, group: seq, after: seq };
}

const roundsMore = 2;

/** Takes an outcome of an effect that is to be asked again; false for any other outcome. */
export function askAgain(state: State, entry: Entry, work: EffectWork, outcome: string): boolean {
  const { rounds } = work;
  const found = decode(outcome);
  const args = decode(work.text ?? '{}');
  if (!rounds || rounds.left === 0 || !isDict(found) || !isDict(args)) return false;
  const soFar = dictGet(found, 'barrier');
  if (soFar === undefined) return false;
  dictSet(args, 'barrier', soFar);
  const left = rounds.left - 1;
  const again: EffectWork = {
    ...work,
    id: `${work.id}.1`,
    class: 'write',
    rounds: { ...rounds, left, after: left === 0 ? entry.seq : rounds.group },
    text: encode(args),
  };
  const next: Entry = { ...entry, work: again };
  state.entries.set(entry.seq, next);
  state.effects.set(again.id, next);
  ready(state, next, again.class);
  wake(state);
  return true;
}
