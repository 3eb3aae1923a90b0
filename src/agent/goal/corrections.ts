/**
 * What comes behind a run that has ended: it is repaired where it failed, judged where it has
 * answered, and changed by what was said of it. Stages of the way in pursuit.ts, which runs them.
 */

import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import { withVerdicts } from '../../engine/judged.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { dialectNamed, PlanFailure } from '../../planner/planner.ts';
import { quoted } from '../../planner/quoted.ts';
import type { Revision } from '../../planner/revision.ts';
import type { Program } from '../../program/program.ts';
import { oneLine } from '../../text/words.ts';
import { describeFailure } from '../evidence/failure-text.ts';
import { revisionOf } from '../evidence/revision-of.ts';
import { type Change, writeChange } from '../loops/change-run.ts';
import { isLastWord, judgeRun } from '../loops/judge-run.ts';
import { remaining } from '../run/usage.ts';
import type { Pursuit } from '../run/work.ts';
import {
  type At,
  after,
  behind,
  type Course,
  type Over,
  type Result,
  type Stage,
} from './course.ts';

/** What has failed is repaired, what has answered is judged, as often as was asked for. */
export async function lookAt(pursuit: Pursuit, stage: At<'ended'>): Promise<Stage> {
  const { asked } = stage;
  const result = answeredOr(stage);
  const isRepairable = !isModelUnavailable(result.error?.code);
  if (result.status === 'failed' && asked.repairs > 0 && isRepairable) {
    return await repair(pursuit, { ...stage, result });
  }
  if (result.status !== 'done' || asked.revisions === undefined) {
    return { ...stage, result, at: 'over' };
  }
  const { run, answers } = result;
  const workspace = remaining(pursuit.workspace, stage.spent);
  const { goal } = asked;
  try {
    const course = behind(stage, run);
    const judged = await judgeRun({ ...pursuit, ...course, workspace, run, answers, goal });
    const { verdict } = judged;
    const past = readPast(pursuit.journal.events(run));
    return {
      ...after(stage, judged.usage),
      ...{ at: 'judged', ran: stage.ran, verdict, result: withVerdicts(result, past.verdicts) },
    };
  } catch (error) {
    return without(pursuit, stage, error);
  }
}

/** Who asks wants an answer: a program that ends without one has failed. */
function answeredOr({ result, ran, asked }: At<'ended'>): RunResult {
  const isAsked = asked.route !== undefined && !asked.talk;
  if (!isAsked || result.status !== 'done' || result.answers.length > 0) return result;
  const error = {
    ...{ code: 'PV7005', message: 'the program ended without an answer' },
    ...{ step: '', line: 0, column: 0 },
    hint: dialectNamed(ran.program.dialect).answerHint,
  };
  return { ...result, status: 'failed', error };
}

/** Where the model does not do its part, the run that is there is the end. */
export function without(pursuit: Pursuit, stage: Course & Result, error: unknown): Over {
  if (!(error instanceof PlanFailure)) throw error;
  const { code, message, hint } = error;
  pursuit.host.notice?.({ type: 'step.skipped', code, message, hint });
  return { ...stage, at: 'over' };
}

async function repair(pursuit: Pursuit, stage: At<'ended'>): Promise<Stage> {
  const { result, ran, asked } = stage;
  const { error, run } = result;
  const told = error ? describeFailure(error, ran.source) : 'it failed';
  const attempt = asked.refused.length + 1;
  pursuit.host.notice?.({
    ...{ type: 'repair.began', run, attempt, text: told },
    ...(error && { error }),
  });
  // What was not mended in part is written anew as a whole, where that is the last way.
  const isLast = asked.repairs === 1 && attempt > 1;
  const revision = revisionOf({
    ...{ journal: pursuit.journal, run, goal: asked.goal, refused: asked.refused },
    at: error?.step === '' ? undefined : error?.step,
    scopes: isLast || error?.step === '' ? ['plan'] : ['step', 'rest', 'plan'],
    ...(isLast && ran.program.dialect === 'starlark' && { isLast: true }),
    error: [told, aimOf(ran.program, error?.step)].filter((part) => part !== '').join('\n'),
    about: error ? `${error.code} ${error.message}` : told,
  });
  const left = { ...asked, repairs: asked.repairs - 1, refused: revision.refused };
  return await change(pursuit, { ...stage, asked: left }, revision);
}

/** Takes a verdict: what was rejected is revised, as often as was asked for. */
export async function follow(pursuit: Pursuit, stage: At<'judged'>): Promise<Stage> {
  const { verdict, result, asked } = stage;
  const { revisions = 0 } = asked;
  pursuit.host.notice?.({ type: 'verdict.given', run: result.run, verdict });
  if (isLastWord(verdict) || revisions === 0) return { ...stage, at: 'over' };
  const { reason, outcome, rewritten = '' } = verdict;
  const isReworded = outcome === 'rewrite answer' && rewritten !== '';
  const rest = { ...asked, revisions: revisions - 1 };
  if (isReworded && stage.ran.program.dialect === 'starlark') {
    const base = behind({ ...stage, asked: rest }, result.run);
    return { ...base, at: 'changed', change: reworded(stage, reason, rewritten) };
  }
  const suggestion = isReworded ? `Rather answer: ${rewritten}` : verdict.suggestion;
  // Loops over tasks are loaded where one may have run: not before each run of a program.
  const { takesNotes } = await import('../loops/note-run.ts');
  if (takesNotes(pursuit.journal, result.run)) {
    const note = `${reason}\n${suggestion}`.trim();
    return { ...stage, asked: rest, at: 'noted', run: result.run, note };
  }
  const revision = revisionOf({
    ...{ journal: pursuit.journal, run: result.run, goal: asked.goal, refused: asked.refused },
    scopes: ['plan'],
    suggestion: [`The answer was rejected: ${reason}`, suggestion].join('\n').trim(),
    about: suggestion === '' ? reason : suggestion,
  });
  const left = { ...rest, refused: revision.refused };
  return await change(pursuit, { ...stage, asked: left }, revision);
}

/** The program as it is, and behind it the answer in other words: the first one stays. */
function reworded({ result, ran, asked }: At<'judged'>, reason: string, words: string): Change {
  const text = ran.source.text.trimEnd();
  const why = `# In other words, since: ${oneLine(reason)}`;
  const program = `${text}\n\n${why}\nanswer(${quoted(words)})\n`;
  const { goal, refused } = asked;
  const { run: base } = result;
  const dialect = 'starlark';
  const about = `rewrite answer: ${reason}`;
  const revision: Revision = {
    ...{ goal, dialect, program: text, scopes: ['plan'], states: {}, variables: [], writes: [] },
    ...{ refused, about },
  };
  return { base, revision, program, scope: 'plan' };
}

async function change(
  pursuit: Pursuit,
  stage: Course & Result,
  revision: Revision,
): Promise<Stage> {
  const base = stage.result.run;
  const { asked, spent } = behind(stage, base);
  const workspace = remaining(pursuit.workspace, spent);
  try {
    const written = await writeChange({ ...pursuit, workspace, base, revision, asked, spent });
    const course = behind(after(stage, written.usage), written.run);
    return { ...course, at: 'changed', change: written.change };
  } catch (error) {
    return without(pursuit, stage, error);
  }
}

/** What the step that failed was for, in its author's words. */
function aimOf({ steps }: Program, step = ''): string {
  const label = step.replace(/@\d+$/, '');
  const objective = steps.find((one) => one.label === label)?.objective;
  return objective === undefined ? '' : `  step ${label} was for: ${objective}`;
}
