/**
 * What global variables were before they were set while entries were open. The main line runs ahead
 * of the effects it has asked for; when one of them fails, what was set behind it has never
 * happened: variables are those of execution one at a time (design rule 4).
 *
 * Containers that were changed in place keep their changes.
 *
 * - U1 One change per variable and entry: a loop that asks for nothing does not make the list grow.
 * - U2 A change is kept no longer than an entry is open that was issued before it.
 */
import type { Change, State, Undo } from '../state.ts';

export const undoOf = (changes: Change[]): Undo => ({
  changes,
  noted: new Map(changes.map(({ slot, next }) => [slot, next])),
});

/** Before a global variable is set; only while entries are open. */
export function note({ undo, globals, next }: State, slot: number): void {
  if (undo.noted.get(slot) === next) return;
  undo.noted.set(slot, next);
  undo.changes.push({ slot, before: globals[slot], next });
}

/** Entries have retired; `oldest` is the first that is still open (U2). */
export function settleChanges({ undo }: State, oldest: number | undefined): void {
  const { changes, noted } = undo;
  if (oldest === undefined) {
    changes.length = 0;
    noted.clear();
    return;
  }
  let gone = 0;
  while (gone < changes.length && (changes[gone] as Change).next <= oldest) gone++;
  if (gone > 0) changes.splice(0, gone);
}

/** Takes back what was set behind an entry. */
export function takeBack({ undo, globals }: State, entry: number): void {
  const { changes, noted } = undo;
  for (let change = changes.pop(); change; change = changes.pop()) {
    if (change.next <= entry) break;
    globals[change.slot] = change.before;
  }
  changes.length = 0;
  noted.clear();
}
