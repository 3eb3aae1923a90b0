/** The requests of effects, and whose they are. */
import type { Request } from '../../program/effect.ts';
import { unpackPosition } from '../../program/program.ts';
import { type EffectWork, type Entry, type IssueSite, type State, shownStep } from '../state.ts';
import { elementId } from './fan.ts';

/** The state that has issued an effect; undefined where it is gone. */
export function issuerOf(main: State, id: string): State | undefined {
  const { hub } = main;
  if (hub.byPath.size === 1) return main;
  const path = id.slice(0, id.indexOf('#'));
  const generation = path.lastIndexOf('~');
  // One behind the last dot is the fiber's own, and no part of the path that it goes by.
  const isOwn = generation > path.lastIndexOf('.');
  return hub.byPath.get(isOwn ? path.slice(0, generation) : path);
}

/** The request of an entry that is open; of a task with several calls, that of one of them. */
export function requestOf(state: State, entry: Entry, work: EffectWork, element?: number): Request {
  const site = state.fiber ? placeOf(state, entry.site) : entry.site;
  const { trace } = site;
  const chunk = state.program.chunks[trace.at(-2) ?? 0];
  const { task, stream, race, rounds } = work;
  const made: { -readonly [Key in keyof Request]: Request[Key] } = {
    id: element === undefined ? work.id : elementId(work, element),
    tool: work.tool,
    args: (element === undefined ? work.text : task?.fan?.texts[element]) ?? '{}',
    step: task?.step || shownStep(state, site),
    site: unpackPosition(chunk?.positions[trace.at(-1) ?? 0] ?? 0),
  };
  if (stream) made.stream = true;
  if (rounds && rounds.left > 0) made.barrier = true;
  if (task?.once !== undefined) made.once = task.once;
  if (race) made.race = { timeoutMs: race.timeoutMs };
  const isHandled = task?.handled ?? work.tries;
  if (isHandled || (state.fiber && isAttempt(state))) made.handled = true;
  return made;
}

/** A fiber that calls a tool and nothing else has no frame: the place is that of its parent. */
function placeOf({ fiber }: State, site: IssueSite): IssueSite {
  return site.trace.length > 0 || !fiber ? site : placeOf(fiber.parent, fiber.entry.site);
}

const isAttempt = ({ fiber }: State): boolean =>
  fiber !== undefined && (fiber.work.mode === 'attempt' || isAttempt(fiber.parent));
