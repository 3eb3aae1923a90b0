/**
 * Everything that planvm can do, for whoever embeds it: from a text or a goal to its answer. Owns
 * the journal that it opened and the sessions of this process.
 *
 *     const agent = await openAgent({ journal: 'runs.db', model: 'openai/gpt-5-mini', tools });
 *     const session = agent.ask('Buy the cheaper bread', { id: 'ticket-42' });
 *     for await (const event of session) show(event);
 *     const { status, answer, next } = await session.end;
 */

import type { Checked } from '../dialects/dialect.ts';
import type { Manner } from '../dialects/playbook/manner.ts';
import { clockHandlers } from '../effects/clock/handlers.ts';
import { askHandler } from '../effects/person/ask.ts';
import { dueRuns } from '../engine/due.ts';
import { editFrom, type ForkChanges } from '../engine/fork/fork-changes.ts';
import { draftFork } from '../engine/fork/fork-draft.ts';
import { type ForkPreview, previewFork } from '../engine/fork/fork-preview.ts';
import { exportRuns } from '../engine/journal/export.ts';
import { importRuns, readExport } from '../engine/journal/import.ts';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import type { RunMetadata } from '../engine/journal/metadata.ts';
import { openJournal } from '../engine/journal/open-journal.ts';
import type { RunFilter } from '../engine/journal/run-filter.ts';
import { loadProgram } from '../engine/load.ts';
import type { Assume } from '../engine/past/assume.ts';
import { readPast } from '../engine/past/read-past.ts';
import { stateAt } from '../engine/past/time.ts';
import { answerRun, decideRun } from '../engine/reply.ts';
import { cancelRun } from '../engine/run.ts';
import { runId } from '../engine/run-id.ts';
import { RunExists } from '../engine/run-name.ts';
import { type Comparison, compareRuns } from '../engine/views/compare.ts';
import { type RunView, showRun } from '../engine/views/show.ts';
import { type StateView, stateView } from '../engine/views/state-view.ts';
import type { Goal } from '../planner/goal.ts';
import type { ToolSpec } from '../program/effect.ts';
import { fromJson } from '../program/json.ts';
import type { Limits } from '../program/limits.ts';
import type { Value } from '../program/value.ts';
import { described } from './evidence/known-variables.ts';
import { type FollowOptions, follow, runsOf } from './follow.ts';
import { ownGoal } from './goal/goal-of.ts';
import { type RevisionOptions, revise } from './goal/revise.ts';
import { judgeRun } from './loops/judge-run.ts';
import { type AgentOptions, workspaceFor } from './options.ts';
import { AgentError } from './port/errors.ts';
import type { AgentEvent } from './port/events.ts';
import type { Host, RunEnd } from './port/host.ts';
import type { Workspace } from './port/workspace.ts';
import { withBeside } from './program/compiled-beside.ts';
import { readFileSource, type Source, unwrapped } from './program/source.ts';
import { isPlaying } from './record/asked.ts';
import { isEventFor } from './record/event-for.ts';
import { findRun } from './record/find-run.ts';
import { importedSettings } from './record/imported.ts';
import { keptResult } from './record/kept-result.ts';
import { load } from './record/load.ts';
import { servedFor } from './resume/effects-of.ts';
import { forkOptions } from './resume/fork-options.ts';
import { endedAlready, readyToGoOn } from './resume/go-on.ts';
import { refuseInner } from './resume/inner.ts';
import { beginFork } from './run/begin.ts';
import { drive } from './run/drive.ts';
import { nothingUsed } from './run/usage.ts';
import type { GoalOptions } from './run/work.ts';
import { Session, type Worked } from './session.ts';
import { answer, type Base, openProgram, plan, runText, withTools } from './sessions.ts';
import { fileOf, keptSettings } from './settings/kept-settings.ts';
import { joinedBy, type openToolbox } from './tools/toolbox.ts';
import { openToolsOf } from './tools/tools-of-program.ts';
import { Travel } from './travel/travel.ts';

/** A program: its text, or a file with those that it names. */
export type GivenSource = string | { readonly file: string } | GivenText;

