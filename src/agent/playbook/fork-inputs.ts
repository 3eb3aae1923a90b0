/**
 * What `--set` changes of a run of playbooks: at a line, the variables that are there; before the
 * start the inputs of those that start, which the loop has in one of its own.
 */

import { RunError } from '../../engine/codes.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import { nearest } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { decode, encode } from '../../program/json.ts';
import { dict, dictEntries } from '../../program/value.ts';
import { inputsOf } from '../record/asked.ts';
import { inputNames, keptPlaying, linkedFile } from './playing.ts';

/** The same edit in inputs of the loop. Throws `RunError` PV5132 for what cannot be set. */
export function inLoopInputs(
  edit: ForkEdit,
  base: RunSummary,
  specs: ReadonlyMap<string, ToolSpec>,
): ForkEdit {
  const { set, at } = edit;
  const kept = keptPlaying(base);
  if (set === undefined || at !== undefined || !kept) return edit;
  const known = inputNames(linkedFile(kept, specs));
  for (const name of Object.keys(set)) refuseStrange(name, known, base.id);
  const given = inputsOf(base).get('given');
  const before = typeof given === 'object' && given?.kind === 'dict' ? dictEntries(given) : [];
  const changed = Object.entries(set).map(([name, text]) => [name, decode(text)] as const);
  return { ...edit, set: { given: encode(dict([...before, ...changed])) } };
}

function refuseStrange(name: string, known: readonly string[], run: string): void {
  if (known.includes(name)) return;
  const near = nearest(name, known);
  const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
  const takes = known.length === 0 ? 'they take none' : `they take ${known.join(', ')}`;
  throw new RunError('PV5132', `got ${name}, want an input of the playbooks that start${meant}`, {
    run,
    hint: name.includes('$') ? `${takes}; a variable is set at a line` : takes,
  });
}
