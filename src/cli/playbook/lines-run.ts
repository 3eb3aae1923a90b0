/**
 * Lines of playbooks that the compiler leaves open, settled by a model: a run of the loop `lines`.
 * What it has said is kept by what it was asked, so nobody is asked twice about the same lines; and
 * what that makes of them, the compiler says each time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readCompiled } from '../../dialects/playbook/pbasm/read-compiled.ts';
import { type OpenLine, openLines } from '../../dialects/playbook/steps/open/settle.ts';
import { keepFile, touchFile } from '../../effects/kept-files.ts';
import type { Handler } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { ResultError, RunResult } from '../../engine/result.ts';
import { PlanFailure } from '../../planner/planner.ts';
import {
  conversation,
  type LinesTask,
  linesHandlers,
  settledBy,
} from '../../planner/playbook/lines.ts';
import { type LoopPlace, runLoop } from '../planning/loop-run.ts';
import { nothingUsed } from '../planning/planning.ts';
import { isLinesRun } from '../record/asked.ts';
import type { Kept } from '../record/kept.ts';
import { inputData } from '../record/run-inputs.ts';
import { journalPath, type Workspace } from '../settings/workspace.ts';
import { refuseSecrets, type Toolbox } from '../tools/toolbox.ts';
import { say, styleOf } from '../view/output.ts';
import { clip, count, oneLine } from '../view/text.ts';

/** How often the model may say what lines mean: once more where it does not hold. */
const rounds = 2;

export interface LinesQuestion {
  /** As `planvm compile` prints it. */
  readonly compiled: string;
  readonly title: string;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly flags?: {
    readonly quiet?: true;
    readonly verbose?: true;
    /** Whether the model is asked, whatever has come of it before. */
    readonly settleAgain?: true;
  };
  /** What the record of the run keeps besides. */
  readonly settings?: Kept;
}

/** Where nothing is to be left on the disk, nothing is kept for later either. */
type Place = Pick<LoopPlace, 'journal' | 'kept'>;

/** Playbooks whose open lines are settled, as far as they are. */
export interface Settled {
  /** Compiled, as `planvm compile` prints it. */
  readonly text: string;
  /** The run that has asked what they mean; absent where no run had to. */
  readonly run?: string;
}

/** The compiled text with what a model has made of its open lines. Throws as `runLoop` does. */
export async function settledLines(question: LinesQuestion): Promise<string> {
  const journal = openJournal(journalPath(question.workspace));
  try {
    return (await settledIn(question, { journal, kept: true })).text;
  } finally {
    journal.close();
  }
}

/** The same before a run that keeps a journal of its own. */
export async function settledIn(question: LinesQuestion, place: Place): Promise<Settled> {
  const { compiled, title, workspace, toolbox, flags = {} } = question;
  const open = openLines(readCompiled(compiled).compiled);
  if (open.length === 0) return { text: compiled };
  refuseSecrets(workspace, 'the program', compiled);
  const tools = [...toolbox.specs.values()].map(({ name, description, parameters }) => {
    return { name, about: clip(oneLine(description), 160), parameters };
  });
  const task: LinesTask = { compiled, tools };
  const model = toolbox.models.planner;
  const file = keptFile(workspace, task, model().name);
  const said = flags.settleAgain ? undefined : read(file);
  const kept = said && settledBy(task, said);
  sayOpen(kept === undefined ? open : openLines(readCompiled(kept).compiled), question, kept);
  if (kept !== undefined) {
    await touchFile(file);
    return { text: kept };
  }
  const { answer, run } = await runLoop({
    ...{ ...place, workspace, flags, spent: nothingUsed, name: 'lines' },
    ...{ handlers: () => linesHandlers(model), inputs: { task, rounds } },
    ...{
      title: `lines: ${title}`,
      settings: { ...question.settings, lines: true },
      model: model().name,
    },
    doing: `asking about ${count(open.length, 'open line')}`,
  });
  const found = answerIn(answer);
  if (!flags.quiet) for (const line of found.open) say(`still open: ${line}`);
  if (place.kept) await keep(file, found.replies);
  return { text: found.compiled, run };
}

async function keep(file: string, replies: readonly string[]): Promise<void> {
  await keepFile(file, Buffer.from(JSON.stringify(replies)), { folder: dirname(file) });
}

/**
 * What has come of a run that was taken up again: kept where it is done, else the lines stay as
 * they are written, as when a run fails that nobody had to take up.
 */
export async function settledBehind(
  { workspace, toolbox }: Pick<LinesQuestion, 'workspace' | 'toolbox'>,
  record: RunRecord,
  { status, answer, error }: Pick<RunResult, 'status' | 'answer' | 'error'>,
): Promise<Settled> {
  const task = inputData(record, 'task') as LinesTask;
  if (status !== 'done') {
    sayLeftOpen(error);
    return { text: task.compiled, run: record.id };
  }
  const { compiled, replies } = answerIn(answer);
  await keep(keptFile(workspace, task, toolbox.models.planner().name), replies);
  return { text: compiled, run: record.id };
}

export function sayLeftOpen(error: Pick<ResultError, 'code' | 'message'> | undefined): void {
  say(`open lines are done as they are written: ${error?.code} ${error?.message}`);
}

/** Lines that a model is asked about now; or, of what is `kept`, that have stayed open before. */
function sayOpen(
  lines: readonly OpenLine[],
  { title, flags }: LinesQuestion,
  kept: string | undefined,
): void {
  if (flags?.quiet || lines.length === 0) return;
  const { dim } = styleOf(process.stderr);
  const how = kept === undefined ? 'is open' : 'has stayed open';
  for (const { text, place: at } of lines) {
    say(dim(`${title}:${at.line}:${at.column} ${how}: ${clip(oneLine(text), 100)}`));
  }
  if (kept !== undefined) say(dim('--settle-again asks the model once more'));
}

/** The effects that the record of such a run was started with; undefined for other runs. */
export const linesEffects = (
  record: RunRecord,
  { models }: Toolbox,
): ReadonlyMap<string, Handler> | undefined =>
  isLinesRun(record) ? linesHandlers(models.planner) : undefined;

function answerIn(answer: unknown): z.infer<typeof answerShape> {
  const read = answerShape.safeParse(answer);
  if (read.success) return read.data;
  throw new PlanFailure('PV7004', 'the loop that settles lines answered with no playbooks', {
    hint: 'a loop answers with {"compiled", "open", "replies"}',
  });
}

const answerShape = z.object({
  compiled: z.string(),
  open: z.array(z.string()),
  replies: z.array(z.string()),
});

/** Another model, or another text that it is shown, is another question. */
function keptFile({ home }: Workspace, task: LinesTask, model: string): string {
  const text = JSON.stringify([model, conversation(task)]);
  return join(home, 'lines', `${createHash('sha256').update(text).digest('hex')}.json`);
}

/** What is no list of replies was not kept whole. */
function read(file: string): readonly string[] | undefined {
  try {
    return answerShape.shape.replies.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
