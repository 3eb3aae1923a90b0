/**
 * The original's way of scheduling, on the same graphs: `polling.py` has its rule, in the language
 * and on the event loop that it was written for.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Task } from './graphs.ts';

export interface Polled {
  /** Milliseconds from the first look to the last. */
  readonly took: number;
  /** Of the longest chain, each task as long as it took. */
  readonly critical: number;
}

/** A result for each graph; undefined where this computer has no Python 3. */
export function polled(graphs: readonly (readonly Task[])[]): readonly Polled[] | undefined {
  const script = fileURLToPath(new URL('polling.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync('python3', [script], {
    input: JSON.stringify(graphs),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === null) return undefined;
  if (status !== 0) throw new Error(`${script} has failed: ${stderr}`);
  return JSON.parse(stdout);
}
