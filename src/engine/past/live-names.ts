/**
 * What has a name where an effect was asked for, with what is known of it by now. Nobody keeps it:
 * the machine is taken there over the journal, and handed what has settled since.
 */
import type { Inspection } from '../../machine/inspection.ts';
import { copyAround, pendingsIn } from '../../machine/values/pendings.ts';
import { toJson } from '../../program/json.ts';
import { settled, type Value } from '../../program/value.ts';
import { RunError } from '../codes.ts';
import type { LiveName } from '../handler.ts';
import { type StateAtOptions, stateAt } from './time.ts';
import type { Walk } from './walk.ts';

/**
 * Those of the function first, then the global ones, in the order in which the program names them;
 * none where the place cannot be gone to.
 */
export function liveNames(options: StateAtOptions): readonly LiveName[] {
  const walk = walkTo(options);
  if (!walk?.nextIssue(options.at)) return [];
  const found = [...namesAt(walk.machine.inspect(), options.at)].filter(
    ([name, value]) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && isData(value),
  );
  return settledNames(found, walk).map(([name, value]) => known(name, value));
}

function walkTo(options: StateAtOptions): Walk | undefined {
  try {
    return stateAt(options).walk;
  } catch (thrown) {
    if (thrown instanceof RunError) return undefined;
    throw thrown;
  }
}

/** Of the line that has asked for it: what it sees, the nearest of each name. */
function namesAt({ globals, lines }: Inspection, effect: string): ReadonlyMap<string, Value> {
  const line = lines.find(({ open }) => open.some(({ id }) => id === effect));
  const locals = line?.frames.at(-1)?.locals ?? new Map();
  return new Map([...locals, ...globals, ...locals]);
}

/**
 * With the outcomes that the journal has of what was asked for before. Values are copied as they
 * come, before the program goes on: it may change them.
 */
function settledNames(found: readonly [string, Value][], walk: Walk): readonly [string, Value][] {
  let names = copies(found);
  while (names.some(([, value]) => pendingsIn([value]).size > 0)) {
    const moment = walk.next(() => false);
    names = copies(names);
    if (moment.kind === 'end') break;
  }
  return names;
}

const copies = (names: readonly [string, Value][]): [string, Value][] =>
  names.map(([name, value]) => [name, copyAround(value)]);

const callables: ReadonlySet<string> = new Set(['function', 'builtin', 'tool', 'method', 'object']);

function isData(value: Value): boolean {
  const seen = settled(value);
  return seen === null || typeof seen !== 'object' || !callables.has(seen.kind);
}

const known = (name: string, value: Value): LiveName =>
  pendingsIn([value]).size > 0 ? { name } : { name, value: toJson(settled(value)) };
