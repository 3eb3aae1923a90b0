/**
 * A run within an effect: the outcome of a call that is more than one request is made by a program
 * of its own, with a journal of its own. What it owns: that run, from the attempt that begins it or
 * takes it up to what the attempt comes to. What it does not own: the program, which the handler
 * brings, and the effect, which ends as any.
 *
 * Invariants:
 * - R1 An effect has one run of a name, whatever becomes of its attempts: its id is made of those
 *   of the run around it and of the effect. Where the journal has it, it goes on; where it is done,
 *   its answer is there. So nothing that has settled within it is performed again.
 * - R2 What is spent within counts in every run around it while it happens, and is set aside there
 *   before (budget.ts); of an earlier process, what its journals do not count yet.
 * - R3 Nobody is asked within: a question, an approval or a doubt is asked about by the effect.
 *   Each answer is kept with that, and given to the inner run as often as that asks the same.
 * - R4 An attempt that is given up interrupts its run, which the next attempt takes up.
 */
import type { ToolSpec } from '../program/effect.ts';
import { decode, encode, fromJson, stringify, toJson } from '../program/json.ts';
import { type Limits, limitNames } from '../program/limits.ts';
import { type Refusal, withOuter } from './budget.ts';
import type { Clock } from './clock.ts';
import type { WatchEvent } from './events.ts';
import {
  AnswerNeeded,
  type AttemptContext,
  EffectFailure,
  type InnerRun,
  type Question,
  type RunAbout,
  type Usage,
} from './handler.ts';
import { isImported } from './journal/distrust.ts';
import { type Journal, LeaseLost, type RunEvent, RunOwned } from './journal/journal.ts';
import { innerRunId } from './journal/run-identity.ts';
import type { Load } from './load.ts';
import { liveNames } from './past/live-names.ts';
import type { Assumption } from './past/past-effect.ts';
import { readPast } from './past/read-past.ts';
import type { ApprovalRule } from './perform/approval-rule.ts';
import type { Approvals } from './perform/approvals.ts';
import { setAlarm } from './perform/deadlines.ts';
import type { OpenWait } from './perform/person.ts';
import { type InnerRuns, LimitMet, questionText, type Within } from './perform/within.ts';
import { type RunResult, shownOf } from './result.ts';
import type { ResumeOptions, RunHandle, StartOptions } from './run-options.ts';
import { readSettings } from './settings.ts';
import { addUsage, lessUsage, spend } from './spent.ts';

/** What inner runs take from the run around them. */
export interface InnerHost {
  readonly journal: Journal;
  readonly owner: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: Limits;
  readonly approvals: Approvals;
  readonly rule: ApprovalRule | undefined;
  /** How its program is read; absent where a run has none. */
  readonly load?: Load | undefined;
  readonly start: (options: StartOptions) => RunHandle;
  readonly resume: (options: ResumeOptions) => RunHandle;
}

/** The inner runs of one run that this process has. */
export function innerRuns(host: InnerHost): InnerRuns {
  const asked = new WeakMap<AttemptContext, Set<string>>();
  const run: InnerRuns['run'] = async (within, run) => {
    const { context } = within;
    const texts = asked.get(context) ?? new Set();
    asked.set(context, texts);
    const inner = new Inner(host, within, run);
    const asking = { journal: host.journal, id: inner.id, context, asked: texts };
    let assume: Assumption | undefined;
    for (;;) {
      const known = inner.answer();
      if (known) return known.value;
      context.signal.throwIfAborted();
      const result = await inner.go(assume);
      context.signal.throwIfAborted();
      assume = undefined;
      if (result.status === 'waiting') {
        const { waits = [] } = result;
        if (!(await replyTo(asking, waits))) await inner.wait(waits);
      } else if (result.reason === 'unknown') {
        assume = await decideDoubt(asking, result.error?.message ?? '');
      } else if (result.status !== 'done') {
        throw inner.failure(result);
      }
    }
  };
  return { run, about: (id, effect) => aboutRun(host, id, effect) };
}

