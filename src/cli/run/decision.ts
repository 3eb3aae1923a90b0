/** The arguments of `approve` and `deny`, and what they do: the same but for the decision. */
import { type Command, Option } from '@commander-js/extra-typings';
import { decideRun } from '../../engine/reply.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting } from '../help.ts';
import { addReplyOptions, type ReplyFlags, replyTo } from './replying.ts';

interface Flags extends ReplyFlags {
  readonly all?: true;
  readonly note?: string;
}

export function addDecision(
  command: Command,
  end: (code: ExitCode) => void,
  approved: boolean,
): void {
  const described = command
    .argument('<run>', 'The beginning of a run id, or last.')
    .argument('[effects...]', 'Ids of effects or steps; none where it asks for one thing only.')
    .addOption(new Option('--all', 'All that the run asks for by now.'))
    .addOption(new Option('--note <text>', 'Why: kept with the run.'))
    .action(
      acting(end, (run: string, effects: string[], flags: Flags) =>
        decide(run, effects, flags, approved),
      ),
    );
  addReplyOptions(described);
}

async function decide(
  run: string,
  effects: readonly string[],
  flags: Flags,
  approved: boolean,
): Promise<ExitCode> {
  if (flags.all && effects.length > 0) {
    throw new CliError('PV6002', 'got effects and --all', { hint: 'give one of them' });
  }
  return await replyTo(run, flags, async (options) => {
    const { note } = flags;
    const which = flags.all ? 'all' : effects;
    const found = await decideRun({ ...options, effects: which, approved, note });
    return found.map(({ effect }) => effect);
  });
}
