/** What the tools of planvm's own server do: what the commands do, with data in place of text. */

import { answerGoal } from '../../agent/goal/ask.ts';
import type { Host } from '../../agent/port/host.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/agent-models.ts';
import { checkSource } from '../../agent/program/check.ts';
import type { Source } from '../../agent/program/source.ts';
import { withUsedPlans } from '../../agent/program/used-plans.ts';
import { withAnswerSources } from '../../agent/record/answer-sources.ts';
import { isEventFor } from '../../agent/record/event-for.ts';
import { findRun } from '../../agent/record/find-run.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import { load } from '../../agent/record/load.ts';
import { writtenIn } from '../../agent/record/written-in.ts';
import { runProgram } from '../../agent/run/run-program.ts';
import { knownTools } from '../../agent/tools/known-tools.ts';
import { openToolbox, refuseSecrets } from '../../agent/tools/toolbox.ts';
import { unwrap } from '../../dialects/index.ts';
import { clockHandlers } from '../../effects/clock/handlers.ts';
import { askHandler } from '../../effects/person/ask.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { RunStatus } from '../../engine/journal/run-state.ts';
import { answerRun, decideRun } from '../../engine/reply.ts';
import type { RunResult } from '../../engine/result.ts';
import { showRun } from '../../engine/views/show.ts';
import { fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { CliError, failureOf } from '../failure.ts';
import { openSource } from '../open/open-program.ts';
import { observe } from '../process/telemetry.ts';
import { withJournal } from '../run/journal.ts';
import { invalidResult } from '../run/report-end.ts';
import { openGoing } from '../run/resume-run.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import type { View } from '../view/view.ts';
import { tellWarning } from '../view/warnings.ts';
import { isAsked, type Reply, replyOf } from './forms.ts';
import type { Round } from './rounds.ts';

export type CallArguments = Readonly<Record<string, unknown>>;

/** Who looks on from elsewhere than a terminal, and may stop what goes on. */
export interface Remote {
  readonly view: View;
  /** Aborted, it suspends runs so that they can be resumed. */
  readonly signal: AbortSignal;
}

/** Nothing is printed, nobody is asked here. */
const hostOf = ({ view, signal }: Remote): Host => ({
  watch({ handle, program, title, past }) {
    observe(handle, { title, dialect: program.dialect, resumed: past !== undefined });
    const unsubscribe = handle.subscribe((event) => {
      view.show(event);
      if (event.type === 'run.warned') tellWarning(event.warning, view.note);
    });
    const leave = (): void => handle.cancel('interrupted');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    return () => {
      signal.removeEventListener('abort', leave);
      unsubscribe();
      view.end();
    };
  },
});

const textIn = (args: CallArguments, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
};

const textsIn = (args: CallArguments, ...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = textIn(args, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

function inputsIn({ inputs }: CallArguments): ReadonlyMap<string, Value> {
  const data = typeof inputs === 'object' && inputs !== null ? inputs : {};
  return new Map(Object.entries(data).map(([name, value]) => [name, fromJson(value)]));
}

function sourceOf(program: string, title: string): Source {
  const { text, said } = unwrap(program);
  return { text, file: 'program', title, ...(said.length > 0 && { said }) };
}

/** As `planvm check --json`; runs no configuration and no tools. */
export async function check(args: CallArguments): Promise<object> {
  const flags = textsIn(args, 'dialect');
  const workspace = await openWorkspace({ flags, execute: false });
  const { specs, unread } = await knownTools(workspace);
  const { ok, dialect, diagnostics } = checkSource(
    await withUsedPlans(sourceOf(textIn(args, 'program') ?? '', 'program'), workspace),
    {
      dialect: workspace.settings.dialect,
      specs,
      inputs: Array.isArray(args.inputs) ? args.inputs.map(String) : [],
      open: unread.length > 0,
      limits: workspace.settings.limits,
      models: saidModels(workspace.settings),
    },
  );
  return { ok, dialect, diagnostics };
}

/** As `planvm run --json`. */
export async function run(args: CallArguments, remote: Remote, title: string): Promise<object> {
  const flags = { prompts: false, ...textsIn(args, 'dialect') };
  const source = sourceOf(textIn(args, 'program') ?? '', title);
  const inputs = inputsIn(args);
  const opened = await openSource(source, inputs, flags);
  const { checked, workspace, toolbox } = opened;
  const journal = openJournal(journalPath(workspace));
  try {
    const { program, dialect, diagnostics } = checked;
    if (!program) return invalidResult(diagnostics);
    return await runProgram({
      ...{ workspace, toolbox, source, inputs, journal, program, dialect, diagnostics },
      ...{ isDurable: true, sequential: false, host: hostOf(remote) },
    });
  } finally {
    journal.close();
    toolbox.close();
  }
}

/** As `planvm ask --json`. */
export async function ask(args: CallArguments, remote: Remote): Promise<object> {
  const workspace = await openWorkspace({ flags: textsIn(args, 'dialect') });
  const text = textIn(args, 'goal')?.trim() ?? '';
  if (text === '') {
    throw new CliError('PV6002', 'the goal is empty', { hint: 'say what you want to know' });
  }
  const goal = { text, ...textsIn(args, 'language', 'format') };
  const toolbox = await openToolbox(workspace);
  const journal = openJournal(journalPath(workspace));
  try {
    const work = { workspace, toolbox, journal, isDurable: true, host: hostOf(remote) };
    return (await answerGoal({ ...work, goal, inputs: inputsIn(args), options: {} })).result;
  } finally {
    journal.close();
    toolbox.close();
  }
}

/** As `planvm resume --json`. */
export async function resume(args: CallArguments, remote: Remote): Promise<object> {
  return await withJournal(await openWorkspace(), async (journal) => {
    return await goneOn(journal, findRun(journal, textIn(args, 'run') ?? ''), remote);
  });
}

/** As `planvm answer --json`. */
export async function answer(args: CallArguments, remote: Remote): Promise<object> {
  const workspace = await openWorkspace();
  if (typeof args.answer === 'string') refuseSecrets(workspace, 'the answer', args.answer);
  return await withJournal(workspace, async (journal) => {
    const { id } = findRun(journal, textIn(args, 'run') ?? '');
    return await repliedTo(journal, id, remote, async (ready) => {
      await answerRun({
        ...{ journal, run: id, handlers: waiting, by: 'an MCP client', isClient: true, ready },
        effect: textIn(args, 'effect'),
        isForAll: isEventFor({ journal, run: id }, args.answer),
        answer: () => args.answer,
      });
      return true;
    });
  });
}

/**
 * Goes on with a run once a reply was left, which is left only where it can go on; the result as it
 * is where none was left.
 */
async function repliedTo(
  journal: Journal,
  run: string,
  remote: Remote,
  reply: (ready: () => Promise<void>) => Promise<boolean>,
): Promise<object> {
  let opened: Awaited<ReturnType<typeof openGoing>> | undefined;
  const ready = async (): Promise<void> => {
    const summary = findRun(journal, run);
    if (!summary.owned) opened ??= await openedFor(journal, summary, remote);
  };
  try {
    if (!(await reply(ready))) return resultOf(journal, run);
    if (!opened || findRun(journal, run).owned) return { run, resumed: false };
    return withAnswerSources((await opened.going.go()).result, journal);
  } finally {
    opened?.close();
  }
}

export interface Replied {
  /** As `planvm run --json`. */
  readonly document: object;
  /** What was wrong with answers, by effect. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether anything was said. */
  readonly said: boolean;
}

/** Takes what the user of a client has said of what a run waits for, and goes on with it. */
export async function reply(
  { run, responses }: Round,
  by: string,
  remote: Remote,
): Promise<Replied> {
  const workspace = await openWorkspace();
  return await withJournal(workspace, async (journal) => {
    const { waits = [] } = keptResult(journal, run) ?? {};
    const problems = new Map<string, string>();
    let said = false;
    const document = await repliedTo(journal, run, remote, async (ready) => {
      for (const wait of waits) {
        const given = isAsked(wait) ? replyOf(wait, responses[wait.effect]) : undefined;
        if (!given) continue;
        const problem = await post({ journal, run, by, workspace, ready }, wait.effect, given);
        if (problem === undefined) said = true;
        else problems.set(wait.effect, problem);
      }
      return said;
    });
    return { document, problems, said };
  });
}

/** What is wrong with it; undefined where it was left with the run. */
async function post(
  at: {
    journal: Journal;
    run: string;
    by: string;
    workspace: Workspace;
    ready: () => Promise<void>;
  },
  effect: string,
  given: Reply,
): Promise<string | undefined> {
  const { journal, run, by, workspace, ready } = at;
  const options = { journal, run, by, handlers: waiting, ready };
  try {
    if (given.kind === 'decision') {
      const { approved, note } = given;
      await decideRun({ ...options, effects: [effect], approved, note });
    } else {
      const { value } = given;
      if (typeof value === 'string') refuseSecrets(workspace, 'the answer', value);
      await answerRun({ ...options, effect, answer: () => value });
    }
    return undefined;
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    if (code === 'PV5144' || code === 'PV6025') return message;
    throw thrown;
  }
}

/** The built-in tools that wait; what else waits is an approval. */
const waiting = new Map([askHandler, ...clockHandlers()].map((one) => [one.spec.name, one]));

const openedFor = (journal: Journal, summary: RunSummary, remote: Remote) =>
  openGoing({ journal, summary, flags: { prompts: false } }, hostOf(remote));

/** What the run has come to, with all that comes after it. */
async function goneOn(journal: Journal, summary: RunSummary, remote: Remote): Promise<object> {
  const { going, close } = await openedFor(journal, summary, remote);
  try {
    return withAnswerSources((await going.go()).result, journal);
  } finally {
    close();
  }
}

function resultOf(journal: Journal, run: string): RunResult | { run: string; status: RunStatus } {
  return sourcedResult(journal, run) ?? { run, status: journal.find(run)?.status ?? 'running' };
}

function sourcedResult(journal: Journal, run: string): RunResult | undefined {
  const result = keptResult(journal, run);
  return result && withAnswerSources(result, journal);
}

/** As `planvm show --json`, with the result. */
export async function show(args: CallArguments): Promise<object> {
  return await withJournal(await openWorkspace(), (journal) => {
    const { id } = findRun(journal, textIn(args, 'run') ?? '');
    const view = showRun({ journal, run: id, load });
    return { ...view, result: sourcedResult(journal, id) ?? null };
  });
}

/** As `planvm runs --json`, in brief. */
export async function runs(args: CallArguments): Promise<object> {
  const { status, limit } = args;
  return await withJournal(await openWorkspace(), (journal) => {
    const found = journal.list({
      limit: typeof limit === 'number' ? limit : 20,
      ...(typeof status === 'string' && { status: status as RunStatus }),
    });
    return {
      runs: found.map(({ id, title, createdAt, updatedAt, status: now, reason, ...run }) => ({
        ...{ run: id, title, dialect: writtenIn(run), createdAt, updatedAt, status: now },
        ...(reason !== undefined && { reason }),
      })),
    };
  });
}
