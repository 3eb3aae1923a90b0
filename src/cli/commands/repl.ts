/** `planvm repl`: a conversation at a prompt, of goals, questions and Starlark. */
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { newThread } from '../../agent/thread/conversation.ts';
import { findThread, savedThreads } from '../../agent/thread/thread-store.ts';
import { openToolbox } from '../../agent/tools/toolbox.ts';
import { type Thread, type ThreadMode, threadModes } from '../../engine/journal/threads.ts';
import { type CommandSpec, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { AskFlags } from '../planning/ask-here.ts';
import { goalOptions } from '../planning/goal-options.ts';
import { repl } from '../repl/repl.ts';
import { modelOptions, peopleOptions, programOptions } from '../run/run-options.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { say } from '../view/output.ts';

interface Flags extends Omit<AskFlags, 'journal'> {
  readonly thread?: string;
  readonly mode?: ThreadMode;
}

export const command: CommandSpec = {
  about:
    'Talk: goals are answered by programs that a model writes, or directly; Starlark is run as ' +
    'it is typed, with tools really called. Each turn knows those before it; functions and ' +
    'variables stay. /help lists commands. The lines of a pipe are entered in the same way.',
  options: [
    ['--thread <id>', 'Go on with a conversation: the beginning of its id, or last.'],
    [
      '--mode <mode>',
      'How what is typed is taken. Where a thread does not say: with a model as the setting ' +
        'route says, else program; without one code.',
      threadModes,
    ],
    new Option('--step', 'Go through programs statement by statement.').helpGroup('The program:'),
    new Option('--confirm', 'Run programs only after a yes; e edits them.').helpGroup(
      'The program:',
    ),
    quiet('Only values and what went wrong.'),
    ...goalOptions(),
    ...programOptions(),
    ...modelOptions(),
    ...peopleOptions(),
    ...limitOptions(),
    ...limitOptions(['repairs']),
  ],
  examples: [
    ['planvm repl --tools ./tools.ts', 'talk, with the tools of a file'],
    ['planvm repl --thread last', 'go on with the latest conversation'],
    ['planvm repl --mode code', 'try tools and programs by hand'],
    ['echo "[n * n for n in range(4)]" | planvm repl --mode code', 'compute something'],
  ],
  act: enter,
};

async function enter(given: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags: given });
  const thread = threadFor(given, workspace);
  const isModelMissing = !workspace.settings.model && given.replay === undefined;
  if (isModelMissing && given.mode === undefined && thread.mode === 'code' && !given.quiet) {
    say('no model is configured, so this prompt takes Starlark; /help lists commands');
  }
  const toolbox = await openToolbox(workspace);
  const isFine = await repl({
    ...{ workspace, toolbox, thread, flags: { ...given, journal: true } },
    historyFile: join(workspace.home, 'repl-history'),
  });
  return isFine ? exit.done : exit.failed;
}

function threadFor({ thread, mode }: Flags, workspace: Workspace): Thread {
  if (thread === undefined) {
    const { model, route } = workspace.settings;
    return newThread(mode ?? (model ? (route ?? 'program') : 'code'));
  }
  const found = findThread(savedThreads(workspace), thread);
  return mode === undefined ? found : { ...found, mode };
}
