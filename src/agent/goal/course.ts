/**
 * The way from a goal to its answer, as data and pure functions: a course says what is to be done
 * next, and `apply` where it stands after that was done. Live work (pursuit.ts) and resuming
 * (resumed.ts) share them, so a process may stop between any two commands.
 *
 * Owns every decision: which way to answer, what is repaired, judged or revised, and how often.
 * Does not own the doing (perform.ts): facts of the journal and the toolbox arrive within `Done`.
 */

import { quoted } from '../../dialects/starlark/quoted.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { Usage } from '../../engine/handler.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import type { RunResult } from '../../engine/result.ts';
import { dialectNamed } from '../../planner/planner.ts';
import type { Program } from '../../program/program.ts';
import { count, oneLine } from '../../text/words.ts';
import { describeFailure } from '../evidence/failure-text.ts';
import type { Wanted } from '../evidence/revision-of.ts';
import type { Change } from '../loops/change-run.ts';
import type { Source } from '../program/source.ts';
import type { Asked } from '../record/kept.ts';
import { isTalkOver, newTalk, talkAfter } from '../record/talk.ts';
import type { ProgramRun } from '../run/run-program.ts';
import { nothingUsed, sum } from '../run/usage.ts';
import type { Ended } from '../run/work.ts';

/** What is known at every point of the way. */
export interface Progress {
  /** What is still wanted; `from` is the run that the next one comes after. */
  readonly asked: Asked;
  /** What was used: all of it, and what went into planning, repairing and judging. */
  readonly spent: Usage;
  readonly planning: Usage;
}

/** Where a course stands: at the command that comes next, or at the end. */
export type Course = Command | End;

/** What is to be done next, with all that it needs. */
export type Command = Progress &
  (
    | { readonly next: 'direct' | 'plan' }
    /** `base`: the run of the turn before, whose end stands where no next one is written. */
    | (Partial<EndedRun> & { readonly next: 'turn'; readonly base: string | undefined })
    /** `isAgreed`: somebody has gone on with it who could have looked at it. */
    | (Written & { readonly next: 'review'; readonly isAgreed?: boolean })
    | (Written & { readonly next: 'run' })
    | { readonly next: 'fork'; readonly change: Change }
    | { readonly next: 'note'; readonly run: string; readonly note: string }
    | (EndedRun & { readonly next: 'change'; readonly request: ChangeRequest })
    | (EndedRun & { readonly next: 'judge' })
  );

export type CommandOf<Next extends Command['next']> = Extract<Command, { next: Next }>;

type End = Progress & EndedRun & { readonly next: 'end' };

/** What performing a command came to. */
export type Done = {
  /** The run that the next one comes after; absent: the same as before. */
  readonly run?: string | undefined;
  readonly usage?: Usage;
} & (
  | (Written & { readonly type: 'planned' | 'reviewed' })
  /** Statements of a turn, and how they are run. */
  | { readonly type: 'grown'; readonly block: string; readonly program: Written | Change }
  | { readonly type: 'changed'; readonly change: Change }
  /** `gave`: what the statements of a turn gave that has no answer. */
  | (EndedRun & { readonly type: 'ran'; readonly gave?: string })
  | {
      readonly type: 'judged';
      readonly verdict: Verdict;
      /** Of the judged run, with its verdicts. */
      readonly result: RunResult;
      /** Whether the run is of a loop that goes on with a note. */
      readonly takesNotes: boolean;
    }
  /** The model has not done its part. */
  | { readonly type: 'skipped' }
);

export type DoneOf<Type extends Done['type']> = Extract<Done, { type: Type }>;

/** A program that has passed its check. */
interface Written {
  readonly source: Source;
  readonly checked: Checked;
}

/** A run that has come to an end. */
export interface EndedRun {
  readonly result: RunResult;
  readonly ran: Ended;
}

/** How a model is to change the program of a run; a repair says which `failure` ended the run. */
export type ChangeRequest = Omit<Wanted, 'journal' | 'run' | 'goal' | 'refused'> & {
  readonly failure?: string;
};

export type Checked = Pick<ProgramRun, 'program' | 'dialect' | 'diagnostics'>;

export const begin = (asked: Asked): Course =>
  started({ asked, spent: nothingUsed, planning: nothingUsed });

