/**
 * The program of a file, compiled with the tools that a run of it would have. What a loop
 * interprets is compiled to a text.
 */

import { checkIn } from '../../agent/program/check.ts';
import { withBeside } from '../../agent/program/source.ts';
import { withNeeds } from '../../agent/program-needs.ts';
import { openToolbox } from '../../agent/tools/toolbox.ts';
import { playbook } from '../../dialects/playbook/index.ts';
import type { Program } from '../../program/program.ts';
import type { CompilePlaybookFlags } from '../playbook/compile-playbooks.ts';
import type { PlanFlags } from '../run/run-options.ts';
import { openWorkspace, type SettingFlags } from '../settings/workspace.ts';
import { readingInputsOf } from './inputs.ts';
import { readSource, sayDiagnostics } from './read-program.ts';

export interface CompileFlags extends SettingFlags, PlanFlags, CompilePlaybookFlags {
  /** Names of the input variables. */
  readonly input?: readonly string[];
}

/** Says what is wrong with it, and gives nothing then. */
export async function compiled(
  file: string,
  flags: CompileFlags,
): Promise<Program | string | undefined> {
  const own = await openWorkspace({ flags });
  const written = await readSource(file);
  const text = flags.ask ? written : withBeside(written);
  const needs = { contact: 'never', joins: flags.join } as const;
  const { source, workspace, joins } = await withNeeds(text, own, needs);
  const toolbox = await openToolbox(workspace, { joins });
  try {
    const { dialect, diagnostics, ok, program } = await checkIn(workspace, source, {
      specs: toolbox.specs,
      inputs: [...(flags.input ?? []), ...readingInputsOf(flags).map(([name]) => name)],
    });
    sayDiagnostics(diagnostics, source);
    if (!ok || program) return program;
    if (dialect !== playbook.name) return undefined;
    const { compiledPlaybooks } = await import('../playbook/compile-playbooks.ts');
    return await compiledPlaybooks({ written, source, workspace, toolbox }, flags);
  } finally {
    toolbox.close();
  }
}
