/** Waits for the end of a run that has been started, while a host looks on. */
import type { RunResult } from '../../engine/result.ts';
import { RunStopped } from '../port/errors.ts';
import type { Host, LiveRun } from '../port/host.ts';

/** Throws `RunStopped` where the engine itself cannot go on. */
export async function drive(host: Host, run: LiveRun): Promise<RunResult> {
  const stop = host.watch?.(run);
  // A run may wait for something that does not keep Node alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    return await run.handle.result;
  } catch (error) {
    throw new RunStopped(error, run.handle.id);
  } finally {
    stop?.();
    clearInterval(alive);
  }
}