export interface GivenText {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file?: string;
}

export interface SessionOptions {
  /**
   * Of the first run: letters, digits, `-_.`. The same request under it gives the same session,
   * also after its end; another request is refused with PV5113.
   */
  readonly id?: string;
  readonly title?: string;
  /** JSON, at most 16 KB: sessions are found by it. */
  readonly metadata?: RunMetadata;
  /** Variables that are set before it starts: JSON data. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
  /** Suspends the session when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface RunOptions extends SessionOptions {
  /** What the program is written in; found out where absent. */
  readonly dialect?: string;
  readonly goal?: string;
  /** How often a model may repair it where it fails. Default: 0. */
  readonly repairs?: number;
  /** One effect at a time. */
  readonly sequential?: boolean;
  /** Of playbooks. */
  readonly playbooks?: Partial<Manner>;
  /** Whether playbooks hear messages when they have nothing to do. */
  readonly idle?: boolean;
}

export interface AskOptions extends SessionOptions, GoalOptions {
  /** What the plan is written in; `llmcompiler` and `react` are loops over tasks. */
  readonly dialect?: string;
  /** Language and form of the answer, in words. */
  readonly language?: string;
  readonly format?: string;
  /** Label of saved plans to look at before others; false: none is looked at. */
  readonly saved?: string | false;
}

export interface ResumeOptions extends Pick<SessionOptions, 'limits' | 'signal'> {
  /** What has become of effects that are in doubt. */
  readonly assume?: Assume;
  /** Left with the run once it is known that it can go on; else nothing is left. */
  readonly reply?: Reply;
}

export type Reply = { readonly by: string; readonly note?: string } & (
  | {
      /** Effect or step ids; absent where there is one, `all` for each that is open. */
      readonly effect?: string | readonly string[];
      readonly approved: boolean;
    }
  | { readonly effect?: string; readonly to?: string; readonly answer: unknown }
);

/** Throws what is wrong with the options. */
export async function openAgent(options: AgentOptions = {}): Promise<Agent> {
  const workspace = await workspaceFor(options, globalThis.process?.env ?? {});
  const { journal = ':memory:' } = options;
  const isOwn = typeof journal === 'string';
  const opened = isOwn ? openJournal(journal) : journal;
  const isDurable = journal !== ':memory:';
  return new Agent({ workspace, journal: opened, isOwn, isDurable, person: options.person });
}

interface Parts {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly isOwn: boolean;
  readonly isDurable: boolean;
  readonly person: Host['person'];
}

/** The built-in tools that wait; what else waits is an approval. */
const waiting = new Map([askHandler, ...clockHandlers()].map((each) => [each.spec.name, each]));

