/** The program of a file, compiled with the tools that a run of it would have. */
import type { Program } from '../program/program.ts';
import { readingInputsOf } from './inputs.ts';
import { checkSource, joinsIn, sayDiagnostics } from './program.ts';
import type { PlanFlags } from './run-options.ts';
import { limitsIn } from './settings/settings.ts';
import { openWorkspace, type SettingFlags } from './settings/workspace.ts';
import { readProgram } from './source.ts';
import { openToolbox } from './tools/toolbox.ts';

export interface CompileFlags extends SettingFlags, PlanFlags {
  /** Names of the input variables. */
  readonly input?: readonly string[];
}

/** Says what is wrong with it, and gives nothing then. */
export async function compiled(file: string, flags: CompileFlags): Promise<Program | undefined> {
  const workspace = await openWorkspace({ flags });
  const source = await readProgram(file);
  const joins = flags.join !== false && joinsIn(source, workspace);
  const toolbox = await openToolbox(workspace, { joins });
  try {
    const { program, diagnostics } = checkSource(source, {
      dialect: workspace.settings.dialect?.value,
      specs: toolbox.specs,
      inputs: [...(flags.input ?? []), ...readingInputsOf(flags).map(([name]) => name)],
      limits: limitsIn(workspace.settings),
    });
    sayDiagnostics(diagnostics, source);
    return program;
  } finally {
    toolbox.close();
  }
}
