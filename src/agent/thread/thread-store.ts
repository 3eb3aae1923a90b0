/** The conversations of a workspace. */
import { existsSync } from 'node:fs';
import { sqliteThreads } from '../../engine/journal/sqlite/threads.ts';
import type { Thread, ThreadStore } from '../../engine/journal/threads.ts';
import { AgentError } from '../port/errors.ts';
import { type Files, journalPath } from '../port/workspace.ts';

/** Makes the file where there is none. */
export function withThreads<T>(workspace: Files, act: (threads: ThreadStore) => T): T {
  const threads = sqliteThreads(journalPath(workspace));
  try {
    return act(threads);
  } finally {
    threads.close();
  }
}

/** The one that was last gone on with comes first; makes nothing. */
export function savedThreads(workspace: Files): Thread[] {
  if (!existsSync(journalPath(workspace))) return [];
  return withThreads(workspace, (threads) => threads.list());
}

/** By the beginning of its id, or `last`. Throws `AgentError` PV6701 unless one thread is meant. */
export function findThread(threads: readonly Thread[], name: string): Thread {
  const [latest] = threads;
  if (name === 'last' && latest) return latest;
  const found = threads.filter(({ id }) => id === name || (name !== '' && id.startsWith(name)));
  const [only, ...more] = found;
  if (only && more.length === 0) return only;
  const ids = found.map(({ id }) => id).join(', ');
  const none = name === 'last' ? 'there is no thread yet' : `there is no thread ${name}`;
  throw new AgentError('PV6701', only ? `${name} stands for several threads: ${ids}` : none);
}