export class Agent {
  readonly runs: AgentRuns;
  readonly #parts: Parts;
  readonly #sessions = new Map<string, Session>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.runs = new AgentRuns(parts.journal);
  }

  /** Everything that can be said about a text without running it. */
  async check(given: GivenSource, options: Pick<RunOptions, 'dialect' | 'inputs'> = {}) {
    const source = await sourceOf(given);
    const inputs = valuesOf(options.inputs);
    const own = this.#workspace(options);
    const { checked, toolbox } = await openProgram(source, own, { inputs, goal: undefined });
    toolbox.close();
    return checked satisfies Checked;
  }

  /** Runs a program of any dialect. `end` rejects with `InvalidProgram` for a text that is none. */
  run(given: GivenSource, options: RunOptions = {}): Session {
    const { goal, repairs = 0, sequential = false, playbooks = {}, idle = false } = options;
    const inputs = valuesOf(options.inputs);
    return this.#begin(options, async (base, host) => {
      const source = await sourceOf(given);
      const program = { source, inputs, goal, repairs, sequential, manner: playbooks, idle };
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
    const { dialect = '' } = { ...this.#parts.workspace.settings, ...options };
    const request = { kind: 'ask', text: goal, dialect, inputs: work.inputs };
    return this.#begin(options, (base, host) => {
      const names = { ...base.names, request };
      return answer({ ...base, names, ...work }, host);
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
    return this.#begin(options, (base, host) => plan({ ...base, ...work }, host));
  }

  /** A model changes the program of a run as is suggested; a fork runs it. */
  revise(run: string, suggestion: string, options: RevisionOptions & SessionOptions = {}): Session {
    const base = findRun(this.#parts.journal, run);
    return this.#begin(options, (own, host) =>
      this.#asRun(base, own, host, (work) =>
        revise({ ...own, ...work, host, base, suggestion, options }),
      ),
    );
  }

  /** A model's verdict on the answer of a run: `answer` is the verdict, which is kept with the run. */
  judge(run: string, options: { readonly goal?: string } & SessionOptions = {}): Session {
    const { journal } = this.#parts;
    const base = findRun(journal, run);
    const goal = ownGoal(journal, base, options.goal);
    if (!goal) {
      throw new AgentError('PV6043', `nobody has said what run ${base.id} is for`, {
        hint: 'say the goal',
        facts: { run: base.id },
      });
    }
    const answers = keptResult(journal, base.id)?.answers ?? [];
    return this.#begin(options, (own, host) =>
      this.#asRun(base, own, host, async (work) => {
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
    const { assume, limits, reply } = options;
    return this.#session(summary.id, options.signal, async (host) => {
      const base = { ...this.#base({}), names: {} };
      const over = endedAlready(journal, summary);
      if (over) return await over.go();
      return await this.#asRun(summary, base, host, async (work) => {
        const going = { ...(limits && { limits }), assume };
        const ready = () => readyToGoOn({ ...base, ...work, host, summary, options: going });
        if (!reply) return await (await ready()).go();
        let opened: Awaited<ReturnType<typeof ready>> | undefined;
        await this.#leave(summary.id, reply, async () => {
          opened = await ready();
        });
        return await (opened ?? (await ready())).go();
      });
    });
  }

  /** All runs that can go on by themselves: their time has come, or a reply was left with them. */
  resumeDue(now: number = Date.now()): Session[] {
    return dueRuns(this.#parts.journal, now).map(({ id }) => this.resume(id));
  }

  /** A new run that begins as another one and differs from a step on. */
  fork(run: string, changes: ForkChanges, options: SessionOptions = {}): Session {
    const base = findRun(this.#parts.journal, run);
    refuseInner(base);
    return this.#begin(options, (own, host) =>
      this.#asRun(base, own, host, async (work) => {
        const drafted = await this.#forked(base, changes, options, work);
        const draft = draftFork(drafted);
        const { program, source } = draft.loaded;
        work.toolbox.prepare(program);
        const handle = beginFork({ ...own, ...work, host }, drafted, draft);
        const endWith = (result: RunEnd['result']): RunEnd => ({
          ...{ result, text: source.text, file: fileOf(base) },
        });
        const live = { handle, program, title: base.title, endWith };
        const callsFunctions = work.toolbox.callsFunctions(program);
        return { result: await drive(host, { ...live, ...own, callsFunctions }) };
      }),
    );
  }

  /** What a fork would perform again and what it takes over; makes nothing. */
  async previewFork(run: string, changes: ForkChanges): Promise<ForkPreview> {
    const base = findRun(this.#parts.journal, run);
    refuseInner(base);
    return await this.#asRun(base, { ...this.#base({}), names: {} }, {}, async (work) => {
      const drafted = await this.#forked(base, changes, {}, work);
      return previewFork(drafted, draftFork(drafted));
    });
  }

  /**
   * Leaves an answer, an approval or a denial with a run, for whichever process has it or resumes
   * it: `resume` goes on, also with the reply in its options. Gives the ids of the effects that it
   * was about. Throws `RunError` PV5142 where nothing waits for it, PV5143 where several do, PV5144
   * for an answer that does not fit, PV5145 where somebody was first.
   */
  async reply(run: string, reply: Reply): Promise<readonly string[]> {
    return await this.#leave(findRun(this.#parts.journal, run).id, reply);
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
  travel(run: string): Travel {
    const { journal } = this.#parts;
    const { id, status } = findRun(journal, run);
    const past = readPast(journal.events(id));
    return new Travel({ loaded: loadProgram(id, past, load), past, status });
  }

  /** What programs may call. */
  async tools(): Promise<readonly ToolSpec[]> {
    const base = { ...this.#base({}), names: {} };
    return await withTools(base, undefined, async ({ specs }) => [...specs.values()]);
  }

  /** Suspends what goes on here and waits for it, then closes the journal that it has opened. */
  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    for (const session of open) session.stop('interrupted');
    await Promise.allSettled(open.map(({ end }) => end));
    if (this.#parts.isOwn) this.#parts.journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #workspace({
    dialect,
    limits,
  }: {
    readonly dialect?: string;
    readonly limits?: Partial<Limits>;
  }) {
    const { workspace } = this.#parts;
    const { settings } = workspace;
    const changed = {
      ...{ ...settings, limits: { ...settings.limits, ...limits } },
      ...(dialect !== undefined && { dialect }),
    };
    return { ...workspace, settings: changed };
  }

  #base(options: { readonly dialect?: string; readonly limits?: Partial<Limits> }) {
    const { journal, isDurable } = this.#parts;
    return { workspace: this.#workspace(options), journal, isDurable };
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
      try {
        return await work({ ...this.#base(options), names }, host);
      } catch (error) {
        if (!(error instanceof RunExists)) throw error;
        const end = await earlier?.end;
        return end
          ? { result: end, planning: end.planning }
          : await this.#again(error.existing, host);
      }
    });
  }

  /** A session that was begun before: it is followed where it goes on, and taken up where not. */
  async #again(first: RunSummary, host: Host): Promise<Worked> {
    const { journal } = this.#parts;
    const last = runsOf(journal, first.id).at(-1) ?? first;
    const result = last.status === 'failed' ? keptResult(journal, last.id) : undefined;
    if (result) return { result };
    if (last.owned) {
      for await (const event of follow(journal, first.id)) {
        if (event.type === 'ended') return { result: event.end };
      }
    }
    const base = { ...this.#base({}), names: {} };
    const over = endedAlready(journal, last);
    if (over) return await over.go();
    return await this.#asRun(last, base, host, async (work) => {
      return await (await readyToGoOn({ ...base, ...work, host, summary: last })).go();
    });
  }

  #session(
    id: string,
    signal: AbortSignal | undefined,
    work: (host: Host) => Promise<Worked>,
  ): Session {
    const { journal, person } = this.#parts;
    const session = new Session({ journal, id, person, signal, work });
    this.#sessions.set(id, session);
    const forget = (): void => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
    session.end.then(forget, forget);
    return session;
  }

  /** With the settings and the tools that a run was started with. */
  async #asRun<Result>(
    run: RunSummary,
    base: Base,
    _host: Host,
    act: (work: Pick<Base, 'workspace'> & { toolbox: OpenToolbox }) => Promise<Result>,
  ): Promise<Result> {
    const { journal } = this.#parts;
    const { settings } = base.workspace;
    const kept = { ...keptSettings(run), ...settings };
    const workspace = await servedFor(run, { ...base.workspace, settings: kept });
    const past = readPast(journal.events(run.id));
    const toolbox = await openToolsOf(() => loadProgram(run.id, past, load).program, workspace, {
      joins: joinedBy(run),
      goal: ownGoal(journal, run)?.text,
    });
    try {
      return await act({ workspace, toolbox });
    } finally {
      toolbox.close();
    }
  }

  async #forked(
    base: RunSummary,
    changes: ForkChanges,
    { limits = {} }: SessionOptions,
    { workspace, toolbox }: Pick<Base, 'workspace'> & { toolbox: OpenToolbox },
  ) {
    const { journal } = this.#parts;
    const place = { journal, base, workspace, toolbox, allowed: {} };
    return await forkOptions(place, editFrom(changes), { file: fileOf(base), limits });
  }

  async #leave(run: string, reply: Reply, ready?: () => Promise<void>): Promise<readonly string[]> {
    const { journal } = this.#parts;
    const { by, note } = reply;
    const summary = findRun(journal, run);
    const people = await peopleIn(summary);
    const options = { journal, run, handlers: waiting, by, people, ...(ready && { ready }) };
    if ('approved' in reply) {
      const { approved, effect = [] } = reply;
      const effects = typeof effect === 'string' ? (effect === 'all' ? effect : [effect]) : effect;
      const decided = await decideRun({ ...options, effects, approved, note });
      return decided.map((wait) => wait.effect);
    }
    const { effect, to, answer: value } = reply;
    const isForAll = isEventFor({ journal, run }, value);
    const answered = await answerRun({ ...options, effect, to, isForAll, answer: () => value });
    return answered.map((wait) => wait.effect);
  }
}

