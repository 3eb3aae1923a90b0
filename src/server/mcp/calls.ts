/**
 * What the tools of planvm's own server do, as documents: those that the commands of these names
 * print with `--json`. Each call has an agent of its own, so that a changed configuration counts.
 */

import { Agent } from '../../agent/agent.ts';
import { checkKnown, knownProgram } from '../../agent/known-program.ts';
import { AgentError, type CodedError, InvalidProgram } from '../../agent/port/errors.ts';
import type { AgentEvent } from '../../agent/port/events.ts';
import type { Reply } from '../../agent/port/reply.ts';
import { journalPath, type Workspace } from '../../agent/port/workspace.ts';
import { writtenIn } from '../../agent/record/asked.ts';
import { existingJournal } from '../../agent/record/existing-journal.ts';
import { invalidResult } from '../../agent/record/warnings.ts';
import { type SessionOptions, sourceOf } from '../../agent/requests.ts';
import type { Session } from '../../agent/session.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { RunStatus } from '../../engine/journal/run-state.ts';
import { failureOf } from './failure.ts';
import { isAsked, replyOf } from './forms.ts';
import type { OwnTool } from './offers.ts';
import type { Round } from './rounds.ts';

export type CallArguments = Readonly<Record<string, unknown>>;

/** What the server needs of whoever starts it. */
export interface ServerHost {
  /** The workspace as its configuration is now. */
  openWorkspace(options?: WorkspaceOptions): Promise<Workspace>;
  /** Hears what goes wrong outside of any call. */
  report(message: string): void;
}

interface WorkspaceOptions {
  /** False: neither configuration nor tools are run. */
  readonly execute?: boolean;
}

/** The client of one call. */
export interface Client {
  /** Hears what happens while the call goes on. */
  hear(event: AgentEvent): void;
  /** Aborted, it suspends runs so that they can be resumed. */
  readonly signal: AbortSignal;
}

type Call = (host: ServerHost, args: CallArguments, client: Client) => Promise<object>;

/** Runs no configuration and no tools. */
const check: Call = async (host, args) => {
  const here = await host.openWorkspace({ execute: false });
  const own = { ...here, settings: { ...here.settings, ...textsIn(args, 'dialect') } };
  const text = await sourceOf(textIn(args, 'program') ?? '');
  const inputs = Array.isArray(args.inputs) ? args.inputs.map(String) : [];
  const known = await knownProgram(text, own);
  const { ok, dialect, diagnostics } = await checkKnown(known, { inputs });
  return { ok, dialect, diagnostics };
};

export async function run(
  host: ServerHost,
  args: CallArguments,
  client: Client,
  title = 'a program by MCP',
): Promise<object> {
  const program = textIn(args, 'program') ?? '';
  const options = { title, ...textsIn(args, 'dialect'), ...optionsIn(args, client) };
  return await atWork(host, (agent) => ended(agent.run(program, options), client));
}

const ask: Call = async (host, args, client) => {
  const goal = textIn(args, 'goal')?.trim() ?? '';
  if (goal === '') {
    throw new AgentError('PV6002', 'the goal is empty', { hint: 'say what you want to know' });
  }
  const words = textsIn(args, 'dialect', 'language', 'format');
  const options = { ...words, ...optionsIn(args, client) };
  return await atWork(host, (agent) => ended(agent.ask(goal, options), client));
};

const resume: Call = async (host, args, client) =>
  await atRun(host, args, (agent, id) =>
    ended(agent.resume(id, { signal: client.signal }), client),
  );

const answer: Call = async (host, args, client) =>
  await atRun(host, args, (agent, id) => {
    const effect = textsIn(args, 'effect');
    const reply = { by: 'an MCP client', isClient: true, answer: args.answer, ...effect };
    return replied(agent, id, [reply], client);
  });

export interface RoundEnd {
  /** As that of `run`. */
  readonly document: object;
  /** What was wrong with answers, by effect. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether the user has replied to anything. */
  readonly isReplied: boolean;
}

