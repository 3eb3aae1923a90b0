/** `planvm spec`: the description of a dialect as planners are given it. */

import { requireDialect } from '../../agent/program/require-dialect.ts';
import { defaultDialect } from '../../agent/run/usage.ts';
import { openToolbox } from '../../agent/tools/toolbox.ts';
import { described } from '../../planner/told.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { inputNameOption } from '../program/inputs.ts';
import { toolOptions } from '../run/run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { printText } from '../view/output.ts';

interface Flags {
  readonly tools?: readonly string[];
  readonly input?: readonly string[];
}

export const command: CommandSpec = {
  about:
    'Print the description of a dialect that goes into prompts: what programs consist of, and ' +
    'the tools that they may call. It is made from the tables that check uses.',
  takes: [['[dialect]', 'starlark, stackvm-2, …; the one that plan uses where absent.']],
  options: [inputNameOption, ...toolOptions()],
  examples: [
    ['planvm spec starlark', 'the language, and the tools of this folder'],
    ['planvm spec stackvm-2 --tools ./tools.ts > prompt.md', 'with the tools of a file'],
  ],
  act: spec,
};

async function spec(name: string | undefined, flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const wanted = name ?? workspace.settings.dialect ?? defaultDialect;
  const dialect = requireDialect(wanted);
  const toolbox = await openToolbox(workspace, { toldOnly: true });
  try {
    const text = described(dialect, { tools: toolbox.specs, inputs: flags.input ?? [] });
    printText(`${text.trimEnd()}\n`);
    return exit.done;
  } finally {
    toolbox.close();
  }
}
