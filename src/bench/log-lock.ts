/**
 * The right to write a benchmark's log: a file beside it, `log.ndjson.lock`, names the process. Two
 * that write one log would ask every question twice, and cut off each other's lines. What a process
 * leaves behind that was killed is taken over; whether it was, only its machine can tell.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AgentError } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import { describeOwner, isGone, processOwner } from '../engine/journal/owner.ts';

/** Gives what lets it go again. Throws `AgentError` PV6802, and what the file system says. */
export function lockLog(path: string): () => void {
  const lock = `${path}.lock`;
  while (!taken(lock, processOwner())) dropIfGone(path, lock);
  return () => rmSync(lock, { force: true });
}

/** False where another one has it. */
function taken(lock: string, owner: string): boolean {
  const write = (): true => {
    writeFileSync(lock, owner, { flag: 'wx' });
    return true;
  };
  return unless<boolean>('EEXIST', write, false);
}

/** Throws `AgentError` PV6802 while its process may be there. */
function dropIfGone(path: string, lock: string): void {
  const owner = contentOf(lock);
  if (owner === undefined) return;
  if (!isGone(owner)) throw inUse(path, lock, owner);
  // Out of the way first: what another process has put there meanwhile goes back.
  const aside = `${lock}.${randomUUID()}`;
  unless('ENOENT', () => renameSync(lock, aside), undefined);
  const moved = contentOf(aside);
  if (moved !== undefined && moved !== owner) taken(lock, moved);
  rmSync(aside, { force: true });
}

const contentOf = (file: string): string | undefined =>
  unless('ENOENT', () => readFileSync(file, 'utf8'), undefined);

/** What it gives; `otherwise` where it fails so. */
function unless<T>(code: string, act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return otherwise;
    throw error;
  }
}

function inUse(path: string, lock: string, owner: string): AgentError {
  const writer = owner === '' ? 'another process' : describeOwner(owner);
  return new AgentError('PV6802', `the log ${shortPath(path)} is being written by ${writer}`, {
    hint: `wait for it to end, or write another log; if it has ended, remove ${shortPath(lock)}`,
  });
}