const aboutRun = ({ journal, load }: InnerHost, run: string, effect: string): RunAbout => ({
  get goal() {
    const record = journal.find(run);
    return record ? (readSettings(record.settings).goal ?? record.title) : '';
  },
  get program() {
    return readPast(journal.events(run)).program?.text ?? '';
  },
  // What is asked for again behind a barrier stands where it was asked for first.
  names: () =>
    load ? liveNames({ journal, run, load, at: effect.replace(/(#\d+)(?:\.1)+$/, '$1') }) : [],
  within: (tool) => given(journal, run, tool),
});

function given(journal: Journal, run: string, tool: string): unknown[] {
  return journal.list({ within: run }).flatMap(({ id }) => {
    const { effects } = readPast(journal.events(id));
    const own = [...effects.values()].flatMap((one) =>
      one.tool === tool && one.outcome?.ok ? [shownOf(one.outcome.value)] : [],
    );
    return [...own, ...given(journal, id, tool)];
  });
}

/** An inner run while an attempt has it. */
class Inner {
  readonly id: string;
  readonly #host: InnerHost;
  readonly #within: Within;
  readonly #run: InnerRun;

  constructor(host: InnerHost, within: Within, run: InnerRun) {
    this.#host = host;
    this.#within = within;
    this.#run = run;
    this.id = innerRunId(within.context.run, within.context.effect, run.name);
  }

  /** What it has answered, where it is done. */
  answer(): { readonly value: unknown } | undefined {
    if (this.#host.journal.find(this.id)?.status !== 'done') return undefined;
    const events = this.#host.journal.events(this.id);
    this.#countPast(events);
    const last = events.findLast(
      (event) => event.type === 'message.emitted' && event.channel === 'answer',
    );
    return { value: last?.type === 'message.emitted' ? toJson(decode(last.value)) : null };
  }

  /** Begins it, or takes it up, and waits for where it comes to. */
  async go(assume: Assumption | undefined): Promise<RunResult> {
    const handle = this.#begin(assume);
    const { signal } = this.#within.context;
    const stop = (): void => handle.cancel('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    const leave = handle.subscribe((event) => this.#see(event));
    try {
      return await handle.result;
    } catch (error) {
      throw error instanceof LeaseLost ? taken(this.id, error) : error;
    } finally {
      leave();
      signal.removeEventListener('abort', stop);
    }
  }

  #begin(assume: Assumption | undefined): RunHandle {
    const { journal, owner, clock, random, approvals, rule, limits: outer } = this.#host;
    const { context, budget } = this.#within;
    const { text, dialect, title, inputs, handlers, compile, limits: own, isForeign } = this.#run;
    // Its tokens and its time are those of the run around it; for a moment it waits here.
    const limits = { ...outer, tokens: Infinity, cost: Infinity, wallMs: Infinity, stayMs: 0 };
    const common = { journal, owner, clock, random, handlers, within: budget };
    const asked = isForeign ? withoutTrust(approvals) : approvals;
    const bounds = { limits: { ...limits, ...own }, approvals: asked, rule };
    const known = journal.find(this.id);
    if (!known) {
      for (const { counted } of withOuter(budget)) counted.add(this.id);
      const specs = new Map<string, ToolSpec>();
      for (const [name, { spec }] of handlers) specs.set(name, spec);
      const { program } = compile(text, dialect, specs, [...inputs.keys()]);
      const parent = { run: context.run, effect: context.effect };
      const about = { id: this.id, parent, program, text, dialect, title, inputs };
      return this.#host.start({ ...common, ...bounds, ...about });
    }
    const events = journal.events(this.id);
    if (isImported(known) && readPast(events).program?.text !== text) throw otherProgram(this.id);
    this.#countPast(events);
    try {
      const how = { run: this.id, load: compile, ...(assume && { assume }) };
      return this.#host.resume({ ...common, ...bounds, ...how });
    } catch (error) {
      throw error instanceof RunOwned ? taken(this.id, error) : error;
    }
  }

  /** Counts what was used before this process had it, each budget what it has not counted (R2). */
  #countPast(events: readonly RunEvent[]): void {
    const { job, budget } = this.#within;
    const isNew = !budget.counted.has(this.id);
    const open = [...withOuter(budget)].filter(({ counted }) => !counted.has(this.id));
    if (open.length === 0) return;
    const used = lessUsage(usedIn(events), isNew ? job.usedBefore : undefined);
    for (const { counted, spent } of open) {
      counted.add(this.id);
      spend(spent, used);
    }
    if (isNew && used.modelCalls > 0) job.innerUsage = addUsage(job.innerUsage, used);
  }

  #see(event: WatchEvent): void {
    const { job, context } = this.#within;
    if (event.type === 'effect.progress') context.progress(event.text);
    // Its budget has spent that here, too.
    if ('usage' in event && event.usage) job.innerUsage = addUsage(job.innerUsage, event.usage);
    for (const source of ('sources' in event && event.sources) || []) context.source(source);
  }

  /** Until the first of the moments that it waits for. */
  async wait(waits: readonly OpenWait[]): Promise<void> {
    const { signal } = this.#within.context;
    const { promise, resolve } = Promise.withResolvers<void>();
    const moments = waits.flatMap((wait) => ('until' in wait ? [wait.until ?? Infinity] : []));
    const alarm = setAlarm(this.#host.clock, Math.min(...moments), resolve);
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    alarm.cancel();
    signal.removeEventListener('abort', leave);
  }

  /** The budget of a run around it that it has met: by what it needed, or as it has the same. */
  #refusal(): Refusal | undefined {
    const { budget } = this.#within;
    const known = budget.refused.get(this.id);
    if (known) return known;
    const events = this.#host.journal.events(this.id);
    const met = events.findLast((event) => event.type === 'limit.reached');
    const limit = limitNames.find((name) => name === met?.limit);
    if (limit === undefined || this.#run.limits?.[limit] !== undefined) return undefined;
    return { met: { limit }, by: budget };
  }

  /** Why there is no answer: of itself, or a budget of a run around it. */
  failure({ status, reason, error }: RunResult): EffectFailure {
    const refusal = reason === 'limit' ? this.#refusal() : undefined;
    if (refusal) return new LimitMet(refusal);
    const { code = 'PV4024', message = `the run within it is ${status}` } = error ?? {};
    const own = status === 'failed' ? error?.hint : undefined;
    const hint = own ?? `run ${this.id} is the one within it`;
    return new EffectFailure(code, message, { answered: true, hint });
  }
}

/** Where a text is not trusted, its constants are not. */
const withoutTrust = ({ policy, yes }: Approvals): Approvals => ({
  ...{ yes, policy: policy === 'untrusted' ? 'destructive' : policy },
});

const nothing: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

function usedIn(events: readonly RunEvent[]): Usage {
  let sum: Usage | undefined;
  for (const event of events) if ('usage' in event && event.usage) sum = addUsage(sum, event.usage);
  return sum ?? nothing;
}

const otherProgram = (run: string): EffectFailure =>
  new EffectFailure('PV4027', `the imported run ${run} has another program than this effect`, {
    ...{ answered: true, mayHaveActed: false },
    hint: 'start the run around it here, from its program',
  });

/** Another process may still be about to give it up. */
const taken = (run: string, cause: Error): EffectFailure =>
  new EffectFailure('PV4025', `another process has the run ${run}, which this effect needs`, {
    ...{ retryable: true, retryAfterMs: 2000, answered: true, cause },
    hint: 'wait until it has stopped, then resume',
  });

// What is asked about within an effect (R3): as questions and approvals of the
// effect, and what was said, as posts of the inner run. An effect keeps its answers by the text of
// the question; so what is asked again, maybe by another run of the same effect, has to pass over
// those that were used.

const shownCharacters = 500;

/** Where a run that waits is: its journal, its id, the attempt at the effect that it is within. */
export interface Asking {
  readonly journal: Journal;
  readonly id: string;
  readonly context: AttemptContext;
  /** Texts of questions that the attempt has asked; each attempt asks anew. */
  readonly asked: Set<string>;
}

/**
 * Leaves in the inner run's journal what people have said to this; false where nobody has said
 * anything yet and a moment will end the wait. Throws `AnswerNeeded` where nothing else will.
 */
async function replyTo(asking: Asking, waits: readonly OpenWait[]): Promise<boolean> {
  const { journal, id, context } = asking;
  const by = `run ${context.run}`;
  let unanswered: Question | undefined;
  let isReplied = false;
  for (const wait of waits) {
    if (wait.kind === 'pause') continue;
    const question = questionOf(wait);
    const given = await ask(asking, question);
    const { effect } = wait;
    const answer = given?.value;
    if (!given) {
      // Nobody who is asked there hears that it is too late by now.
      if (wait.kind === 'approval' || wait.until === undefined) unanswered ??= question;
    } else if (wait.kind === 'question') {
      journal.post(id, { kind: 'answer', effect, value: encode(fromJson(answer)), by });
    } else {
      const { approved, note }: { approved?: unknown; note?: unknown } = Object(answer);
      const why = typeof note === 'string' ? { note } : {};
      journal.post(id, { kind: approved === true ? 'approve' : 'deny', effect, by, ...why });
    }
    isReplied ||= given !== undefined;
  }
  if (unanswered && !isReplied) throw new AnswerNeeded(unanswered);
  return isReplied;
}

const assumptions = ['done', 'failed', 'retry'] as const;

/** What a person says of effects in doubt. Throws `AnswerNeeded`. */
async function decideDoubt(asking: Asking, doubt: string): Promise<Assumption> {
  const events = asking.journal.events(asking.id);
  const doubts = events.filter(({ type }) => type === 'effect.unknown').length;
  // Another doubt of the same effect is another question.
  const text = doubts > 1 ? `${doubt} (doubt ${doubts})` : doubt;
  const question: Question = {
    ...{ text, choices: assumptions, decides: 'doubt', check: checkDecision },
  };
  const given = await ask(asking, question);
  const as = assumptions.find((one) => one === given?.value);
  if (as === undefined) throw new AnswerNeeded(question);
  return { as };
}

const checkDecision = (answer: unknown): string | undefined =>
  assumptions.some((one) => one === answer)
    ? undefined
    : `got ${stringify(answer)}, want done, failed or retry`;

function questionOf(wait: Exclude<OpenWait, { kind: 'pause' }>): Question {
  const check = (): undefined => undefined;
  if (wait.kind === 'question') {
    const { question: text, choices, schema, decides } = wait;
    return {
      ...{ text, ...(choices && { choices }), ...(schema && { schema }) },
      ...{ ...(decides && { decides }), check },
    };
  }
  const { tool, request, why } = wait;
  const args = stringify(request);
  const shown = args.length > shownCharacters ? `${args.slice(0, shownCharacters)}…` : args;
  const text = `May ${tool} be called with ${shown}? (${why})`;
  return { text, approval: { tool, request, why }, check };
}

/** The next answer to it, behind those that runs of this effect have had. */
async function ask(
  { journal, context, asked }: Asking,
  question: Question,
): Promise<{ readonly value: unknown } | undefined> {
  const text = questionText(question);
  if (!asked.has(text)) {
    asked.add(text);
    const all = journal.list({ within: context.run });
    const own = all.filter(({ parent }) => parent?.effect === context.effect);
    const had = own.reduce((sum, { id }) => sum + answersTo(text, journal.events(id)), 0);
    for (let i = 0; i < had; i++) await context.ask?.(question);
  }
  return await context.ask?.(question);
}

/** How many answers to a question a run has taken, by what it has said that it waits for. */
function answersTo(text: string, events: readonly RunEvent[]): number {
  const texts = new Map<string, string>();
  let found = 0;
  for (const event of events) {
    if (event.type === 'run.waiting') {
      const { waits = [] }: RunResult = JSON.parse(event.result);
      for (const wait of waits) {
        if (wait.kind !== 'pause') texts.set(wait.effect, questionText(questionOf(wait)));
      }
    } else if ('by' in event && event.by !== undefined && 'effect' in event) {
      if (texts.get(event.effect) === text) found++;
    }
  }
  return found;
}
