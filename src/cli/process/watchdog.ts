/** A way out of this process while a function tool computes without a pause. */
import { closeSync } from 'node:fs';
import type { Call } from '../../effects/tool/call.ts';
import { type Guard, watchCalls } from '../../effects/tool/watchdog.ts';
import type { ExitCode } from '../exit.ts';
import { CliError, failureText } from '../failure.ts';

const mute = new CliError(
  'PV6023',
  'a tool keeps planvm from doing anything, for longer than a call may take: the process ends',
  { hint: 'planvm resume last goes on, once the tool is mended or has more time' },
);

interface CallGuard extends Omit<Guard, 'overdue'> {
  /** Says what there is to say; the process ends. */
  overdue(call: Call): ExitCode;
}

/** Gives the function that ends it. */
export const watch = (by: CallGuard): (() => void) =>
  watchCalls(
    {
      ...by,
      overdue(call) {
        const code = by.overdue(call);
        // Node would say that it waits for a debugger: the session that asks is still open.
        closeSync(process.stderr.fd);
        process.exit(code);
      },
    },
    `${failureText(mute, false)}\n`,
  );