function started(progress: Progress): Course {
  const { route, talk } = progress.asked;
  if (route === 'direct') return { ...progress, next: 'direct' };
  return talk ? { ...progress, next: 'turn', base: undefined } : { ...progress, next: 'plan' };
}

export function apply(course: Course, done: Done): Course {
  const { usage = nothingUsed, run = course.asked.from } = done;
  const charged = charge(course, usage, done.type !== 'ran');
  const asked = { ...course.asked, from: run };
  const progress = { ...charged, asked };
  switch (done.type) {
    case 'planned':
    case 'reviewed': {
      const { source, checked } = done;
      // A person may want to see a whole program of a model, and no other, before it runs.
      const isSeen = done.type === 'reviewed' || asked.route === 'direct';
      if (isSeen) return { ...agreed(progress), next: 'run', source, checked };
      return { ...progress, next: asked.route ? 'review' : 'run', source, checked };
    }
    case 'grown': {
      const { talk = newTalk(1) } = asked;
      const known = { ...progress, asked: { ...asked, talk: { ...talk, block: done.block } } };
      const { program } = done;
      if ('source' in program) return { ...known, next: 'run', ...program };
      return { ...known, next: 'fork', change: program };
    }
    case 'changed': {
      const left = { ...asked, refused: done.change.revision.refused };
      return { ...progress, asked: left, next: 'fork', change: done.change };
    }
    case 'ran':
      return afterRun(progress, endedIn(done), done.gave);
    case 'judged':
      return afterVerdict(progress, done, endedIn(course).ran);
    case 'skipped':
      return { ...progress, ...endedIn(course), next: 'end' };
  }
}

/** Nothing is left to agree to. */
function agreed({ asked, ...progress }: Progress): Progress {
  const { confirm: _, ...settled } = asked;
  return { ...progress, asked: settled };
}

/** The progress with what a run has used. */
export const charge = (
  { asked, spent, planning }: Progress,
  usage: Usage,
  isLoop: boolean,
): Progress => ({
  asked,
  spent: sum(spent, usage),
  planning: isLoop ? sum(planning, usage) : planning,
});

function endedIn(place: Course | EndedRun): EndedRun {
  if ('result' in place && place.result && place.ran)
    return { result: place.result, ran: place.ran };
  throw new Error('got a course before any run has ended, want one after that');
}

/** A turn leads to the next one, its answer to the end; all else is looked at as it is. */
function afterRun(progress: Progress, ended: EndedRun, gave = ''): Course {
  const { talk, ...asked } = progress.asked;
  if (!talk) return lookedAt(progress, ended);
  const { result, ran } = ended;
  const { status, error, answers } = result;
  const isDone = status === 'done';
  if (isDone && answers.length > 0) {
    return lookedAt({ ...progress, asked: { ...asked, repairs: 0 } }, ended);
  }
  const isStopped = !isDone && status !== 'failed';
  if (isStopped || isModelUnavailable(error?.code)) return { ...progress, ...ended, next: 'end' };
  const told = talkAfter(talk, isDone, isDone ? gave : dropped(failureOf(ended)));
  return {
    ...{ ...progress, asked: { ...asked, talk: told } },
    ...{ result: isDone ? unanswered(result, told.turns.length) : result, ran },
    ...(isTalkOver(told) ? { next: 'end' } : { next: 'turn', base: result.run }),
  };
}

/** What a person and a model are told of a failure. */
export const failureOf = ({ result: { error }, ran }: EndedRun): string =>
  error ? describeFailure(error, ran.source) : '';

const dropped = (failure: string): string =>
  `These statements failed and are dropped; what stood before them stays:\n${failure}`;

/** The run is as it should be; what was asked for has no answer all the same. */
const unanswered = (result: RunResult, turns: number): RunResult => ({
  ...result,
  status: 'failed',
  error: {
    ...{ code: 'PV7507', step: '', line: 0, column: 0 },
    message: `${count(turns, 'turn')} gave no answer`,
    hint: `the setting turns at ${2 * turns} allows more`,
  },
});

