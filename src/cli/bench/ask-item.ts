/** One question by one method, by the very way that `planvm ask` takes. */

import { answerGoal } from '../../agent/goal/ask.ts';
import { AgentError } from '../../agent/port/errors.ts';
import type { RunEnd } from '../../agent/port/host.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunStatus } from '../../engine/journal/run-state.ts';
import type { RunResult } from '../../engine/result.ts';
import { PlanFailure } from '../../planner/planner.ts';
import { stringify } from '../../program/json.ts';
import { type ExitCode, exitOf } from '../exit.ts';
import { type AskFlags, pursuitHost, requestOf } from '../planning/ask-here.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Item, Label } from './dataset.ts';
import type { Line } from './log.ts';
import type { Asked } from './run-bench.ts';
import { score } from './score.ts';
import { nothing, sum } from './summary.ts';

export interface AskItem extends Asked<Item> {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly flags: AskFlags;
}

/**
 * Undefined where it was interrupted before it came to an end. Throws what is wrong with more than
 * this question: a loop that is no program, a journal that cannot be written.
 */
export async function askItem(ask: AskItem): Promise<Line | undefined> {
  const { workspace, toolbox, flags, item, method } = ask;
  const startedAt = performance.now();
  const runs: string[] = [];
  const journal = noting(ask.journal, runs);
  const done = (end: End): Line => lineOf({ item, method, runs, journal, startedAt, ...end });
  const report = ({ result }: RunEnd): ExitCode => {
    ask.broken(done(result));
    return exitOf(result);
  };
  try {
    const { format = formOf(item.label), language } = flags;
    const goal = { text: item.question, format, ...(language && { language }) };
    const inputs = new Map();
    const own = by(workspace, method);
    const here = { workspace: own, toolbox, goal, inputs, flags: flagsFor(method, flags) };
    const host = pursuitHost(flags, workspace, report);
    const request = { ...requestOf(here, journal), isDurable: true, host };
    const { result } = await answerGoal(request);
    const isCut = result.reason === 'interrupted' || result.status === 'cancelled';
    return isCut && ask.interrupted() ? undefined : done(result);
  } catch (error) {
    const status = endOf(error);
    if (status === undefined) throw error;
    if (status === 'cancelled' && ask.interrupted()) return undefined;
    const { code, message } = error as PlanFailure | AgentError;
    return done({ status, error: { code, message } });
  }
}

/** How a run has ended of which this was thrown; undefined for what is about more than one run. */
function endOf(error: unknown): RunStatus | undefined {
  if (error instanceof PlanFailure) return 'failed';
  if (!(error instanceof AgentError)) return undefined;
  if (error.code === 'PV6018') return 'cancelled';
  return error.code === 'PV6020' ? 'suspended' : undefined;
}

/** The dialect is the method. */
const by = ({ settings, ...workspace }: Workspace, method: string): Workspace => ({
  ...workspace,
  settings: { ...settings, dialect: method },
});

/** Without the options that say nothing to this method, as they may to another one. */
function flagsFor(method: string, { join: joins, nativeTools, ...flags }: AskFlags): AskFlags {
  return {
    ...flags,
    ...(method === 'llmcompiler' && joins !== undefined && { join: joins }),
    ...(method === 'react' && nativeTools && { nativeTools }),
  };
}

/** What is compared letter by letter has to be asked for. */
const formOf = ({ kind }: Label): string =>
  kind === 'twenty-four'
    ? 'the expression alone'
    : 'the answer alone, as short as it can be: a name, a number, or yes or no';

/** The same journal, with a list of the runs that are created in it. */
function noting(journal: Journal, runs: string[]): Journal {
  const create: Journal['create'] = (run, ...rest) => {
    const lease = journal.create(run, ...rest);
    runs.push(run.id);
    return lease;
  };
  return new Proxy(journal, {
    get(target, name) {
      if (name === 'create') return create;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

interface End {
  /** The run that has answered, where it came to one. */
  readonly run?: string;
  readonly status: RunStatus;
  readonly error?: { readonly code: string; readonly message: string };
  readonly answers?: RunResult['answers'];
}

type Ended = End & {
  readonly item: Item;
  readonly method: string;
  readonly runs: readonly string[];
  readonly journal: Journal;
  readonly startedAt: number;
};

function lineOf({ item, method, runs, journal, startedAt, ...end }: Ended): Line {
  const { status, error, answers, run = runs.at(-1) ?? null } = end;
  const ms = Math.round(performance.now() - startedAt);
  const { id, question, label, group } = item;
  // A run that is not done has not answered, whatever it has said so far.
  const last = status === 'done' ? answers?.at(-1) : undefined;
  const answer = last === undefined ? null : textOf(last.value);
  const used = runs.map((run) => keptResult(journal, run)?.usage ?? nothing);
  return {
    ...{ type: 'item', method, id, question, label: labelText(label) },
    ...(group !== undefined && { group }),
    answer,
    right: answer === null ? { published: false, corrected: false } : score(answer, label),
    status,
    ...(error && { error: { code: error.code, message: error.message } }),
    ...{ ms, usage: used.reduce(sum, nothing), run, runs: [...runs] },
    at: Date.now(),
  };
}

/** A text as it is, anything else as compact JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringify(value));

const labelText = (label: Label): string =>
  label.kind === 'text' ? label.text : `24 of ${label.numbers.join(' ')}`;