type OpenToolbox = Awaited<ReturnType<typeof openToolbox>>;

/** The runs of a journal: what they have done, found, compared and moved. */
export class AgentRuns {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Newest first. */
  list(filter: RunFilter = {}): readonly RunSummary[] {
    return this.#journal.list(filter);
  }

  /** By an id, the beginning of one, or `last`. Throws `AgentError` PV6012. */
  get(name: string): RunSummary {
    return findRun(this.#journal, name);
  }

  /** How it ended; undefined while it goes on. */
  result(name: string) {
    return keptResult(this.#journal, this.get(name).id);
  }

  /** Its steps and effects. */
  show(name: string): RunView {
    return showRun({ journal: this.#journal, run: this.get(name).id, load });
  }

  /** Variables, frames and what is pending at a step (`4@2`), an effect (`0#7`), or the end. */
  state(name: string, at = 'end'): StateView {
    const run = this.get(name).id;
    return stateView(stateAt({ journal: this.#journal, run, load, at }), at);
  }

  /** Where two runs differ. */
  compare(one: string, other: string): Comparison {
    const runs = [this.get(one).id, this.get(other).id] as const;
    return compareRuns({ journal: this.#journal, runs, load });
  }

  /** The runs of a session, from its first one on. */
  session(first: string): readonly RunSummary[] {
    return runsOf(this.#journal, this.get(first).id);
  }

  /** A run with its history, or its whole tree, as one text. */
  export(name: string, { tree = false }: { readonly tree?: boolean } = {}): string {
    return exportRuns({ journal: this.#journal, run: this.get(name).id, tree, now: Date.now() });
  }

  /** Takes runs over, whole or not at all, without the trust that they had. Gives their ids. */
  import(text: string, as?: string): readonly string[] {
    return importRuns(this.#journal, readExport(text, 'import'), as, importedSettings);
  }

  /** `restore` undoes it until the journal is swept. */
  delete(name: string): void {
    this.#journal.remove(this.get(name).id);
  }

  restore(id: string): void {
    this.#journal.restore(id);
  }
}

/** Whom playbooks know by name. */
async function peopleIn(run: RunSummary): Promise<readonly string[]> {
  if (!isPlaying(run)) return [];
  const { peopleOf } = await import('./record/people-of.ts');
  return peopleOf(run);
}

async function sourceOf(given: GivenSource): Promise<Source> {
  if (typeof given === 'string') return unwrapped({ text: given, file: 'program', title: '' });
  if ('text' in given) {
    const { text, file = 'program' } = given;
    return unwrapped({ text, file, title: file });
  }
  return withBeside(unwrapped(await readFileSource(given.file)));
}

const valuesOf = (inputs: SessionOptions['inputs'] = {}): ReadonlyMap<string, Value> =>
  new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)]));

function goalOf(text: string, options: AskOptions) {
  const { language, format, saved } = options;
  const inputs = valuesOf(options.inputs);
  const words = [...inputs].flatMap(([name, value]) => described(name, value));
  const goal: Goal = {
    text,
    ...(language !== undefined && { language }),
    ...(format !== undefined && { format }),
    ...(words.length > 0 && { inputs: words }),
  };
  return {
    ...{ goal, inputs, options },
    ...(typeof saved === 'string' && { label: saved }),
    ...(saved === false && { saved: false }),
  };
}