/** What has failed is repaired, what has answered is judged, as often as was asked for. */
function lookedAt(progress: Progress, { result: ownResult, ran }: EndedRun): Course {
  const { asked } = progress;
  const result = answeredOrFailed(asked, ownResult, ran.program);
  const ended = { result, ran };
  const isRepairable = result.status === 'failed' && !isModelUnavailable(result.error?.code);
  if (isRepairable && asked.repairs > 0) {
    const left = { ...asked, repairs: asked.repairs - 1 };
    return { ...progress, asked: left, ...ended, next: 'change', request: repairOf(left, ended) };
  }
  const isJudged = result.status === 'done' && asked.revisions !== undefined;
  return { ...progress, ...ended, next: isJudged ? 'judge' : 'end' };
}

/** Who asks wants an answer: a program that ends without one has failed. */
function answeredOrFailed(asked: Asked, result: RunResult, { dialect }: Program): RunResult {
  const isAsked = asked.route !== undefined && !asked.talk;
  if (!isAsked || result.status !== 'done' || result.answers.length > 0) return result;
  const error = {
    ...{ code: 'PV7005', message: 'the program ended without an answer' },
    ...{ step: '', line: 0, column: 0 },
    hint: dialectNamed(dialect).answerHint,
  };
  return { ...result, status: 'failed', error };
}

function repairOf({ repairs, refused }: Asked, ended: EndedRun): ChangeRequest {
  const { result, ran } = ended;
  const { error } = result;
  const failure = error ? failureOf(ended) : 'it failed';
  const isNowhere = error?.step === '';
  // A program that parts did not repair is written anew as a whole, where no repair is left.
  const isLast = repairs === 0 && refused.length > 0;
  return {
    failure,
    at: isNowhere ? undefined : error?.step,
    scopes: isLast || isNowhere ? ['plan'] : ['step', 'rest', 'plan'],
    ...(isLast && ran.program.dialect === 'starlark' && { isLast: true }),
    error: [failure, aimOf(ran.program, error?.step)].filter((part) => part !== '').join('\n'),
    about: error ? `${error.code} ${error.message}` : failure,
  };
}

/** What the step that failed was for, in its author's words. */
function aimOf({ steps }: Program, step = ''): string {
  const label = step.replace(/@\d+$/, '');
  const objective = steps.find((other) => other.label === label)?.objective;
  return objective === undefined ? '' : `  step ${label} was for: ${objective}`;
}

/** What was rejected is revised, as often as was asked for. */
function afterVerdict(progress: Progress, done: DoneOf<'judged'>, ran: Ended): Course {
  const { verdict, result, takesNotes } = done;
  const { accept, outcome, reason, rewritten = '' } = verdict;
  const { revisions = 0 } = progress.asked;
  const ended = { result, ran };
  // An accepted answer will do; where the judge gives up, nothing will.
  const isLastWord = accept || outcome === 'give up';
  if (isLastWord || revisions === 0) return { ...progress, ...ended, next: 'end' };
  const asked = { ...progress.asked, revisions: revisions - 1 };
  const left = { ...progress, asked };
  const isReworded = outcome === 'rewrite answer' && rewritten !== '';
  if (isReworded && ran.program.dialect === 'starlark') {
    return { ...left, next: 'fork', change: reworded(asked, ended, reason, rewritten) };
  }
  const suggestion = isReworded ? `Rather answer: ${rewritten}` : verdict.suggestion;
  if (takesNotes) {
    return { ...left, next: 'note', run: result.run, note: `${reason}\n${suggestion}`.trim() };
  }
  const request: ChangeRequest = {
    scopes: ['plan'],
    suggestion: [`The answer was rejected: ${reason}`, suggestion].join('\n').trim(),
    about: suggestion === '' ? reason : suggestion,
  };
  return { ...left, ...ended, next: 'change', request };
}

/** The program as it is, and after it the answer in other words: the first one stays. */
function reworded(
  { goal, refused }: Asked,
  { result, ran }: EndedRun,
  reason: string,
  words: string,
): Change {
  const text = ran.source.text.trimEnd();
  const why = `# In other words, since: ${oneLine(reason)}`;
  const program = `${text}\n\n${why}\nanswer(${quoted(words)})\n`;
  return {
    ...{ base: result.run, program, scope: 'plan' },
    revision: {
      ...{ goal, dialect: 'starlark', program: text, scopes: ['plan'], states: {} },
      ...{ variables: [], writes: [], refused, about: `rewrite answer: ${reason}` },
    },
  };
}
