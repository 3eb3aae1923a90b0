/** One question by one method: a goal as any other, and what came of it as a line of the log. */

import { answerGoal } from '../agent/goal/ask.ts';
import { AgentError } from '../agent/port/errors.ts';
import type { Host, RunEnd } from '../agent/port/host.ts';
import type { Workspace } from '../agent/port/workspace.ts';
import { keptResult } from '../agent/record/kept-result.ts';
import type { GoalOptions } from '../agent/run/work.ts';
import type { Toolbox } from '../agent/tools/toolbox.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { RunResult } from '../engine/result.ts';
import { PlanFailure } from '../planner/plan-failure.ts';
import { stringify } from '../program/json.ts';
import type { Item, Label } from './dataset.ts';
import { isFirstTryValid } from './first-try.ts';
import type { BenchLine } from './log.ts';
import type { AskOptions } from './options.ts';
import { score } from './score.ts';
import { nothing, sum } from './summary.ts';

export interface ItemRequest {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly journal: Journal;
  readonly options: AskOptions;
  readonly item: Item;
  readonly method: string;
  /** Interrupts its runs. */
  readonly signal: AbortSignal;
  /** The face that looks on; `broken` is for a process that has to end within a call of a tool. */
  hostFor(broken: (end: RunEnd) => void): Host;
  /** Takes the line of the item in that case. */
  broken(line: BenchLine): void;
}

/**
 * Undefined where it was interrupted before it came to an end. Throws what is wrong with more than
 * this question: a loop that is not a program, a journal that cannot be written.
 */
export async function askItem(request: ItemRequest): Promise<BenchLine | undefined> {
  const { toolbox, journal, options, item, method, signal } = request;
  const { format = formOf(item.label), language } = options;
  const startedAt = performance.now();
  const runs: string[] = [];
  const line = (end: ItemEnd): BenchLine => lineOf({ item, method, runs, journal, startedAt, end });
  const host = request.hostFor(({ result }) => request.broken(line(result)));
  const end = await answered(journal, () =>
    answerGoal({
      ...{ toolbox, journal, isDurable: true, inputs: new Map(), saved: false },
      workspace: planningBy(method, request.workspace),
      goal: { text: item.question, format, ...(language && { language }) },
      options: optionsFor(method, options.goal),
      host: listing(host, runs, signal),
    }),
  );
  const isCut = end.reason === 'interrupted' || end.status === 'cancelled';
  return isCut && signal.aborted ? undefined : line(end);
}

/** How an item has ended. */
interface ItemEnd extends Pick<RunResult, 'status' | 'reason'> {
  /** The run that has answered, where it came to one. */
  readonly run?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly answers?: RunResult['answers'];
}

async function answered(journal: Journal, answer: () => Promise<RunEnd>): Promise<ItemEnd> {
  try {
    return (await answer()).result;
  } catch (error) {
    const end = endOf(error, journal);
    if (end === undefined) throw error;
    return end;
  }
}

/**
 * The end that an error stands for: a model that has written no program, or the run of a loop that
 * has stopped, of which the journal says why. Undefined for what is about more than one item.
 */
function endOf(error: unknown, journal: Journal): ItemEnd | undefined {
  if (error instanceof PlanFailure) return { status: 'failed', error };
  if (!(error instanceof AgentError) || error.facts.run === undefined) return undefined;
  const stopped = keptResult(journal, error.facts.run);
  if (!stopped || stopped.status === 'done') return undefined;
  return { status: stopped.status, ...(stopped.reason && { reason: stopped.reason }), error };
}

/** The dialect is the method. */
const planningBy = (method: string, { settings, ...workspace }: Workspace): Workspace => ({
  ...workspace,
  settings: { ...settings, dialect: method },
});

/** Without the options that say nothing to this method, as they may to another one. */
function optionsFor(method: string, options: GoalOptions): GoalOptions {
  const { depth, join: joins, nativeTools, ...shared } = options;
  if (method === 'llmcompiler') return { ...shared, depth, join: joins };
  return method === 'react' ? { ...shared, nativeTools } : shared;
}

/** What is compared letter by letter has to be asked for. */
const formOf = ({ kind }: Label): string =>
  kind === 'twenty-four'
    ? 'the expression alone'
    : 'the answer alone, as short as it can be: a name, a number, or yes or no';

/** The same host, which also lists the runs that start, and interrupts them on the signal. */
const listing = (host: Host, runs: string[], signal: AbortSignal): Host => ({
  ...host,
  watch(run) {
    const { handle } = run;
    runs.push(handle.id);
    const stop = host.watch?.(run);
    const interrupt = (): void => handle.cancel('interrupted');
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
    return () => {
      signal.removeEventListener('abort', interrupt);
      stop?.();
    };
  },
});

interface EndedItem extends Pick<ItemRequest, 'item' | 'method' | 'journal'> {
  readonly runs: readonly string[];
  readonly startedAt: number;
  readonly end: ItemEnd;
}

function lineOf({ item, method, runs, journal, startedAt, end }: EndedItem): BenchLine {
  const { status, error, run = runs.at(-1) ?? null } = end;
  const ms = Math.round(performance.now() - startedAt);
  const { id, question, label } = item;
  const answer = answerIn(end);
  const firstTry = isFirstTryValid(journal, runs);
  // Each counts what its inner runs have used.
  const used = runs.map((each) => keptResult(journal, each)?.usage ?? nothing);
  return {
    ...{ type: 'item', method, id, question, label: labelText(label) },
    answer,
    right: answer === null ? { published: false, corrected: false } : score(answer, label),
    ...(firstTry !== undefined && { firstTry }),
    status,
    ...(error && { error: { code: error.code, message: error.message } }),
    ...{ ms, usage: used.reduce(sum, nothing), run, runs: [...runs] },
    at: Date.now(),
  };
}

/** A run that is not done has not answered, whatever it has said so far. */
function answerIn({ status, answers = [] }: ItemEnd): string | null {
  const last = status === 'done' ? answers.at(-1) : undefined;
  if (last === undefined) return null;
  const { value } = last;
  return typeof value === 'string' ? value : stringify(value);
}

const labelText = (label: Label): string =>
  label.kind === 'text' ? label.text : `24 of ${label.numbers.join(' ')}`;
