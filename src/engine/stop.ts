/** Why a run does not go on although its program has not ended, in words that help to go on. */
import type { Machine } from '../machine/machine.ts';
import { bareError } from '../machine/values/fault.ts';
import type { Request } from '../program/effect.ts';
import { stringify } from '../program/json.ts';
import { type LimitName, type Limits, limitTable } from '../program/limits.ts';
import { isOfAnother, type Program } from '../program/program.ts';
import { larger } from './budget.ts';
import type { EngineCode } from './codes.ts';
import type { EventBody } from './journal/journal.ts';
import type { RunReason } from './journal/run-state.ts';
import type { PastEffect } from './past/past.ts';
import type { Job } from './perform/job.ts';
import type { OpenQuestion, OpenWait } from './perform/person.ts';
import { errorOf, type ResultError } from './result.ts';
import { type Met, type MetLimit, type Spent, used } from './spent.ts';

export interface Stop {
  readonly status: 'suspended' | 'cancelled' | 'waiting';
  readonly reason: RunReason | undefined;
  readonly error: ResultError;
  /** The budget that is used up. */
  readonly met?: Met;
  readonly limit?: MetLimit;
  /** Whether its place is where the program stands: it is about no effect. */
  readonly isHere?: boolean;
  /** The effect that it is about. */
  readonly effect?: string | undefined;
  /** What people and time have to do before it goes on. */
  readonly waits?: readonly OpenWait[];
  /** What of that which is running is given up; the rest may finish. */
  readonly givesUp: 'nothing' | 'repeatable' | 'all';
  /** Of two, the one with the higher rank stands. */
  readonly rank: number;
}

/** What a run has used of its limits. */
export interface Measures {
  readonly limits: Limits;
  readonly spent: Spent;
  readonly instructions: number;
  /** Milliseconds in which a process had the run. */
  readonly wallMs: number;
}

/** Says which budget is used up, and one with which the run would go on. */
export function limitStop(met: Met, { limits, spent, instructions }: Measures): Stop {
  const { tool } = met;
  const limit = metLimit(met, { limits, spent, instructions });
  const { unit } = limitTable[limit.name];
  const message = tool
    ? `the run has used up the ${tool.max} ${unit} that ${tool.name} has (limit ${nameOf(met)})`
    : usedUp(met, limit, { limits, spent });
  // Time goes on while something runs: what can be repeated is not waited for.
  const givesUp = limit.name === 'wallMs' ? 'repeatable' : 'nothing';
  const hint = `resume it with the limit ${nameOf(met)} at ${limit.enough}`;
  const isHere = met.request === undefined;
  const made = stop('limit', 1, 'PV5101', message, hint, met.request);
  return { ...made, met, limit, givesUp, isHere };
}

function metLimit(met: Met, { limits, spent, instructions }: Omit<Measures, 'wallMs'>): MetLimit {
  const { limit: name, tool, request, wanted } = met;
  if (tool) return { name, tool: tool.name, enough: Math.max(1, 2 * tool.max) };
  const enough = larger(met, { limits, spent }, instructions);
  const isSome = wanted !== undefined && used(spent, name) < limits[name];
  if (!request || !isSome) return { name, enough };
  return { name, enough, next: { tool: request.tool, amount: wanted } };
}

/** Of what is set aside before a call begins, there may be something left that is too little. */
function usedUp(
  { wanted }: Met,
  limit: MetLimit,
  { limits, spent }: Pick<Measures, 'limits' | 'spent'>,
): string {
  const { name } = limit;
  const most = limits[name];
  const { unit } = limitTable[name];
  const all = `its ${most} ${unit} (limit ${name})`;
  const now = used(spent, name);
  if (wanted === undefined) return `the run has used up ${all}`;
  const spentText = `${amount(now)} ${unit} are spent`;
  const next = nextText(limit);
  if (next === undefined) return `the run has used up ${all}: ${spentText}`;
  return `the run cannot keep to ${all}: ${spentText}, ${amount(most - now)} are left, and ${next}`;
}

