/**
 * Everything that planvm can do, for programs that embed it: from a text or a goal to its answer.
 * Owns the journal that it opened and the sessions of this process.
 *
 *     const agent = await openAgent({ journal: 'runs.db', model: 'openai/gpt-5-mini', tools });
 *     const session = agent.ask('Buy the cheaper bread', { id: 'ticket-42' });
 *     for await (const event of session) show(event);
 *     const { status, answer, next } = await session.end;
 */

import type { Checked } from '../dialects/dialect.ts';
import { cancelRun } from '../engine/cancel.ts';
import { dueRuns } from '../engine/due.ts';
import type { ForkChanges } from '../engine/fork/fork-changes.ts';
import type { ForkPreview } from '../engine/fork/fork-preview.ts';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import { openJournal } from '../engine/journal/open-journal.ts';
import { withdrawReply } from '../engine/reply.ts';
import { RunExists, runId } from '../engine/run-name.ts';
import type { ToolSpec } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import { AgentRuns } from './agent-runs.ts';
import { type AgentTool, agentTool } from './as-tool.ts';
import { type FollowOptions, follow } from './follow.ts';
import { requireGoal } from './goal/goal-of.ts';
import type { RevisionOptions } from './goal/revise.ts';
import type { ForkPlan } from './loops/change-run.ts';
import { type AgentOptions, workspaceFor } from './options.ts';
import { loadReaderOf } from './playbook/load-reader.ts';
import type { AgentEvent } from './port/events.ts';
import type { Host } from './port/host.ts';
import type { Reply } from './port/reply.ts';
import type { Workspace } from './port/workspace.ts';
import { findRun } from './record/find-run.ts';
import { keptResult } from './record/kept-result.ts';
import {
  type AskOptions,
  type GivenSource,
  goalOf,
  type LaterOptions,
  type ResumeOptions,
  type RunOptions,
  type SessionOptions,
  sourceOf,
  valuesOf,
} from './requests.ts';
import type { AsRunOptions, RunTools } from './resume/as-run.ts';
import { refuseInner } from './resume/inner.ts';
import { defaultDialect, nothingUsed } from './run/usage.ts';
import { Session, type Worked } from './session.ts';
import type { Base } from './sessions.ts';
import { AgentThread } from './thread/agent-thread.ts';
import { Conversation, newThread } from './thread/conversation.ts';
import { findThread, savedThreads } from './thread/thread-store.ts';
import type { Travel } from './travel/travel.ts';

/** What does the work is loaded when there is some: reading a journal needs none of it. */
const sessions = () => import('./sessions.ts');
const goingOn = () => import('./resume-session.ts');

/** Throws what is wrong with the options. Without `env` there are no keys. */
export async function openAgent(options: AgentOptions = {}): Promise<Agent> {
  const workspace = await workspaceFor(options);
  const { journal = ':memory:' } = options;
  const isOwn = typeof journal === 'string';
  const opened = isOwn ? openJournal(journal) : journal;
  const isDurable = journal !== ':memory:';
  return new Agent({ workspace, journal: opened, isOwn, isDurable, host: hostOf(options) });
}

/** What the owner of an agent does for its sessions. */
function hostOf({ person, review, saying, goThrough }: AgentOptions): Host {
  return {
    ...{ person, ...(review && { review }), ...(saying && { saying }) },
    ...(goThrough && {
      async goThrough(run) {
        const { travelAhead } = await import('./travel/run-ahead.ts');
        return await travelAhead(run, goThrough);
      },
    }),
  };
}

interface Parts {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly isOwn: boolean;
  readonly isDurable: boolean;
  /** Shows, asks and answers, beside those who listen to events. */
  readonly host?: Host;
}

