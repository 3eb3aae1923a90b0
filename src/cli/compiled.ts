/** The program of a file, compiled with the tools that a run of it would have. */
import type { Program } from '../program/program.ts';
import { checkSource, sayDiagnostics } from './program.ts';
import { limitsIn } from './settings/settings.ts';
import { openWorkspace, type SettingFlags } from './settings/workspace.ts';
import { readProgram } from './source.ts';
import { openToolbox } from './tools/toolbox.ts';

export interface CompileFlags extends SettingFlags {
  /** Names of the input variables. */
  readonly input?: readonly string[];
}

/** Says what is wrong with it, and gives nothing then. */
export async function compiled(file: string, flags: CompileFlags): Promise<Program | undefined> {
  const workspace = await openWorkspace({ flags });
  const source = await readProgram(file);
  const toolbox = await openToolbox(workspace);
  try {
    const { program, diagnostics } = checkSource(source, {
      dialect: workspace.settings.dialect?.value,
      specs: toolbox.specs,
      inputs: flags.input ?? [],
      limits: limitsIn(workspace.settings),
    });
    sayDiagnostics(diagnostics, source);
    return program;
  } finally {
    toolbox.close();
  }
}