/** About the call that the rest of a budget is too little for. */
export const nextText = ({ name, next }: MetLimit): string | undefined =>
  next &&
  `the next call, of ${next.tool}, is expected to take ${amount(next.amount)} ` +
    limitTable[name].unit;

/** To three digits, and those before the point, as people read it. */
const amount = (n: number): number =>
  n < 1 ? Number(n.toPrecision(3)) : Math.round(n * 100) / 100;

const nameOf = ({ limit, tool }: Met): string => (tool ? `${tool.name}.callsPerRun` : limit);

export function limitEvent(met: Met, measures: Measures): EventBody {
  const { limits, spent, instructions, wallMs } = measures;
  const values: Partial<Record<LimitName, number>> = {
    instructions,
    wallMs,
    memoryBytes: limits.memoryBytes,
  };
  const { limit, tool } = met;
  const value = tool ? (spent.byTool.get(tool.name) ?? 0) : (values[limit] ?? used(spent, limit));
  return { type: 'limit.reached', limit: nameOf(met), value };
}

export interface Doubt {
  readonly job: Job;
  readonly why: string;
}

export function unknownStop(doubts: readonly Doubt[]): Stop {
  const list = doubts.map(({ job, why }) => {
    const { request } = job;
    return `${request.tool} (effect ${request.id}, step ${request.step || '-'}): ${why}`;
  });
  const message = `nobody knows whether this took effect: ${list.join('; ')}`;
  const hint =
    'look whether it did, then resume and say: done, or failed (the program is told so), or ' +
    'retry (it is performed again)';
  return stop('unknown', 2, 'PV5102', message, hint, doubts[0]?.job.request);
}

/** `args` as they may be shown. */
export function divergedStop(
  request: Request,
  args: string,
  past: PastEffect,
  sameProgram: boolean,
): Stop {
  const before = `${past.tool} ${past.request ?? '(arguments not recorded)'}`;
  const now = `${request.tool} ${args}`;
  const message = `effect ${request.id}: the journal has ${before}, the program asks for ${now}`;
  const hint = sameProgram
    ? 'an outcome in the journal was changed, or the program is run differently by now'
    : 'this planvm compiles the program differently: resume with the version that started it';
  return stop('diverged', 3, 'PV5103', message, hint, request);
}

/** The program ended without asking for a write that the journal says was performed. */
export function unclaimedStop(id: string, past: PastEffect): Stop {
  const what = `${past.tool} ${past.request ?? ''}`.trimEnd();
  const message = `the journal has effect ${id}, ${what}; the program ended without asking for it`;
  const hint = 'resume with the version of planvm that started the run';
  return stop('diverged', 3, 'PV5103', message, hint);
}

export function cancelStop(how: 'cancelled' | 'interrupted'): Stop {
  const reason = how === 'interrupted' ? how : undefined;
  const made = stop(reason, 4, 'PV5107', `the run was ${how}`, 'resume it to go on');
  return { ...made, status: reason ? 'suspended' : 'cancelled', givesUp: 'all', isHere: true };
}

/** A call that never awaits anything has kept all else waiting for longer than it may take. */
export function blockedStop({ request, tool }: Job, limits: Limits): Stop {
  const timeoutMs = tool.spec.limits?.timeoutMs ?? limits.timeoutMs;
  const who = `${tool.spec.name} (effect ${request.id})`;
  const message =
    `${who} has computed for more than the ${timeoutMs} ms it may take, without a pause, so that ` +
    'nothing else was heard; the run had to end with the process';
  const hint =
    'do long work in a worker or a process of its own, or raise the limit timeoutMs, of the run ' +
    'or of the tool; then resume the run';
  const made = stop('interrupted', 4, 'PV5120', message, hint, request);
  return { ...made, givesUp: 'all' };
}

