/** What `planvm compile` makes of valid playbooks: their numbered steps. */

import { mannerOf } from '../../agent/playbook/manner-of.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/agent-models.ts';
import type { Source } from '../../agent/program/source.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { flatLines, isMachines, type Line } from '../../dialects/playbook/compiled.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { flatLines as flatSource, type Place } from '../../dialects/playbook/source/tree.ts';
import { clip, oneLine } from '../../text/words.ts';
import { say } from '../view/output.ts';
import { explainedLines, explainedText } from './explain.ts';

export interface CompilePlaybookFlags {
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

interface Playbooks {
  /** As the author has written them. */
  readonly written: Source;
  /** As they are run: perhaps compiled already. */
  readonly source: Source;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
}

export async function compiledPlaybooks(
  { written, source, workspace, toolbox }: Playbooks,
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
  return flags.diff ? sideBySide(written.text, whole, specs) : whole;
}

const columns = 56;

/** The lines of playbooks, and beside each the steps that it became in a compiled text. */
function sideBySide(source: string, compiledText: string, specs: Toolbox['specs']): string {
  const { file } = readTree(source).tree;
  const { agents } = compiledOf(readTree(compiledText).tree, specs.values());
  const lines = agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => flatLines(one.lines)));
  const steps = Map.groupBy(lines, ({ place }) => keyOf(place));
  const rows = file.agents.flatMap(({ name, playbooks }) =>
    playbooks.flatMap((playbook) => [
      `${name}.${playbook.name}`,
      ...flatSource(playbook.steps).flatMap(({ place, text }) => {
        const line = clip(`${String(place.line).padStart(4)} ${oneLine(text)}`, columns);
        const [first = '', ...others] = (steps.get(keyOf(place)) ?? []).map(stepText);
        const all = [[line, first], ...others.map((step) => ['', step])];
        return all.map(([left = '', right]) => `${left.padEnd(columns)}  ${right}`.trimEnd());
      }),
      '',
    ]),
  );
  return `${rows.join('\n').trimEnd()}\n`;
}

const keyOf = ({ column, file = '', line }: Place): string => [line, column, file].join(' ');

const stepText = (line: Line): string =>
  `${line.number}:${line.code}${isMachines(line) ? ' ' : '?'} ${oneLine(line.text)}`;
