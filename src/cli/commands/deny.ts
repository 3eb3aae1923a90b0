/** `planvm deny`: does not let a run do what it asks for; the run goes on. */
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit.ts';
import { addExamples } from '../help.ts';
import { addDecision } from '../run/decision.ts';

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command.description(
    'Do not let a run do what it asks for, and go on with it: the call fails, with the reason ' +
      'that is given, and the program may handle that.',
  );
  addDecision(described, end, false);
  addExamples(
    described,
    ['planvm deny last --note "wrong disk"', 'what the latest run asks for, with a reason'],
    ['planvm deny r0abc 0#3', 'one effect, by its id'],
    ['planvm deny r0abc --all --no-run', 'all of them; planvm resume r0abc goes on later'],
  );
}
