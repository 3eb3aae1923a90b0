/** The people whom a run knows by name, as the agents of its playbooks: it may ask them. */
import { readTree } from '../../dialects/playbook/reader.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { playedText } from './seen-source.ts';

export function peopleOf(record: Pick<RunRecord, 'settings'>): readonly string[] {
  const text = playedText(record);
  if (text === undefined) return [];
  const { agents } = readTree(text).tree.file;
  return agents.flatMap(({ kind, name }) => (kind === 'human' ? [name] : []));
}