export class Agent {
  readonly runs: AgentRuns;
  readonly #parts: Parts;
  /** The latest of each id, to which the same request leads again. */
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Set<Session>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.runs = new AgentRuns(parts.journal);
  }

  /** Everything that can be said about a text without running it. */
  async check(
    given: GivenSource,
    options: Pick<RunOptions, 'dialect' | 'inputs'> = {},
  ): Promise<Checked> {
    const { openProgram } = await import('./open-program.ts');
    const source = await sourceOf(given);
    const inputs = valuesOf(options.inputs);
    const own = changed(this.#parts.workspace, options);
    const { checked, toolbox } = await openProgram(source, own, { inputs });
    toolbox.close();
    return checked;
  }

  /** Runs a program of any dialect. `end` rejects with `InvalidProgram` for a text that is none. */
  run(given: GivenSource, options: RunOptions = {}): Session {
    const { goal, repairs = 0, sequential = false, playbooks = {}, idle = false } = options;
    const inputs = valuesOf(options.inputs);
    return this.#begin(options, async (base, host) => {
      const { title } = options;
      const source = { ...(await sourceOf(given)), ...(title !== undefined && { title }) };
      const program = { source, inputs, goal, repairs, sequential, manner: playbooks, idle };
      const { runText } = await sessions();
      return await runText({ ...base, ...program }, host);
    });
  }

  /** Plays playbooks; with `idle` they hear messages when they have nothing to do. */
  play(given: GivenSource, options: RunOptions = {}): Session {
    return this.run(given, { ...options, dialect: 'playbook' });
  }

  /** From a goal to its answer: plan, run, repair, judge, revise. */
  ask(goal: string, options: AskOptions = {}): Session {
    const work = goalOf(goal, options);
    const settings = this.#parts.workspace.settings;
    // Where nobody says, a model decides, in dialects that have programs for words.
    const { dialect = defaultDialect, route = 'auto' } = { ...settings, ...options };
    const request = { kind: 'ask', text: goal, dialect, inputs: work.inputs };
    return this.#begin(options, async (base, host) => {
      const { answer } = await sessions();
      const names = { ...base.names, request };
      return await answer({ ...base, names, ...work, options: { ...options, route } }, host);
    });
  }

  /** One action at a time: a model sees what each gives before it chooses the next. */
  react(goal: string, options: AskOptions = {}): Session {
    return this.ask(goal, { ...options, dialect: 'react' });
  }

  /** Plans of tasks that run side by side; a model joins what they come to, or plans again. */
  tasks(goal: string, options: AskOptions = {}): Session {
    return this.ask(goal, { ...options, dialect: 'llmcompiler' });
  }

  /** A program for a goal: `answer` is its text, which is checked and not run. */
  plan(goal: string, options: AskOptions = {}): Session {
    const work = goalOf(goal, options);
    return this.#begin(options, async (base, host) => {
      const { plan } = await sessions();
      return await plan({ ...base, ...work }, host);
    });
  }

  /** A model changes the program of a run as is suggested; a fork runs it. */
  revise(run: string, suggestion: string, options: RevisionOptions & LaterOptions = {}): Session {
    const base = findRun(this.#parts.journal, run);
    return this.#beginAfter(base, options, (own, host) =>
      this.#asRun(base, { ...own, changes: true, goal: options.goal }, async (work) => {
        const { revise } = await import('./goal/revise.ts');
        return await revise({ ...own, ...work, host, base, suggestion, options });
      }),
    );
  }

  /** The program as a model changes it, and what it would perform: it is not run. */
  async previewRevision(
    run: string,
    suggestion: string,
    options: RevisionOptions = {},
  ): Promise<ForkPlan> {
    const base = findRun(this.#parts.journal, run);
    const { host = {} } = this.#parts;
    const own = { ...this.#base({}), names: {}, changes: true, goal: options.goal };
    return await this.#asRun(base, own, async (work) => {
      const { previewRevision } = await import('./goal/revise.ts');
      return await previewRevision({ ...own, ...work, host, base, suggestion, options });
    });
  }

  /** A model judges the answer of a run: `answer` is the verdict, which is kept with the run. */
  judge(run: string, options: { readonly goal?: string } & LaterOptions = {}): Session {
    const { journal } = this.#parts;
    const base = findRun(journal, run);
    const goal = requireGoal(journal, base, options.goal);
    const answers = keptResult(journal, base.id)?.answers ?? [];
    return this.#beginAfter(base, options, (own, host) =>
      this.#asRun(base, own, async (work) => {
        const { judgeRun } = await import('./loops/judge-run.ts');
        const judging = { run: base.id, answers, goal, asked: undefined, spent: nothingUsed };
        const { verdict, usage } = await judgeRun({ ...own, ...work, host, ...judging });
        const { cost = null, ...counts } = usage;
        const result = {
          ...{ run: base.id, status: 'done' as const, answer: verdict, variables: {} },
          ...{ answers: [{ value: verdict, step: '' }], warnings: [], usage: { ...counts, cost } },
        };
        return { result };
      }),
    );
  }

  /** Goes on with a run of any kind, and with what comes after it. */
  resume(run: string, options: ResumeOptions = {}): Session {
    const { journal } = this.#parts;
    const summary = findRun(journal, run);
    refuseInner(summary);
    const { reply = [], refused, signal, ...others } = options;
    return this.#session(summary.id, signal, async (host) => {
      const { resumeSession } = await goingOn();
      const replies = [reply].flat();
      const base = { ...this.#base({}), names: {} };
      return await resumeSession({ ...base, summary, options: others, replies, refused }, host);
    });
  }

  /** All runs that can go on by themselves: their time has come, or a reply was left with them. */
  resumeDue(now: number = Date.now()): Session[] {
    return dueRuns(this.#parts.journal, now).map(({ id }) => this.resume(id));
  }

  /** A new run that begins as another one and differs from a step on. */
  fork(
    run: string,
    changes: ForkChanges,
    options: Omit<SessionOptions, 'inputs' | 'metadata'> = {},
  ): Session {
    const base = findRun(this.#parts.journal, run);
    refuseInner(base);
    return this.#begin(options, (own, host) =>
      this.#asRun(base, { ...own, changes: true }, async (work) => {
        const { planChanges } = await import('./resume/planned-fork.ts');
        const { limits } = options;
        return await (await planChanges({ ...own, ...work, base, limits }, changes)).run(host);
      }),
    );
  }

  /** What a fork would perform again and what it takes over; makes nothing. */
  async previewFork(run: string, changes: ForkChanges): Promise<ForkPreview> {
    const base = findRun(this.#parts.journal, run);
    refuseInner(base);
    const own = { ...this.#base({}), names: {}, changes: true };
    return await this.#asRun(base, own, async (work) => {
      const { planChanges } = await import('./resume/planned-fork.ts');
      return (await planChanges({ ...own, ...work, base }, changes)).preview;
    });
  }

  /**
   * Leaves an answer, an approval or a denial with a run, for whichever process has it or resumes
   * it: `resume` goes on, also with the reply in its options. Gives the ids of the effects that it
   * was about. Throws `RunError` PV5142 where nothing waits for it or somebody was first, PV5143
   * where several wait, PV5144 for an answer that does not fit.
   */
  async reply(run: string, reply: Reply): Promise<readonly string[]> {
    return await this.#leave(findRun(this.#parts.journal, run).id, reply);
  }

  async #leave(run: string, reply: Reply): Promise<readonly string[]> {
    const { leaveReply } = await import('./resume/leave-reply.ts');
    return await leaveReply(this.#parts, run, reply);
  }

  /** Takes back a reply that no process has taken. Throws `RunError` PV5142 where there is none. */
  withdraw(run: string, effect: string): void {
    const { journal } = this.#parts;
    withdrawReply(journal, findRun(journal, run).id, effect);
  }

  /** Cancels a run: `asked` where another process has it, which ends it within a second or two. */
  cancel(run: string): 'asked' | 'cancelled' {
    return cancelRun(this.#parts.journal, findRun(this.#parts.journal, run).id);
  }

  /** The events of a session out of the journal, whichever process has it. */
  follow(session: string, options: FollowOptions = {}): AsyncGenerator<AgentEvent> {
    return follow(this.#parts.journal, findRun(this.#parts.journal, session).id, options);
  }

  /** Going to and fro in what a run has done: nothing is performed. */
  async travel(run: string): Promise<Travel> {
    const { journal } = this.#parts;
    const { id } = findRun(journal, run);
    const { loadTravel } = await import('./travel/travel.ts');
    return loadTravel(journal, id);
  }

  /** What programs may call. */
  async tools(): Promise<readonly ToolSpec[]> {
    const base = { ...this.#base({}), names: {} };
    const { withTools } = await sessions();
    return await withTools(base, undefined, async ({ specs }) => [...specs.values()]);
  }

  /** This agent as one tool: of the `ai` package as it is, of an MCP server by `mcp`. */
  async asTool(name = 'planvm'): Promise<AgentTool> {
    return agentTool(name, await this.tools(), {
      run: (program, options) => this.run(program, { ...options, dialect: 'starlark' }),
      ask: (goal, options) => this.ask(goal, options),
      answer: (run, value, signal) => {
        const reply = { by: name, answer: value, isClient: true };
        return this.resume(run, { reply, ...(signal && { signal }) });
      },
    });
  }

  /** A conversation by its id, or a new one. Throws `AgentError` PV6701 for an id that is none. */
  thread(id?: string): AgentThread<Session> {
    const { workspace } = this.#parts;
    const thread = id === undefined ? newThread('auto') : findThread(savedThreads(workspace), id);
    const conversation = new Conversation(workspace, thread, () => {});
    // What ends with the process is not saved.
    if (this.#parts.isDurable) conversation.keep();
    return new AgentThread(conversation, (text, { background, inputs }) =>
      this.#begin({}, async (base, host) => {
        const { answer } = await sessions();
        const goal = { text, background };
        return await answer({ ...base, goal, inputs, options: { route: 'auto' } }, host);
      }),
    );
  }

  /** Suspends what goes on here and waits for it, then closes the journal that it has opened. */
  async close(): Promise<void> {
    const open = [...this.#open];
    for (const session of open) session.stop('interrupted');
    await Promise.allSettled(open.map(({ end }) => end));
    if (this.#parts.isOwn) this.#parts.journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #base(options: Changes) {
    const { workspace, journal, isDurable } = this.#parts;
    return { workspace: changed(workspace, options), journal, isDurable };
  }

  #begin(
    options: SessionOptions & { readonly dialect?: string },
    work: (base: Base, host: Host) => Promise<Worked>,
  ): Session {
    const { title, metadata, signal } = options;
    const id = options.id ?? runId(Date.now());
    const names = { id, title, metadata };
    const earlier = this.#sessions.get(id);
    return this.#session(id, signal, async (host) => {
      const base = this.#base(options);
      await loadReaderOf(base.workspace.settings.dialect);
      try {
        return await work({ ...base, names }, host);
      } catch (error) {
        if (!(error instanceof RunExists)) throw error;
        const end = await earlier?.end;
        return end
          ? { result: end, planning: end.planning }
          : await (await goingOn()).takeUp({ ...this.#base({}), names: {} }, error.existing, host);
      }
    });
  }

  /** What comes after a run belongs to its session. */
  #beginAfter(
    base: RunSummary,
    options: LaterOptions,
    work: (base: Base, host: Host) => Promise<Worked>,
  ): Session {
    const { title, metadata, signal } = options;
    return this.#session(base.id, signal, (host) =>
      work({ ...this.#base(options), names: { title, metadata } }, host),
    );
  }

  #session(
    id: string,
    signal: AbortSignal | undefined,
    work: (host: Host) => Promise<Worked>,
  ): Session {
    const { journal, host = {}, workspace } = this.#parts;
    const session = new Session({
      ...{ journal, id, host, signal, watched: workspace.watched, work },
      reply: (run, reply) => this.#leave(run, reply),
    });
    this.#sessions.set(id, session);
    this.#open.add(session);
    const forget = (): void => {
      this.#open.delete(session);
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
    session.end.then(forget, forget);
    return session;
  }

  async #asRun<Result>(
    run: RunSummary,
    base: Base & Pick<AsRunOptions, 'changes' | 'goal'>,
    act: (tools: RunTools) => Promise<Result>,
  ): Promise<Result> {
    const { asRun } = await import('./resume/as-run.ts');
    return await asRun(run, base, act);
  }
}

interface Changes {
  readonly dialect?: string;
  readonly limits?: Partial<Limits>;
}

function changed(workspace: Workspace, { dialect, limits }: Changes): Workspace {
  const { settings } = workspace;
  const own = dialect === undefined ? settings : { ...settings, dialect };
  return {
    ...{ ...workspace, settings: { ...own, limits: { ...settings.limits, ...limits } } },
    ...(workspace.forRun && {
      forRun: async (run) =>
        changed((await workspace.forRun?.(run)) ?? workspace, limits ? { limits } : {}),
    }),
  };
}
