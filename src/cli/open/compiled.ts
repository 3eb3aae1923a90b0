/**
 * The program of a file, compiled with the tools that a run of it would have. What a loop
 * interprets is compiled to a text.
 */
import { playbook } from '../../dialects/playbook/index.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../dialects/playbook/tree-of.ts';
import type { Program } from '../../program/program.ts';
import { saidModels } from '../program/agent-models.ts';
import { withBeside } from '../program/compiled-beside.ts';
import { readingInputsOf } from '../program/inputs.ts';
import { mannerOf } from '../program/manner-of.ts';
import { checkSource, joinsIn, sayDiagnostics } from '../program/program.ts';
import { readWritten } from '../program/source.ts';
import { withUsedPlans } from '../program/used-plans.ts';
import type { PlanFlags } from '../run/run-options.ts';
import { limitsIn } from '../settings/settings.ts';
import { openWorkspace, type SettingFlags } from '../settings/workspace.ts';
import { openToolbox } from '../tools/toolbox.ts';
import { say } from '../view/output.ts';
import { withServersOf } from './servers-of.ts';

export interface CompileFlags extends SettingFlags, PlanFlags {
  /** Names of the input variables. */
  readonly input?: readonly string[];
  /** Whether a model proposes the steps of playbooks. */
  readonly ask?: true;
  /** Whether the lines of playbooks are shown beside their steps. */
  readonly diff?: true;
  /** Whether a compiled file is replaced that a person has changed. */
  readonly force?: true;
  /** Whether to say on stderr what became of playbooks, and why. */
  readonly explain?: true;
  /** The most steps of playbooks that are said to stand in the place of their calls. */
  readonly inline?: number;
}

/** Says what is wrong with it, and gives nothing then. */
export async function compiled(
  file: string,
  flags: CompileFlags,
): Promise<Program | string | undefined> {
  const own = await openWorkspace({ flags });
  const written = await readWritten(file);
  const source = await withUsedPlans(flags.ask ? written : withBeside(written), own);
  const workspace = await withServersOf(source, own, { contact: 'never' });
  const joins = flags.join !== false && joinsIn(source, workspace);
  const toolbox = await openToolbox(workspace, { joins });
  const asked = async (text: string): Promise<string> => {
    const { transpiled } = await import('../playbook/transpile-run.ts');
    const force = flags.force === true;
    return await transpiled({ source, compiled: text, workspace, toolbox, force });
  };
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
    const whole = flags.ask ? await asked(text) : text;
    if (flags.explain) {
      const { explainedLines, explainedText } = await import('../playbook/explain.ts');
      const { inline: inlineSteps } = mannerOf(workspace, flags, source.text);
      const options = { inlineSteps, models: saidModels(workspace.settings).named };
      for (const line of explainedLines(explainedText(whole, toolbox.specs, options))) say(line);
    }
    if (!flags.diff) return whole;
    const { sideBySide } = await import('../playbook/compiled-diff.ts');
    return sideBySide(written.text, whole, toolbox.specs);
  } finally {
    toolbox.close();
  }
}
