/**
 * Answers and decisions from outside: checked against what the run waits for, then left for whoever
 * has it, now or later. Nothing here goes on with a run.
 */
import { nearest } from '../program/diagnostic.ts';
import { encode, fromJson } from '../program/json.ts';
import { RunError, type RunErrorDetails } from './codes.ts';
import type { Handler, Question } from './handler.ts';
import type { Journal, RunEvent } from './journal/journal.ts';
import { leftReplies, type Reply } from './left-replies.ts';
import { type FoundWait, openWaits } from './open-waits.ts';
import { readPast } from './past/read-past.ts';
import type { OpenApproval, OpenQuestion, OpenWait } from './perform/person.ts';
import { shownOf } from './result.ts';
import { findRun } from './run-name.ts';
import { waitText } from './stop.ts';

export interface ReplyOptions {
  readonly journal: Journal;
  readonly run: string;
  /** The handlers of tools that ask: `ask` is one of the built-in tools. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Who says so. */
  readonly by: string;
  /** Whether a client of a server replies: what is in doubt is not for it to decide. */
  readonly isClient?: boolean;
  /**
   * Runs once the reply is known to fit, before it is left: where it throws, nothing is left. For
   * who goes on with the run, and finds out first whether that is possible.
   */
  readonly ready?: () => Promise<void>;
  /** Whom the program may ask by name, as far as that is known; besides those it has asked. */
  readonly people?: readonly string[];
}

/**
 * Answers a question: the one with this effect or step id, the only one that `to` is asked, or the
 * only one, or each that is open; what nobody in particular is asked, may be answered by anybody,
 * or, where the program knows people by name, by one of those. `answer` makes JSON-like data
 * of what a person said, knowing the question. Throws `RunError` PV5142 where there is no such
 * question, PV5143 where it is not clear which is meant, PV5144 for an answer that does not fit.
 */
export async function answerRun(
  options: ReplyOptions & {
    readonly effect?: string | undefined;
    /** Who answers, by the name that the program has for them. */
    readonly to?: string | undefined;
    /** Where none is named, whether it is for each that is open, as what tells of an event is. */
    readonly isForAll?: boolean;
    readonly answer: (question: Question) => unknown;
  },
): Promise<OpenQuestion[]> {
  const { run, effect, to, isForAll = false } = options;
  const seen = lastEvent(options);
  const found = await findOpen(options, effect === undefined ? [] : [effect], 'answer', to);
  const isNamed = effect !== undefined || to !== undefined;
  if (found.length > 1 && (isNamed || !isForAll)) throw new SeveralOpen(found, run);
  const answers = await Promise.all(found.map((one) => answerTo(one, options)));
  await options.ready?.();
  for (const { reply } of answers) leave(options, seen, reply);
  return answers.map(({ wait }) => wait);
}

async function answerTo(
  { wait, question }: FoundWait,
  options: ReplyOptions & { readonly answer: (question: Question) => unknown },
): Promise<{ readonly wait: OpenQuestion; readonly reply: Reply }> {
  const { answer, by, journal, run } = options;
  if (wait.kind !== 'question' || !question) throw nothing(journal, run, 'question', []);
  if (options.isClient && wait.decides) {
    const message = `effect ${wait.effect} of run ${run} is in doubt, which only a person decides`;
    throw new RunError('PV5142', message, { run });
  }
  const value = answer(question);
  const problem = await question.check(value);
  if (problem !== undefined) {
    throw new RunError('PV5144', `the answer to “${question.text}” does not fit: ${problem}`, {
      hint: 'answer again',
    });
  }
  const { effect } = wait;
  return { wait, reply: { kind: 'answer', effect, value: encode(fromJson(value)), by } };
}

/**
 * The questions that somebody is asked; else those that nobody in particular is, unless others are
 * asked by their names meanwhile, or are known by them: a name that is misspelled must answer no
 * question of anybody else.
 */
function ofPerson(found: readonly FoundWait[], to: string, options: ReplyOptions): FoundWait[] {
  const { journal, run, people = [] } = options;
  const own = found.filter((one) => isSame(whose(one), to));
  if (own.length > 0) return own;
  const free = found.filter((one) => whose(one) === undefined);
  const known = [...new Set([...people, ...askedBefore(journal, run)])];
  const isKnown = known.length === 0 || known.some((name) => isSame(name, to));
  const isSure = isSame('user', to) || (isKnown && free.length === found.length);
  if (free.length > 0 && isSure) return free;
  const asked = [...new Set(found.map((one) => whose(one) ?? 'user'))];
  const near = isKnown ? undefined : nearest(to, new Set([...asked, ...known]));
  const others = known.filter((name) => !asked.includes(name));
  const also = others.length > 0 ? `, and knows ${others.join(', ')}` : '';
  throw new RunError('PV5142', `run ${run} asks nothing of ${to}`, {
    run,
    hint: near === undefined ? `it asks ${asked.join(', ')}${also}` : `did you mean ${near}?`,
  });
}

