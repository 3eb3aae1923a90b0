/**
 * Function tools that compute without a pause, while somebody goes through the run that calls them:
 * nothing is heard then, Ctrl-C included, which a prompt takes for a key.
 */
import type { RunHandle } from '../../engine/run.ts';
import { type ExitCode, exit, exitOf } from '../exit.ts';
import { watch } from '../process/watchdog.ts';
import { say } from '../view/output.ts';
import { nextCommands, ourName } from '../view/result.ts';

/** Gives the function that ends it. */
export function guardDebugged(handle: RunHandle): () => void {
  return watch({
    overdue({ tool, effect }): ExitCode {
      const result = handle.breakOff(effect);
      say(`${tool} (effect ${effect}) has had its time, and hears nothing: the process ends`);
      if (!result) return exit.failed;
      for (const next of nextCommands(result)) say(`  ${next}`);
      return exitOf(result);
    },
    blocked(call) {
      if (!call) return;
      // Keys are signals again, which the system hears.
      setKeys(false);
      const next = `${ourName} resume ${handle.id} goes on`;
      const who = `${call.tool} (effect ${call.effect}) computes`;
      say(`${who} without a pause and hears nothing: Ctrl-C ends it at once, ${next}`);
    },
    free: () => setKeys(true),
  });
}

function setKeys(areKeys: boolean): void {
  if (process.stdin.isTTY && process.stderr.isTTY) process.stdin.setRawMode(areKeys);
}
