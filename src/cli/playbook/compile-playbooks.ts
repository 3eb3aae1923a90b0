/** What `planvm compile` makes of valid playbooks: their numbered steps. */

import { mannerOf } from '../../agent/playbook/manner-of.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/check.ts';
import type { Source } from '../../agent/program/source.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { say } from '../view/output.ts';
import { explainedLines, explainedText } from './explain.ts';

export interface CompilePlaybookFlags {
  /** Whether a model proposes the steps of playbooks. */
  readonly ask?: true;
  /** Whether a compiled file is replaced that a person has changed. */
  readonly force?: true;
  /** Whether to say on stderr what became of playbooks, and why. */
  readonly explain?: true;
  /** The most steps of playbooks that are said to stand in the place of their calls. */
  readonly inline?: number;
}

interface Playbooks {
  /** As they are run: perhaps compiled already. */
  readonly source: Source;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
}

export async function compiledPlaybooks(
  { source, workspace, toolbox }: Playbooks,
  flags: CompilePlaybookFlags,
): Promise<string> {
  const { specs } = toolbox;
  const text = printCompiled(compiledOf(readTree(source.text).tree, specs.values()));
  const asked = async (): Promise<string> => {
    const { transpiled } = await import('./transpile-run.ts');
    const force = flags.force === true;
    return await transpiled({ source, compiled: text, workspace, toolbox, force });
  };
  const whole = flags.ask ? await asked() : text;
  if (flags.explain) {
    const { inline: inlineSteps } = mannerOf(workspace, flags, source.text);
    const { named: models } = saidModels(workspace.settings);
    for (const line of explainedLines(explainedText(whole, specs, { inlineSteps, models }))) {
      say(line);
    }
  }
  return whole;
}
