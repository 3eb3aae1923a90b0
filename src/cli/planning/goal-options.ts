/** Options and goal of `plan` and `ask`. */
import { Option } from '@commander-js/extra-typings';
import type { Goal } from '../../planner/goal.ts';
import { group, type OptionRow } from '../command.ts';
import { CliError } from '../failure.ts';
import { wholeNumber } from '../option-value.ts';
import { readSource } from '../program/read-program.ts';

/** What the options below give an action. */
export interface GoalFlags {
  readonly language?: string;
  readonly format?: string;
  readonly corrections?: number;
  readonly quiet?: true;
  readonly verbose?: true;
}

export const goalOptions = (): OptionRow[] =>
  group('Planning:', [
    ['--language <name>', 'Language of the answer, in words: French.'],
    ['--format <words>', 'Form of the answer, in words: "a table with two columns".'],
    correctionsOption('How often the model may correct a plan that fails the check.'),
  ]);

export const correctionsOption = (about: string): Option =>
  new Option('--corrections <n>', about).default(2).argParser(wholeNumber);

/** The goal as it was written; `-` reads it from stdin. */
export async function readGoal(given: string, flags: GoalFlags): Promise<Goal> {
  const text = (given === '-' ? (await readSource('-')).text : given).trim();
  if (text === '') {
    throw new CliError('PV6002', 'the goal is empty', { hint: 'say what you want to know' });
  }
  const { language, format } = flags;
  return { text, ...(language && { language }), ...(format && { format }) };
}
