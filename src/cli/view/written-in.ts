/**
 * What a run was written in. Playbooks are played by a loop in Starlark, which is the program of
 * their run; its record keeps them among its settings.
 */
import type { RunRecord } from '../../engine/journal/journal.ts';

/** The name of a dialect. */
export function writtenIn({ dialect, settings }: Pick<RunRecord, 'dialect' | 'settings'>): string {
  const kept: { readonly playbook?: unknown } = JSON.parse(settings);
  return kept.playbook === undefined ? dialect : playbooks;
}

/** The dialect of programs that lines say in words, and no steps of the machine. */
export const playbooks = 'playbook';
