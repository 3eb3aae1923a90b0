/**
 * Effects of a run that have not succeeded, although a run within them has begun to write. The run
 * itself would go on with that one; a fork begins another, which would do the same once more. So
 * they are in doubt there (K3). Only the journals of the inner runs know, and a past is read out of
 * one: which they are is found when a fork is made, and journaled with it.
 */
import type { ToolSpec } from '../../program/effect.ts';
import type { Journal } from '../journal/journal.ts';
import type { Past } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';

/** Ids of effects; `past` is read where the run has others within it. */
export function actedIn(journal: Journal, run: string, past: () => Past): readonly string[] {
  const found = new Set<string>();
  for (const { id, parent } of journal.list({ within: run })) {
    if (parent?.run !== run || found.has(parent.effect)) continue;
    const effect = past().effects.get(parent.effect);
    if (effect && !effect.outcome?.ok && hasWritten(journal, id)) found.add(parent.effect);
  }
  return [...found];
}

/** Whether a run, or one within it, has begun an effect that changes the world. */
function hasWritten(journal: Journal, run: string): boolean {
  const { effects, program } = readPast(journal.events(run));
  const specs: readonly ToolSpec[] = JSON.parse(program?.tools ?? '[]');
  const writes = new Set(specs.flatMap(({ name, effect }) => (effect === 'write' ? [name] : [])));
  const within = journal.list({ within: run });
  const isOuter = new Set(within.map(({ parent }) => parent?.effect));
  // What a run within it makes has done no more than that one.
  const own = [...effects].some(
    ([id, { tool, attempts }]) => writes.has(tool) && attempts > 0 && !isOuter.has(id),
  );
  return own || within.some(({ id }) => hasWritten(journal, id));
}
