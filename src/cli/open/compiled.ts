/**
 * The program of a file, compiled with the tools that a run of it would have. What a loop
 * interprets is compiled to a text.
 */
import { playbook } from '../../dialects/playbook/index.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../dialects/playbook/tree-of.ts';
import type { Program } from '../../program/program.ts';
import { saidModels } from '../program/agent-models.ts';
import { readingInputsOf } from '../program/inputs.ts';
import { mannerOf } from '../program/manner-of.ts';
import { checkSource, joinsIn, sayDiagnostics } from '../program/program.ts';
import { readProgram } from '../program/source.ts';
import { withUsedPlans } from '../program/used-plans.ts';
import type { PlanFlags } from '../run/run-options.ts';
import { limitsIn } from '../settings/settings.ts';
import { openWorkspace, type SettingFlags, type Workspace } from '../settings/workspace.ts';
import { openToolbox, type Toolbox } from '../tools/toolbox.ts';
import { say } from '../view/output.ts';
import { withServersOf } from './servers-of.ts';

export interface CompileFlags extends SettingFlags, PlanFlags {
  /** Names of the input variables. */
  readonly input?: readonly string[];
  /** Whether a model is asked what lines of playbooks mean that are left open. */
  readonly ask?: true;
  /** Whether to say on stderr what became of playbooks, and why. */
  readonly explain?: true;
  /** The most steps of playbooks that are said to stand in the place of their calls. */
  readonly inline?: number;
  /** Whether the model is asked although it was before. */
  readonly settleAgain?: true;
}

/** Says what is wrong with it, and gives nothing then. */
export async function compiled(
  file: string,
  flags: CompileFlags,
): Promise<Program | string | undefined> {
  const own = await openWorkspace({ flags });
  const source = await withUsedPlans(await readProgram(file), own);
  const workspace = await withServersOf(source, own, { contact: 'never' });
  const joins = flags.join !== false && joinsIn(source, workspace);
  const toolbox = await openToolbox(workspace, { joins });
  try {
    const { dialect, diagnostics, ok, program } = checkSource(source, {
      dialect: workspace.settings.dialect?.value,
      specs: toolbox.specs,
      inputs: [...(flags.input ?? []), ...readingInputsOf(flags).map(([name]) => name)],
      limits: limitsIn(workspace.settings),
      models: saidModels(workspace.settings),
    });
    sayDiagnostics(diagnostics, source);
    if (!ok || program) return program;
    if (dialect !== playbook.name) return undefined;
    const text = printCompiled(compiledOf(readTree(source.text).tree, toolbox.specs.values()));
    const isAsked = flags.ask || flags.settleAgain;
    const whole = isAsked ? await asked(text, source.title, workspace, toolbox, flags) : text;
    if (flags.explain) {
      const { explainedLines, explainedText } = await import('../playbook/explain.ts');
      const { inline: inlineSteps } = mannerOf(workspace, flags, source.text);
      const options = { inlineSteps, models: saidModels(workspace.settings).named };
      for (const line of explainedLines(explainedText(whole, toolbox.specs, options))) say(line);
    }
    return whole;
  } finally {
    toolbox.close();
  }
}

async function asked(
  compiled: string,
  title: string,
  workspace: Workspace,
  toolbox: Toolbox,
  { settleAgain }: CompileFlags,
): Promise<string> {
  const { settledLines } = await import('../playbook/lines-run.ts');
  return await settledLines({
    ...{ compiled, title, workspace, toolbox },
    ...(settleAgain && { flags: { settleAgain } }),
  });
}
