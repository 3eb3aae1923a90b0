/**
 * A call that looks further once everything before it is there: the last scope of binding. Its
 * first request goes out as any read does. Where the outcome is `{"barrier": …}`, the call is not
 * over: the same request is made again with that as one more argument, `0#7.1` behind `0#7`, when
 * all that stands before it has succeeded (W1 for this one, while reads behind it go on). Until
 * then it is nobody's: it holds no slot of the engine, so that what it waits for always has one.
 */
import { decode, encode } from '../../program/json.ts';
import { dictGet, dictSet, isDict } from '../../program/value.ts';
import type { EffectWork, Entry, State } from '../state.ts';
import { ready, wake } from './window.ts';

/** Takes the first outcome of an effect that is to be asked again; false for any other outcome. */
export function askAgain(state: State, entry: Entry, work: EffectWork, outcome: string): boolean {
  const found = decode(outcome);
  const args = decode(work.text ?? '{}');
  if (!isDict(found)) return false;
  const soFar = dictGet(found, 'barrier');
  if (soFar === undefined || !isDict(args)) return false;
  dictSet(args, 'barrier', soFar);
  const again: EffectWork = {
    ...work,
    id: `${work.id}.1`,
    class: 'write',
    barrier: false,
    text: encode(args),
  };
  const next: Entry = { ...entry, work: again };
  state.entries.set(entry.seq, next);
  state.effects.set(again.id, next);
  ready(state, next, again.class);
  wake(state);
  return true;
}