/** Takes what the user of a client has replied to what a run waits for, and goes on with it. */
export async function reply(
  host: ServerHost,
  { run: asked, responses }: Round,
  by: string,
  client: Client,
): Promise<RoundEnd> {
  return await atRun(host, { run: asked }, async (agent, id) => {
    const { waits = [] } = (await agent.runs.result(id)) ?? {};
    const replies = waits.flatMap((wait) => {
      const given = isAsked(wait) ? replyOf(wait, responses[wait.effect], by) : undefined;
      return given ? [given] : [];
    });
    const problems = new Map<string, string>();
    const refused = ({ effect }: Reply, { message }: CodedError): void => {
      if (typeof effect === 'string') problems.set(effect, message);
    };
    const isReplied = replies.length > 0;
    const document = isReplied
      ? await replied(agent, id, replies, client, refused)
      : ((await agent.runs.result(id)) ?? { run: id, status: agent.runs.get(id).status });
    return { document, problems, isReplied };
  });
}

/** Leaves replies with a run; where another process has it, that one goes on with it. */
async function replied(
  agent: Agent,
  run: string,
  replies: readonly Reply[],
  client: Client,
  refused?: (reply: Reply, error: CodedError) => void,
): Promise<object> {
  const elsewhere = { run, resumed: false };
  if (agent.runs.get(run).owned) {
    for (const each of replies) await agent.reply(run, each);
    return elsewhere;
  }
  const { signal } = client;
  const options = { reply: replies, signal, ...(refused && { refused }) };
  try {
    return await ended(agent.resume(run, options), client);
  } catch (error) {
    // Another process was faster, and has found the replies.
    if (failureOf(error).code === 'PV5002') return elsewhere;
    throw error;
  }
}

/** What a run has done, with its result. */
const show: Call = async (host, args) =>
  await atRuns(host, async (agent) => {
    const { id } = agent.runs.get(textIn(args, 'run') ?? '');
    return { ...(await agent.runs.show(id)), result: (await agent.runs.result(id)) ?? null };
  });

/** In brief. */
const runs: Call = async (host, { status, limit }) =>
  await atRuns(host, async (agent) => {
    const found = agent.runs.list({
      limit: typeof limit === 'number' ? limit : 20,
      ...(typeof status === 'string' && { status: status as RunStatus }),
    });
    return {
      runs: found.map(({ id, title, createdAt, updatedAt, status: now, reason, ...record }) => ({
        ...{ run: id, title, dialect: writtenIn(record), createdAt, updatedAt, status: now },
        ...(reason !== undefined && { reason }),
      })),
    };
  });

type OwnCalls = Readonly<Record<OwnTool, Call>>;

/** By the names of the tools. */
export const ownCalls: OwnCalls = { check, run, ask, resume, answer, show, runs };

type Act<Result> = (agent: Agent) => Promise<Result>;

/** For new runs: makes the journal where there is none. */
async function atWork<Result>(host: ServerHost, act: Act<Result>): Promise<Result> {
  const workspace = await host.openWorkspace();
  return await withAgent(workspace, openJournal(journalPath(workspace)), act);
}

/** For what is there already. */
async function atRuns<Result>(host: ServerHost, act: Act<Result>): Promise<Result> {
  const workspace = await host.openWorkspace();
  return await withAgent(workspace, existingJournal(workspace), act);
}

async function atRun<Result>(
  host: ServerHost,
  args: CallArguments,
  act: (agent: Agent, run: string) => Promise<Result>,
): Promise<Result> {
  return await atRuns(host, (agent) => act(agent, agent.runs.get(textIn(args, 'run') ?? '').id));
}

async function withAgent<Result>(
  workspace: Workspace,
  journal: Journal,
  act: Act<Result>,
): Promise<Result> {
  const parts = { workspace, journal, isOwn: true, isDurable: true };
  const agent = new Agent(parts);
  try {
    return await act(agent);
  } finally {
    await agent.close();
  }
}

/** What a session came to, as the command prints it. */
async function ended(session: Session, client: Client): Promise<object> {
  const stop = session.subscribe((event) => client.hear(event));
  try {
    const { runs: _runs, planning: _planning, next: _next, ...result } = await session.end;
    return result;
  } catch (error) {
    if (error instanceof InvalidProgram) return invalidResult(error.diagnostics);
    throw error;
  } finally {
    stop();
  }
}

function optionsIn({ inputs }: CallArguments, { signal }: Client): SessionOptions {
  const isData = typeof inputs === 'object' && inputs !== null;
  return { signal, inputs: isData ? { ...inputs } : {} };
}

const textIn = (args: CallArguments, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
};

const textsIn = <Name extends string>(
  args: CallArguments,
  ...names: readonly Name[]
): { readonly [Each in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = textIn(args, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { readonly [Each in Name]?: string };