const whose = ({ wait }: FoundWait): string | undefined =>
  wait.kind === 'question' ? wait.to : undefined;

const isSame = (name: string | undefined, other: string): boolean =>
  name?.toLowerCase() === other.toLowerCase();

/** Whom a run has asked by name. */
const askedBefore = (journal: Journal, run: string): readonly string[] =>
  [...readPast(journal.events(run)).effects.values()].flatMap(({ tool, request }) => {
    const { to }: { to?: unknown } = tool === 'ask' && request ? Object(shownOf(request)) : {};
    return typeof to === 'string' ? [to] : [];
  });

/**
 * Approves effects, or denies them: those with these effect or step ids, or the only one, or all.
 * Throws `RunError` PV5142 and PV5143 as `answerRun` does.
 */
export async function decideRun(
  options: ReplyOptions & {
    readonly effects: readonly string[] | 'all';
    readonly approved: boolean;
    readonly note?: string | undefined;
  },
): Promise<OpenApproval[]> {
  const { effects, approved, by, note } = options;
  const seen = lastEvent(options);
  const kind = approved ? 'approve' : 'deny';
  const found = await findOpen(options, effects === 'all' ? [] : effects, kind);
  if (effects !== 'all' && effects.length === 0 && found.length > 1) {
    throw new SeveralOpen(found, options.run);
  }
  await options.ready?.();
  return found.flatMap(({ wait }) => {
    if (wait.kind !== 'approval') return [];
    leave(options, seen, { kind, effect: wait.effect, by, ...(note !== undefined && { note }) });
    return [wait];
  });
}

/**
 * Of several who reply to the same at the same time, from any process, one has replied: whoever was
 * first. The others are told so, by PV5142, and what they have left is taken back. Only a denial
 * takes the place of an approval that no process has taken. `seen`: the last event from before it
 * was looked what is open.
 */
function leave({ journal, run }: ReplyOptions, seen: number, reply: Reply): void {
  const { effect } = reply;
  const standing = leftReplies(journal, run).get(effect);
  if (standing && isOverruled(standing.reply.kind, reply.kind)) {
    if (journal.withdraw(run, standing.id, reply)) return;
    throw repliedBefore(journal, run, standing.reply);
  }
  const own = journal.post(run, reply);
  const first = leftReplies(journal, run).get(effect);
  const taken = journal.events(run, seen).find((event) => isReplyTo(event, effect));
  const isFirst = first === undefined || first.id === own;
  const takenBy = taken && 'by' in taken ? taken.by : undefined;
  if (isFirst && (taken === undefined || takenBy === reply.by)) return;
  journal.withdraw(run, own);
  if (!isFirst) throw repliedBefore(journal, run, first.reply);
  throw new RunError('PV5142', `somebody else has replied to effect ${effect} of run ${run}`, {
    ...{ run, ...(takenBy !== undefined && { hint: `it was ${takenBy}` }) },
  });
}

/**
 * Takes back a reply that no process has taken: what it was about waits again. Throws `RunError`
 * PV5142 where there is none, or where a process was quicker.
 */
export function withdrawReply(journal: Journal, run: string, effect: string): void {
  findRun(journal, run);
  const standing = leftReplies(journal, run).get(effect);
  if (standing && journal.withdraw(run, standing.id)) return;
  throw new RunError('PV5142', `no reply to effect ${effect} of run ${run} is left to withdraw`, {
    run,
  });
}

const isOverruled = (standing: Reply['kind'], kind: Reply['kind']): boolean =>
  standing === 'approve' && kind === 'deny';

/** Whether an event is what somebody's reply to an effect has led to. */
const isReplyTo = (event: RunEvent, effect: string): boolean =>
  'effect' in event &&
  event.effect === effect &&
  ['effect.settled', 'effect.answered', 'approval.granted', 'approval.denied'].includes(event.type);

const repliedBefore = (journal: Journal, run: string, reply: Reply): RunError =>
  nothing(journal, run, 'question', [], [reply]);

const lastEvent = ({ journal, run }: ReplyOptions): number => journal.events(run).at(-1)?.seq ?? 0;

