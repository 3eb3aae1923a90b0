/**
 * What a run was written in. Playbooks are played by a loop in Starlark, which is the program of
 * their run; its record keeps them among its settings.
 */

import type { RunRecord } from '../../engine/journal/journal.ts';
import { isPlaying } from './asked.ts';

/** The name of a dialect. */
export const writtenIn = (record: Pick<RunRecord, 'dialect' | 'settings'>): string =>
  isPlaying(record) ? playbooks : record.dialect;

/** The dialect of programs that lines say in words, and no steps of the machine. */
export const playbooks = 'playbook';
