/** What `planvm compile` makes of valid playbooks: their numbered steps. */

import { writeFileSync } from 'node:fs';
import { countedLines, explainedText } from '../../agent/playbook/explained.ts';
import { mannerOf } from '../../agent/playbook/manner-of.ts';
import { AgentError } from '../../agent/port/errors.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/check.ts';
import { besideName, refuseEdited, type Source, stamped } from '../../agent/program/source.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { flatLines, isMachines, type Line } from '../../dialects/playbook/compiled.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { playbookId } from '../../dialects/playbook/source/models.ts';
import type { Place, SourceLine } from '../../dialects/playbook/source/tree.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { say } from '../view/output.ts';
import { explainedLines } from './explain.ts';

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
  const whole = flags.ask
    ? await writtenBeside({ source, workspace, toolbox }, text, flags.force === true)
    : text;
  if (flags.explain) {
    const { inline: inlineSteps } = mannerOf(workspace, flags, source.text);
    const { named: models } = saidModels(workspace.settings);
    for (const line of explainedLines(explainedText(whole, specs, { inlineSteps, models }))) {
      say(line);
    }
  }
  return flags.diff ? sideBySide(written.text, whole, specs) : whole;
}

const columnWidth = 56;

/** The lines of playbooks, and beside each the steps of a compiled text that stand for it. */
function sideBySide(source: string, compiledText: string, specs: Toolbox['specs']): string {
  const { agents } = compiledOf(readTree(compiledText).tree, specs.values());
  const steps = agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => flatLines(one.lines)));
  const stepsByPlace = Map.groupBy(steps, ({ place }) => placeKey(place));
  const rowsOf = ({ place, text }: SourceLine): string[] => {
    const line = clip(`${String(place.line).padStart(4)} ${oneLine(text)}`, columnWidth);
    const [first = '', ...others] = (stepsByPlace.get(placeKey(place)) ?? []).map(stepText);
    const rows = [[line, first], ...others.map((step) => ['', step])];
    return rows.map(([left = '', right]) => `${left.padEnd(columnWidth)}  ${right}`.trimEnd());
  };
  const parts = readTree(source).tree.file.agents.flatMap((agent) =>
    agent.playbooks.map((playbook) =>
      [playbookId(agent, playbook), ...flatLines(playbook.steps).flatMap(rowsOf)].join('\n'),
    ),
  );
  return `${parts.join('\n\n')}\n`;
}

const placeKey = ({ column, file = '', line }: Place): string => [line, column, file].join(' ');

const stepText = (line: Line): string =>
  `${line.number}:${line.code}${isMachines(line) ? ' ' : '?'} ${oneLine(line.text)}`;

/**
 * Writes what a model proposes beside the source; returns it. Throws `AgentError` PV6014 for a file
 * that a person has changed.
 */
async function writtenBeside(
  { source, workspace, toolbox }: Omit<Playbooks, 'written'>,
  compiled: string,
  force: boolean,
): Promise<string> {
  const { file, text, title } = source;
  const name = besideName(file);
  if (name === undefined && file !== 'stdin') {
    const hint = 'FILE.playbook.md, FILE.pb and SKILL.md can be compiled so';
    throw new AgentError('PV6002', `got ${file}, which is not a playbook in words`, { hint });
  }
  if (!force) refuseEdited(source);
  const { transpile } = await import('../../agent/loops/transpile-run.ts');
  const { workHere } = await import('../run/work-here.ts');
  let proposed = compiled;
  await workHere({ workspace, flags: {} }, async (work) => {
    const made = await transpile({ ...work, toolbox, source });
    for (const problem of made?.problems ?? []) say(`stays as it is written: ${problem}`);
    proposed = made?.text ?? compiled;
    return exit.done;
  });
  const { formal, open } = countedLines(proposed, toolbox.specs);
  const counts = `${count(formal, 'formal line')}, ${count(open, 'open line')}`;
  if (name === undefined) {
    say(`${title}: ${counts}`);
    return proposed;
  }
  const whole = stamped(proposed, text);
  writeFileSync(name, whole);
  say(`wrote ${name}: ${counts}; it is used in the place of ${title} while that stays as it is`);
  return whole;
}