/** Its error, placed in the text that a person has written, where that is known. */
export function placedError(stop: Stop, program: Program, machine: Machine): ResultError {
  const { error, isHere, effect } = stop;
  const { code, message, step, hint } = error;
  const isOther = isOfAnother(program);
  const bare = bareError({ code, message, hint });
  const found = effect === undefined ? undefined : machine.placedAt(bare, effect);
  const here = isHere ? machine.placed(bare) : found && { ...found, step };
  if (here && (!isOther || here.file !== undefined)) return errorOf(here);
  if (isHere || (error.line > 0 && !isOther)) return error;
  const label = step.replace(/@\d+$/, '');
  const { line = 0, column = 0, file } = program.steps.find((step) => step.label === label) ?? {};
  return { ...error, line, column, ...(file !== undefined && { file }) };
}

export function stop(
  reason: RunReason | undefined,
  rank: number,
  code: EngineCode,
  message: string,
  hint: string,
  request?: Pick<Request, 'id' | 'step' | 'site'>,
): Stop {
  const { line, column } = request?.site ?? { line: 0, column: 0 };
  const error = { code, message, step: request?.step ?? '', line, column, hint };
  const effect = request?.id;
  return { status: 'suspended', reason, error, effect, givesUp: 'nothing', rank };
}

// What a run waits for, in words for the person who can do something about it.

const shownMax = 5;
const shownCharacters = 200;

/** `open` is not empty. */
export function waitingStop(open: readonly OpenWait[]): Stop {
  const reason = reasonOf(open);
  const own = open.filter(({ kind }) => reason === 'time' || kind !== 'pause');
  const list = own.slice(0, shownMax).map(waitText);
  const more = own.length > shownMax ? `; and ${own.length - shownMax} more` : '';
  const code = reason === 'time' ? 'PV5141' : 'PV5140';
  const [first] = own;
  const where = first && { id: first.effect, step: first.step, site: { line: 0, column: 0 } };
  return {
    ...stop(reason, 0, code, list.join('; ') + more, hints[reason], where),
    status: 'waiting',
    waits: open,
  };
}

/** One of them in a sentence. */
export function waitText(wait: OpenWait): string {
  return openText(wait) + replyText(wait);
}

/** What somebody has said to it, which no process has taken yet. */
function replyText({ reply }: OpenWait): string {
  if (!reply) return '';
  const { kind, by, note } = reply;
  const said = { answer: 'answered', approve: 'approved', deny: 'denied' }[kind];
  const why = note === undefined || note === '' ? '' : `: ${clip(note)}`;
  return `; ${said} by ${by}, and not taken yet${why}`;
}

function openText(wait: OpenWait): string {
  const { effect, tool } = wait;
  switch (wait.kind) {
    case 'question':
      return (
        `it asks${forWhom(wait)}: ${clip(wait.question)}${choicesText(wait)} ` +
        `(effect ${effect})` +
        untilText(wait.until)
      );
    case 'approval':
      return (
        `${tool} ${clip(stringify(wait.request))} is to be approved ` +
        `(effect ${effect}): ${wait.why}`
      );
    case 'pause':
      return `it pauses until ${new Date(wait.until).toISOString()} (effect ${effect})`;
  }
}

const forWhom = ({ to }: OpenQuestion): string => (to === undefined ? '' : ` ${to}`);

/** A person comes before time: somebody can do something about it. */
function reasonOf(open: readonly OpenWait[]): keyof typeof hints {
  if (open.some(({ kind }) => kind === 'question')) return 'person';
  return open.some(({ kind }) => kind === 'approval') ? 'approval' : 'time';
}

const hints = {
  person: 'answer it',
  approval: 'approve it, or deny it',
  time: 'resume it once the moment has come',
} as const satisfies Partial<Record<RunReason, string>>;

const choicesText = ({ choices }: OpenQuestion): string =>
  choices ? ` [${clip(choices.map((one) => stringify(one)).join(', '))}]` : '';

const untilText = (until: number | undefined): string =>
  until === undefined ? '' : `, until ${new Date(until).toISOString()}`;

const clip = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text;
