/** `approve` and `deny`: the same but for the decision. */
import { decideRun } from '../../engine/reply.ts';
import type { CommandSpec } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { type ReplyFlags, replyOptions, replyTo } from './replying.ts';

interface Flags extends ReplyFlags {
  readonly all?: true;
  readonly note?: string;
}

export const decision = (
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

async function decide(
  run: string,
  effects: readonly string[],
  { all, note, ...flags }: Flags,
  approved: boolean,
): Promise<ExitCode> {
  if (all && effects.length > 0) {
    throw new CliError('PV6002', 'got effects and --all', { hint: 'give one of them' });
  }
  return await replyTo(run, flags, (options) =>
    decideRun({ ...options, effects: all ? 'all' : effects, approved, note }),
  );
}
