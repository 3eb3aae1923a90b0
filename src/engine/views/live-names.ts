/**
 * What has a name where an effect was asked for, with what is known of it by now. Nobody keeps it:
 * the machine is taken there over the journal, and handed what has settled since.
 */
import { pendingsIn } from '../../machine/pendings.ts';
import { toJson } from '../../program/json.ts';
import { settled, type Value } from '../../program/value.ts';
import { RunError } from '../codes.ts';
import type { LiveName } from '../handler.ts';
import { type StateAt, type StateAtOptions, stateAt } from './time.ts';

/** In the order in which the program names them; none where the place cannot be gone to. */
export function liveNames(options: StateAtOptions): readonly LiveName[] {
  let state: StateAt;
  try {
    state = stateAt(options);
  } catch (thrown) {
    if (thrown instanceof RunError) return [];
    throw thrown;
  }
  handRest(state);
  return [...state.inspection.globals].flatMap(([name, value]) => {
    const isWritten = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
    return isWritten && isData(value) ? [known(name, value)] : [];
  });
}

/**
 * Hands in the outcomes of what was asked for before, and of what that leads to. One that waits for
 * its turn takes none yet.
 */
function handRest({ machine, past }: StateAt): void {
  const { effects } = past();
  for (let before = ''; ; ) {
    const open = machine.view().open.filter((id) => effects.get(id)?.outcome);
    if (open.join() === before) return;
    before = open.join();
    for (const id of open) {
      const { outcome } = effects.get(id) ?? {};
      if (outcome) machine.settle(id, outcome);
    }
  }
}

const callables: ReadonlySet<string> = new Set(['function', 'builtin', 'tool', 'method', 'object']);

function isData(value: Value): boolean {
  const seen = settled(value);
  return seen === null || typeof seen !== 'object' || !callables.has(seen.kind);
}

const known = (name: string, value: Value): LiveName =>
  pendingsIn([value]).size > 0 ? { name } : { name, value: toJson(settled(value)) };
