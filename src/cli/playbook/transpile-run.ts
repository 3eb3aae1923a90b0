/** `planvm compile --ask`: a run of the loop `transpile`, and the file beside the playbook. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { runLoop } from '../../agent/loops/loop-run.ts';
import { AgentError } from '../../agent/port/errors.ts';
import { journalPath, type Workspace } from '../../agent/port/workspace.ts';
import { besideName, refuseEdited, type Source, stamped } from '../../agent/program/source.ts';
import { nothingUsed } from '../../agent/run/usage.ts';
import { refuseSecrets, type Toolbox } from '../../agent/tools/toolbox.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { offeredTools } from '../../planner/playbook/prompt/offered.ts';
import {
  hasOpenLines,
  type TranspileTask,
  transpileHandlers,
} from '../../planner/playbook/transpile.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { say } from '../view/output.ts';
import { countedLines } from './explain.ts';

/** How often the model may write: once more with what does not hold. */
const rounds = 2;

export interface TranspileCall {
  readonly source: Source;
  /** As it is compiled without a model. */
  readonly compiled: string;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  /** Whether a file is replaced that a person has changed. */
  readonly force: boolean;
}

/**
 * Writes what a model proposes beside the source; returns it. Throws as `runLoop` does, and
 * `AgentError` PV6014 for a file that a person has changed.
 */
export async function transpiled(call: TranspileCall): Promise<string> {
  const { compiled, force, source, toolbox } = call;
  const { file, text, title } = source;
  const name = besideName(file);
  if (name === undefined && file !== 'stdin') {
    const hint = 'FILE.playbook.md, FILE.pb and SKILL.md can be compiled so';
    throw new AgentError('PV6002', `got ${file}, which is not a playbook in words`, {
      hint,
    });
  }
  if (!force) refuseEdited(source);
  const isBuiltIn = (tool: string): boolean => toolbox.origins.get(tool) === 'built in';
  const offered = offeredTools(toolbox.specs, isBuiltIn, text);
  const tools = [...offered.values()].map(({ name, aliases = [], description, parameters }) => {
    return { name, aliases, description: clip(oneLine(description), 160), parameters };
  });
  const task: TranspileTask = { text, tools };
  const proposed = hasOpenLines(task) ? await proposedBy(task, call) : compiled;
  const { formal, open } = countedLines(proposed, toolbox.specs);
  const counts = `${count(formal, 'formal line')}, ${count(open, 'open line')}`;
  const whole = name === undefined ? proposed : stamped(proposed, text);
  if (name !== undefined) writeFileSync(name, whole);
  say(
    name === undefined
      ? `${title}: ${counts}`
      : `wrote ${name}: ${counts}; it is used in the place of ${title} while that stays as it is`,
  );
  return whole;
}

async function proposedBy(
  task: TranspileTask,
  { source, toolbox, workspace }: TranspileCall,
): Promise<string> {
  refuseSecrets(workspace, 'the program', task.text);
  const model = toolbox.models.planner;
  const journal = openJournal(journalPath(workspace));
  try {
    const host = terminalHost({ flags: {}, report: () => exit.failed });
    const { answer } = await runLoop({
      ...{ journal, isDurable: true, workspace, toolbox, host, spent: nothingUsed },
      name: 'transpile',
      ...{ handlers: () => transpileHandlers(model), inputs: { task, rounds } },
      ...{ title: `compile ${source.title}`, settings: { transpiling: true } },
      ...{ model: model().name, doing: 'proposing steps' },
    });
    const read = answerShape.safeParse(answer);
    if (!read.success) {
      throw new PlanFailure('PV7004', 'the loop that compiles playbooks answered with none', {
        hint: 'a loop answers with {"compiled", "problems"}',
      });
    }
    for (const problem of read.data.problems) say(`stays as it is written: ${problem}`);
    return read.data.compiled;
  } finally {
    journal.close();
  }
}

const answerShape = z.object({ compiled: z.string(), problems: z.array(z.string()) });
