/** `planvm spec`: the description of a dialect as planners are given it. */
import { type Command, Option } from '@commander-js/extra-typings';
import { requireDialect } from '../../agent/program/check.ts';
import { defaultDialect } from '../../agent/run/usage.ts';
import { openToolbox } from '../../agent/tools/toolbox.ts';
import { described } from '../../planner/told.ts';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { addToolsOption, repeated } from '../run/run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { printText } from '../view/output.ts';

interface Flags {
  readonly tools?: readonly string[];
  readonly input?: readonly string[];
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Print the description of a dialect that goes into prompts: what programs consist of, and ' +
        'the tools that they may call. It is made from the tables that check uses.',
    )
    .argument('[dialect]', 'starlark, stackvm-2, …; the one that plan uses where absent.')
    .addOption(
      new Option('--input <name>', 'Input variable that the program may read.').argParser(repeated),
    )
    .action(acting(end, (dialect: string | undefined, flags: Flags) => spec(dialect, flags)));
  addToolsOption(described);
  addExamples(
    described,
    ['planvm spec starlark', 'the language, and the tools of this folder'],
    ['planvm spec stackvm-2 --tools ./tools.ts > prompt.md', 'with the tools of a file'],
  );
}

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
