/** How outcomes and parts take hold: what they make of the entries that have waited for them. */
import type { EffectError, Request } from '../../program/effect.ts';
import { decode } from '../../program/json.ts';
import type { HostObject, Pending, Value } from '../../program/value.ts';
import { received } from '../memory.ts';
import { errorIn, resultStruct, taskResult, taskValue } from '../result-struct.ts';
import type { Arrival, EffectWork, Entry, Hub, Race, State } from '../state.ts';
import { addPart, endStream, entryOf, isOpenStream, isStream, markRead } from '../stream.ts';
import { freezeDeep } from '../values/sequence.ts';
import { settleElement } from './fan.ts';
import { fail, leaveStream } from './give-up.ts';
import { askAgain, issuerOf, requestOf } from './issue.ts';
import { conclude } from './race.ts';
import { deliver, ended, endRace, retire, wake } from './window.ts';

/** Settles an effect that is open; anything else is stale and ignored. */
function settleEffect(state: State, id: string, result: string | EffectError): void {
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

/**
 * How outcomes and parts take hold. At once, as a rule: what waits for them goes on, whatever else
 * is being computed. But fibers share their room: who gets what one of them leaves could depend on
 * what came in one go, and so could what is asked for behind a failure. While there are any, one
 * outcome at a time takes hold, when all lines wait again, and the others stand in `Hub.arrived`
 * (F4 of fibers.ts).
 */
export function settle(main: State, effect: string, result: string | EffectError): void {
  if (mustWait(main)) {
    main.hub.arrived.push({ effect, result });
    return;
  }
  const issuer = issuerOf(main, effect);
  if (issuer) settleEffect(issuer, effect, result);
}

/** `value` as in an outcome. */
export function settlePartOf(main: State, effect: string, part: number, value: string): void {
  if (mustWait(main)) main.hub.arrived.push({ effect, part, result: value });
  else takeHold(main, { effect, part, result: value });
}

/** Lets the next one take hold; false where there is none. */
export function takeNext(main: State): boolean {
  const next = main.hub.arrived.shift();
  if (next) takeHold(main, next);
  return next !== undefined;
}

function mustWait({ hub: { alive, arrived, ready } }: State): boolean {
  return arrived.length > 0 || (alive > 0 && ready.size > 0);
}

/** What the machine no longer waits for is ignored. */
function takeHold(main: State, { effect, part, result }: Arrival): void {
  const issuer = issuerOf(main, effect);
  if (!issuer) return;
  if (part === undefined) settleEffect(issuer, effect, result);
  else if (typeof result === 'string') settlePart(issuer, effect, part, result);
}

// Streams and the window: parts that come, and loops that are left before the last one.

/** Hands in a part of an effect that is open; those that are there already are ignored. */
function settlePart(state: State, id: string, index: number, text: string): void {
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

// Writes that are settled but for their turn: what they are asked for with is there, and only what
// stands before them keeps them from starting. A person may decide about them now.

/** In program order, of each line. They are not asked for yet, and may never be. */
export function announced({ hub }: State): Request[] {
  return [...hub.byPath.values()].flatMap((state) =>
    state.gated.flatMap((entry) => {
      const { work } = entry;
      const isSettled = entry.state === 'ready' && work.kind === 'effect' && work.class === 'write';
      if (!isSettled || work.text === undefined || work.race || work.rounds || work.task?.fan) {
        return [];
      }
      const isGone = state.failed !== undefined && entry.seq > state.failed;
      return isGone ? [] : [requestOf(state, entry, work)];
    }),
  );
}

// Where a stream fails (W5): where the part is missing that the program wants, not where it was
// called. What the line has issued until then stands before that place, so what comes of it is the
// same whenever the failure of the stream arrives.
//
// - A stream that fails in the world is `broken` first: all its parts are read, and what its loop
//   asks for goes on. It fails when the line wants the missing part, or can come no further in
//   another way, and nothing is under way: no call that stands before is cut off.
// - What fails meanwhile has failed before the missing part was wanted. So a failure leaves the
//   streams that are still read, as `break` would (`leaveStreams`), and they never fail.
// - In a window of one, the loop runs when the stream has ended. Then what waits for the end takes
//   no room (`hasRoomBehind`), so that the loop comes as far as with a larger window.

/**
 * When all lines wait: lets a broken stream fail whose line comes no further without it. False
 * where there is none.
 */
export function breakOff({ byPath, ready, broken }: Hub): boolean {
  if (broken.size === 0) return false;
  for (const state of byPath.values()) {
    if (!broken.has(state) || !failBroken(state)) continue;
    ready.add(state);
    return true;
  }
  return false;
}

function failBroken(state: State): boolean {
  const entry = brokenIn(state);
  if (!entry) state.hub.broken.delete(state);
  if (!entry?.error || isUnderWay(state)) return false;
  fail(state, entry, entry.error);
  retire(state);
  return true;
}

/** The stream whose part is wanted, if it is broken; else the oldest that is. */
function brokenIn({ blocked, entries }: State): Entry | undefined {
  const wanted = blocked?.on === 'part' ? entries.get(entryOf(blocked.stream)) : undefined;
  if (wanted?.state === 'broken') return wanted;
  for (const entry of entries.values()) if (entry.state === 'broken') return entry;
  return undefined;
}

/** Whether anything will come by itself: fibers may wait for what waits for the stream. */
const isUnderWay = ({ entries }: State): boolean =>
  [...entries.values()].some(({ state, work }) => {
    if (state !== 'open') return false;
    // Its candidates may wait for what waits for the stream.
    if (work.kind === 'effect' && work.race) return isDecided(work.race);
    if (work.kind !== 'fibers') return true;
    return [...work.alive.values()].some(
      (child) => child && (child.hub.broken.has(child) || isUnderWay(child)),
    );
  });

/** Whether a race ends by itself: somebody has come first, or time will. */
const isDecided = ({ proposed, timeoutMs }: Race): boolean =>
  proposed !== undefined || timeoutMs !== null;
