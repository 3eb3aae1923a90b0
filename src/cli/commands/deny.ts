/** `planvm deny`: does not let a run do what it asks for; the run goes on. */
import type { CommandSpec } from '../command.ts';
import { decision } from '../run/decision.ts';

export const command: CommandSpec = decision(false, {
  about:
    'Do not let a run do what it asks for, and go on with it: the call fails, with the reason ' +
    'that is given, and the program may handle that.',
  examples: [
    ['planvm deny last --note "wrong disk"', 'what the latest run asks for, with a reason'],
    ['planvm deny r0abc 0#3', 'one effect, by its id'],
    ['planvm deny r0abc --all --no-run', 'all of them; planvm resume r0abc goes on later'],
  ],
});
