/** `planvm repl`: Starlark at a prompt, with the tools really called. */
import { join } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { repl } from '../repl.ts';
import {
  addModelOptions,
  addPeopleOptions,
  addToolsOption,
  type RunFlags,
} from '../run-options.ts';
import { addLimitOptions, givenLimits } from '../settings/limit-options.ts';
import { approvalsIn, limitsIn } from '../settings/settings.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { openToolbox } from '../tools/toolbox.ts';

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Enter Starlark line by line. Each entry goes on where the last one ended; values are ' +
        'shown, tools are really called. Lines that come through a pipe are entered in the same ' +
        'way.',
    )
    .addOption(new Option('-q, --quiet', 'Only values and what went wrong.').helpGroup('Output:'))
    .action(acting(end, (flags: RunFlags) => enter(flags)));
  addToolsOption(described);
  addModelOptions(described);
  addPeopleOptions(described);
  addLimitOptions(described);
  addExamples(
    described,
    ['planvm repl --tools ./tools.ts', 'try tools and programs by hand'],
    ['echo "[n * n for n in range(4)]" | planvm repl', 'compute something'],
  );
}

async function enter(flags: RunFlags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags, limits: givenLimits(flags) });
  const toolbox = await openToolbox(workspace, { record: flags.record });
  try {
    const isFine = await repl({
      toolbox,
      limits: limitsIn(workspace.settings),
      approvals: approvalsIn(workspace.settings),
      historyFile: join(workspace.home, 'repl-history'),
      quiet: flags.quiet === true,
    });
    return isFine ? exit.done : exit.failed;
  } finally {
    toolbox.close();
  }
}
