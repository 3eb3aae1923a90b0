/**
 * A task that is performed for each element of a list, of which nobody knew the length before it
 * came. All its calls stand in the one entry of the task; each has an id of its own, `0#7.2`.
 *
 * - N1 Reads go out at the same time, as many as a window has entries; writes one after another.
 * - N2 The failure of the lowest element is that of the task. Those above it are given up at once,
 *   those below it are awaited.
 */
import type { EffectError } from '../../program/effect.ts';
import { decode } from '../../program/json.ts';
import { list, type Value } from '../../program/value.ts';
import { taskResult, taskValue } from '../result-struct.ts';
import type { EffectWork, Entry, Fan, State, TaskWork } from '../state.ts';
import { callOff } from './call-off.ts';

export const newFan = (texts: string[]): Fan => ({
  texts,
  next: 0,
  open: 0,
  values: [],
  failure: undefined,
});

/** The id of one of its calls. */
export const elementId = ({ id }: EffectWork, element: number): string => `${id}.${element}`;

/** Asks for the calls that may go out now (N1). */
export function askElements(state: State, entry: Entry, work: EffectWork, fan: Fan): void {
  const most = work.class === 'write' ? 1 : state.limits.windowEntries;
  const end = fan.failure?.index ?? fan.texts.length;
  state.effects.delete(work.id);
  for (; fan.next < end && fan.open < most; fan.next++) {
    state.effects.set(elementId(work, fan.next), entry);
    state.outbox.requests.push({ state, entry, element: fan.next });
    fan.open++;
  }
}

/** After a snapshot: asks again for the calls that were open. */
export function askElementsAgain(state: State, entry: Entry, work: EffectWork, fan: Fan): void {
  const end = fan.failure?.index ?? fan.next;
  state.effects.delete(work.id);
  for (let element = 0; element < end && element < fan.next; element++) {
    if (fan.values[element] !== undefined) continue;
    state.effects.set(elementId(work, element), entry);
    state.outbox.requests.push({ state, entry, element });
  }
}

/** Takes what one call gave; gives the result of the task once there is one. */
export function settleElement(
  state: State,
  entry: Entry,
  work: EffectWork,
  task: TaskWork,
  id: string,
  outcome: string | EffectError,
): Value | undefined {
  const { fan } = task;
  if (!fan) return undefined;
  const element = Number(id.slice(work.id.length + 1));
  state.effects.delete(id);
  fan.open--;
  if (typeof outcome === 'string') {
    fan.values[element] = outcome;
    fan.texts[element] = undefined;
  } else {
    fan.failure = { index: element, error: failureOf(fan, element, outcome) };
    giveUpAbove(state, entry, work, fan, element);
  }
  if (!fan.failure || fan.next < fan.failure.index) askElements(state, entry, work, fan);
  if (fan.open > 0) return undefined;
  entry.charge += chargeOf(fan);
  if (fan.failure) return taskResult(null, fan.failure.error);
  return taskValue(task, list(fan.values.map((value) => decode(value ?? 'null'))));
}

/** What was read of outcomes that count: the others may have come or not. */
function chargeOf({ values, failure }: Fan): number {
  let charge = 0;
  const end = failure?.index ?? values.length;
  for (let element = 0; element < end; element++) charge += (values[element]?.length ?? 0) >> 3;
  return charge;
}

/** Which element it was, in words. */
function failureOf({ texts }: Fan, element: number, error: EffectError): EffectError {
  const text = texts[element] ?? '';
  const short = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  const which = `element ${element + 1} of ${texts.length}, ${short}`;
  return { ...error, message: `${which}: ${error.message}` };
}

/** Longest arguments that a failure quotes. */
const shownMax = 100;

function giveUpAbove(
  state: State,
  entry: Entry,
  work: EffectWork,
  fan: Fan,
  element: number,
): void {
  for (let above = element + 1; above < fan.next; above++) {
    if (dropCall(state, entry, elementId(work, above), above)) fan.open--;
  }
}

/** Takes a call back that has gone out, or was to go out; false where it is neither. */
function dropCall(state: State, entry: Entry, id: string, element: number): boolean {
  if (!state.effects.delete(id)) return false;
  const { requests } = state.outbox;
  const asked = requests.findIndex((one) => one.entry === entry && one.element === element);
  if (asked >= 0) requests.splice(asked, 1);
  else callOff(state, id);
  return true;
}

/** Gives up all calls of a task. */
export function cancelElements(state: State, entry: Entry, work: EffectWork, fan: Fan): void {
  giveUpAbove(state, entry, work, fan, -1);
  fan.open = 0;
}
