/** `planvm approve` and `planvm deny`: a run does what it asks for or not, and goes on. */
import type { CommandSpec } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { userName } from '../process/terminal-person.ts';
import { type ReplyFlags, replyOptions, replyTo } from '../run/replying.ts';

interface Flags extends ReplyFlags {
  readonly all?: true;
  readonly note?: string;
}

const decision = (
  approved: boolean,
  words: Pick<CommandSpec, 'about' | 'examples'>,
): CommandSpec => ({
  ...words,
  takes: [
    ['<run>', 'The beginning of a run id, or last.'],
    ['[effects...]', 'Ids of effects or steps; none where it asks for one thing only.'],
  ],
  options: [
    ['--all', 'All that the run asks for by now.'],
    ['--note <text>', 'Why: kept with the run.'],
    ...replyOptions(),
  ],
  act: (run: string, effects: string[], flags: Flags) => decide(run, effects, flags, approved),
});

export const approve: CommandSpec = decision(true, {
  about:
    'Let a run do what it asks for, and go on with it. From any process, at any time: where ' +
    'another process has the run, it takes the approval within a second.',
  examples: [
    ['planvm approve last', 'what the latest run asks for, if that is one thing'],
    ['planvm approve r0abc 0#3 0#4', 'two effects, by their ids'],
    ['planvm approve r0abc --all --note "checked the list"', 'all that it asks for by now'],
  ],
});

export const deny: CommandSpec = decision(false, {
  about:
    'Do not let a run do what it asks for, and go on with it: the call fails, with the reason ' +
    'that is given, and the program may handle that.',
  examples: [
    ['planvm deny last --note "wrong disk"', 'what the latest run asks for, with a reason'],
    ['planvm deny r0abc 0#3', 'one effect, by its id'],
    ['planvm deny r0abc --all --no-run', 'all of them; planvm resume r0abc goes on later'],
  ],
});

async function decide(
  run: string,
  effects: readonly string[],
  { all, note, ...flags }: Flags,
  approved: boolean,
): Promise<ExitCode> {
  if (all && effects.length > 0) {
    throw new CliError('PV6002', 'got effects and --all', { hint: 'give one of them' });
  }
  const effect = all ? 'all' : effects;
  return await replyTo(run, flags, {
    ...{ by: userName(), approved, effect, ...(note !== undefined && { note }) },
  });
}
