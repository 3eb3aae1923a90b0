/**
 * Keeps a way out of a session in which a tool never yields: the terminal hands over no Ctrl-C
 * while readline has it in raw mode, and nobody hears a signal.
 */
import type { Call } from '../../effects/tool/call.ts';
import { exit } from '../exit.ts';
import { CliError, failureText } from '../failure.ts';
import { watch } from '../process/watchdog.ts';
import { say } from '../view/output.ts';

/** Gives the function that ends it. */
export function guardSession(interrupt: () => void, isTyped: boolean): () => void {
  const release = (): void => {
    process.off('SIGINT', interrupt);
    if (isTyped) process.stdin.setRawMode(false);
  };
  return watch({
    overdue({ tool, timeoutMs }: Call) {
      release();
      const why = `${tool} has computed for more than ${timeoutMs} ms without a pause`;
      const hint = 'the session had to end; what was typed is in the history';
      say(failureText(new CliError('PV6023', why, { hint }), false));
      return exit.failed;
    },
    blocked(call) {
      release();
      if (call) say(`${call.tool} computes without a pause: Ctrl-C ends the session at once`);
    },
    free() {
      if (isTyped) process.stdin.setRawMode(true);
      else process.on('SIGINT', interrupt);
    },
  });
}
