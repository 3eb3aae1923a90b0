/** What an outcome makes of the entry that has waited for it. */
import type { EffectError } from '../../program/effect.ts';
import { decode } from '../../program/json.ts';
import type { Pending, Value } from '../../program/value.ts';
import { received } from '../memory.ts';
import { errorIn, resultStruct, taskResult, taskValue } from '../result-struct.ts';
import type { EffectWork, Entry, Race, State } from '../state.ts';
import { endStream } from '../stream.ts';
import { freezeDeep } from '../values/sequence.ts';
import { askAgain } from './barrier.ts';
import { settleElement } from './fan.ts';
import { fail } from './give-up.ts';
import { conclude } from './race.ts';
import { deliver, ended, endRace, retire, wake } from './window.ts';

/** Settles an effect that is open; anything else is stale and ignored. */
export function settleEffect(state: State, id: string, result: string | EffectError): void {
  const entry = state.effects.get(id);
  if (entry?.work.kind !== 'effect' || entry.state !== 'open') return;
  if (entry.work.race) {
    const winner = typeof result === 'string' ? decode(result) : -1;
    decide(state, entry, entry.work, entry.work.race, winner);
    return;
  }
  state.effects.delete(id);
  if (typeof result === 'string') {
    if (!entry.work.task?.fan) entry.charge += result.length >> 3;
    received(state, result.length);
    if (entry.work.rounds && askAgain(state, entry, entry.work, result)) return;
  }
  const { tries, stream, task, result: pending } = entry.work;
  if (task) {
    const made = task.fan
      ? settleElement(state, entry, entry.work, task, id, result)
      : typeof result === 'string'
        ? taskValue(task, decode(result))
        : taskResult(null, result);
    if (made !== undefined) deliverTask(state, entry, entry.work.tool, made, pending);
    return;
  }
  if (stream && typeof result === 'string') endStream(stream, 'done');
  if (stream && typeof result !== 'string') {
    Object.assign(entry, { state: 'broken', error: result });
    state.hub.broken.add(state);
    ended(state, entry, entry.work.tool, result);
    wake(state);
    return;
  }
  const value = typeof result === 'string' ? decode(result) : undefined;
  ended(state, entry, entry.work.tool, typeof result === 'string' ? undefined : result);
  const error = typeof result === 'string' ? undefined : result;
  if (error && (!tries || error.final)) fail(state, entry, error);
  else deliver(state, entry, pending, tries ? resultStruct(value ?? null, error) : (value ?? null));
  retire(state);
  wake(state);
}

/** What a task gave never changes any more: all that need it may share it. */
function deliverTask(
  state: State,
  entry: Entry,
  tool: string,
  made: Value,
  pending: Pending,
): void {
  freezeDeep(made);
  ended(state, entry, tool, errorIn(made));
  deliver(state, entry, pending, made);
  retire(state);
  wake(state);
}

/** The journal says who has won; the others are given up, unless something else needs them. */
function decide(state: State, entry: Entry, work: EffectWork, race: Race, winner: Value): void {
  race.winner = typeof winner === 'number' ? winner : null;
  const made = conclude(race);
  if (made === undefined) return;
  endRace(state, entry, work, race);
  if ('error' in made) fail(state, entry, made.error);
  else deliver(state, entry, work.result, made.value);
  retire(state);
  wake(state);
}