/** Those that are meant, at least one; none of them has a reply yet. `to`: who replies. */
async function findOpen(
  options: ReplyOptions,
  effects: readonly string[],
  reply: Reply['kind'],
  to?: string,
): Promise<FoundWait[]> {
  const { journal, run, handlers } = options;
  findRun(journal, run);
  const open = await openWaits(journal, run, handlers);
  const kind = reply === 'answer' ? 'question' : 'approval';
  const replies = repliesTo(journal, run, reply);
  const all = open.filter(({ wait }) => wait.kind === kind);
  const free = all.filter(({ wait }) => !replies.has(wait.effect));
  const meant = (found: FoundWait[]): FoundWait[] =>
    to === undefined || found.length === 0 ? found : ofPerson(found, to, options);
  if (effects.length === 0) {
    // Who has replied to what they are asked is told of that, and answers nothing of others'.
    const own = to === undefined ? [] : all.filter((one) => isSame(whose(one), to));
    const left = own.length === 0 ? free : free.filter((one) => own.includes(one));
    if (left.length > 0) return meant(left);
    const given = meant(all).flatMap(({ wait }) => replies.get(wait.effect) ?? []);
    throw nothing(journal, run, kind, open, given);
  }
  const found = effects.flatMap((place) => {
    const here = free.filter(({ wait }) => wait.effect === place || wait.step === place);
    if (here.length > 0) return here;
    throw notOpen(journal, run, place, kind, open, replies.get(place));
  });
  return meant(found);
}

/** What was posted and not taken yet, by effect, unless a reply of this kind overrules it. */
function repliesTo(journal: Journal, run: string, kind: Reply['kind']): ReadonlyMap<string, Reply> {
  const left = [...leftReplies(journal, run)].map(
    ([effect, { reply }]) => [effect, reply] as const,
  );
  return new Map(left.filter(([, standing]) => !isOverruled(standing.kind, kind)));
}

const taken = 'it is taken when the run is resumed';

const nouns = { question: 'an answer', approval: 'an approval', pause: 'a moment' } as const;

function nothing(
  journal: Journal,
  run: string,
  kind: OpenWait['kind'],
  open: readonly FoundWait[],
  [reply]: readonly Reply[] = [],
): RunError {
  if (reply) {
    const message = `${reply.by} has replied to effect ${reply.effect} of run ${run} already`;
    return new RunError('PV5142', message, { run, hint: taken });
  }
  const list = open.map(({ wait }) => waitText(wait)).join('; ');
  return new RunError('PV5142', `run ${run} does not wait for ${nouns[kind]}`, {
    ...(list === '' ? whereNoneIs(journal, run) : { run, hint: `it waits for this: ${list}` }),
  });
}

function notOpen(
  journal: Journal,
  run: string,
  effect: string,
  kind: 'question' | 'approval',
  open: readonly FoundWait[],
  reply: Reply | undefined,
): RunError {
  if (reply) {
    return new RunError('PV5142', `${reply.by} has replied to effect ${effect} already`, {
      ...{ run, hint: taken },
    });
  }
  const other = open.find(({ wait }) => wait.effect === effect);
  if (other) {
    return new RunError('PV5142', `effect ${effect} waits for ${nouns[other.wait.kind]}`, { run });
  }
  const known = journal.events(run).some((event) => 'effect' in event && event.effect === effect);
  const ids = open.filter(({ wait }) => wait.kind === kind).map(({ wait }) => wait.effect);
  const message = known
    ? `effect ${effect} of run ${run} no longer waits for ${nouns[kind]}`
    : `run ${run} has no effect ${effect}`;
  return new RunError('PV5142', message, {
    ...(ids.length > 0 ? { run, hint: `open are ${ids.join(', ')}` } : whereNoneIs(journal, run)),
  });
}

/** What to do with a run that asks nothing: one that is not over may ask when it goes on. */
function whereNoneIs(journal: Journal, run: string): RunErrorDetails {
  const found = journal.find(run);
  const isLeft = found?.status === 'suspended' || (found?.status === 'running' && !found.owned);
  return isLeft ? { run, hint: 'it was stopped, and may ask once it is resumed' } : { run };
}

/** Several are open, and nobody has said which is meant. */
class SeveralOpen extends RunError {
  readonly waits: readonly OpenWait[];

  constructor(found: readonly FoundWait[], run: string) {
    const waits = found.map(({ wait }) => wait);
    super('PV5143', `which one is meant? ${waits.map(waitText).join('; ')}`, { run });
    this.waits = waits;
  }
}
