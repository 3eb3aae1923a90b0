/** The stage of a pursuit that comes behind a run that is taken up again. */

import { checkProgram } from '../../dialects/index.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Value } from '../../program/value.ts';
import { changedBy, changeFrom, revisionIn } from '../loops/change-run.ts';
import { isLastWord, judgedBy, keepAnswer } from '../loops/judge-run.ts';
import { keptPlanning } from '../loops/plan-run.ts';
import { decisionIn, isRouting } from '../loops/route-run.ts';
import { grownFrom, keptTalking } from '../loops/turn-run.ts';
import { askedOf, loopOf } from '../record/asked.ts';
import { type Asked, type KeptJudging, keptOf } from '../record/kept.ts';
import { keptResult } from '../record/kept-result.ts';
import { load } from '../record/load.ts';
import { inputsOf } from '../record/run-inputs.ts';
import type { Ended } from '../run/work.ts';
import { fileOf } from '../settings/kept-settings.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Course, Stage } from './course.ts';
import { usedUpTo } from './course-behind.ts';
import { grownStage, routed, whole } from './pursuit.ts';

/** The inputs of what a run is for: its own, or those that a plan is written for. */
export function pursuedInputs(record: RunSummary): ReadonlyMap<string, Value> {
  const { values } = keptOf(record);
  return values === undefined ? inputsOf(record) : inputsOf({ inputs: values });
}

/** Undefined where nothing comes behind the run: its result is what there is to say. */
export function stageBehind(
  journal: Journal,
  record: RunSummary,
  result: RunResult,
  toolbox: Toolbox,
): Stage | undefined {
  const { models } = toolbox;
  const asked = askedOf(record);
  const judged = judgedBy(record);
  if (judged && result.status === 'done') {
    const verdict = keepAnswer(journal, judged, result.answer, models.judge().name);
    const base = keptResult(journal, judged.run);
    const ran = ranIn(journal, judged.run);
    const wanted = asked ?? noMore(record);
    const course = { asked: wanted, ...usedUpTo(journal, record) };
    return base && { ...course, at: 'judged', verdict, result: base, ran };
  }
  if (!asked) return undefined;
  const course = { asked: { ...asked, from: record.id }, ...usedUpTo(journal, record) };
  if (loopOf(record) === undefined) {
    return { ...course, at: 'ended', result, ran: ranIn(journal, record.id) };
  }
  if (result.status !== 'done') return undefined;
  return behindLoop(journal, record, result.answer, course, toolbox);
}

/** What is made of what a loop that writes, or decides, has answered. */
function behindLoop(
  journal: Journal,
  record: RunSummary,
  answer: unknown,
  course: Course,
  toolbox: Toolbox,
): Stage | undefined {
  if (isRouting(record)) return routed(course, decisionIn(answer).route);
  const talking = keptTalking(record);
  if (talking) {
    const inputs = pursuedInputs(record);
    return grownStage({ journal, toolbox, inputs }, course, grownFrom(answer), talking.base);
  }
  const base = changedBy(record);
  if (base !== undefined) {
    const change = changeFrom(base, revisionIn(journal, record.id), answer);
    return { ...course, at: 'changed', change };
  }
  const planning = keptPlanning(record);
  if (!planning) return undefined;
  const text = String(answer);
  const environment = { tools: toolbox.specs, inputs: planning.inputs };
  const checked = whole(checkProgram(text, environment, { dialect: planning.dialect }));
  const source = { text, file: 'plan', title: course.asked.goal.text };
  return { ...course, at: 'planned', source, checked };
}

/**
 * The same for a run that is done, where a process has ended between it and what was to come: no
 * run says that it came behind, and nothing was said of its answer, or nothing made of what was.
 */
export function stageLeft(
  journal: Journal,
  record: RunSummary,
  toolbox: Toolbox,
): Stage | undefined {
  const result = record.status === 'done' ? keptResult(journal, record.id) : undefined;
  const asked = askedOf(record);
  if (!result || !asked) return undefined;
  const judged = judgedBy(record);
  if (judged) return verdictLeft(journal, record, judged, toolbox);
  const followers = followersOf(journal, record.id, record.createdAt);
  if (followers.length > 0) {
    // What a judge was asked is not over before something was made of its verdict.
    const judges = followers.filter((run) => judgedBy(run) !== undefined);
    const [judge] = followers.length === judges.length ? judges : [];
    return judge && stageLeft(journal, judge, toolbox);
  }
  const isJudged = result.answers.some(({ verdict }) => verdict);
  const isLoop = loopOf(record) !== undefined;
  const isTurn = asked.talk !== undefined && result.answers.length === 0;
  const isLast = asked.revisions === undefined && !isLoop && !isTurn;
  if (isJudged || isLast) return undefined;
  const behind = stageBehind(journal, record, result, toolbox);
  return behind?.at === 'planned' ? { ...behind, isAgreed: true } : behind;
}

/** Whether the answer of a run that is done is the last: it was judged at most, and not revised. */
export const isAnswer = (journal: Journal, record: RunSummary): boolean =>
  record.status === 'done' &&
  loopOf(record) === undefined &&
  followersOf(journal, record.id, record.createdAt).every((run) => judgedBy(run) !== undefined);

/** What was to come behind a judge: its verdict is to be kept, or the answer to be revised. */
function verdictLeft(
  journal: Journal,
  record: RunSummary,
  judged: KeptJudging,
  toolbox: Toolbox,
): Stage | undefined {
  const asked = askedOf(record);
  const result = keptResult(journal, judged.run);
  if (!asked || !result) return undefined;
  const verdict = result.answers[judged.answer]?.verdict;
  if (!verdict) {
    const kept = keptResult(journal, record.id);
    return kept && stageBehind(journal, record, kept, toolbox);
  }
  const isRevised = followersOf(journal, judged.run, record.createdAt).some(
    (run) => changedBy(run) === judged.run || run.base?.run === judged.run,
  );
  if (isLastWord(verdict) || isRevised || (asked.revisions ?? 0) === 0) return undefined;
  const course = { asked, ...usedUpTo(journal, record) };
  return { ...course, at: 'judged', verdict, result, ran: ranIn(journal, judged.run) };
}

/** What comes behind a run is made at once: no need to look far. */
const followersMost = 1000;

/** Runs that came behind one, begun at a moment or later. */
export const followersOf = (journal: Journal, id: string, since: number): readonly RunSummary[] =>
  journal
    .list({ limit: followersMost, since })
    .filter((run) => run.id !== id && askedOf(run)?.from === id);

function ranIn(journal: Journal, run: string): Ended {
  const { program, source } = loadProgram(run, readPast(journal.events(run)), load);
  const summary = journal.find(run);
  const file = summary ? fileOf(summary) : 'plan';
  return { program, source: { text: source.text, file, title: summary?.title ?? '' } };
}

/** A run that nobody has asked for in words: nothing follows from what is said of it. */
const noMore = ({ title }: RunSummary): Asked => ({
  ...{ goal: { text: title }, corrections: 2, repairs: 0, refused: [], sequential: false },
});
