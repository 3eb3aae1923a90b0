/**
 * Effects that wait for a person or for time, holding no slot: questions, pauses, approvals. Owns
 * what is open, its alarms, who is asked in place; outcomes are journaled by the host.
 * Invariants:
 * - P1 What an effect waits for is in the journal before anybody is asked or the time begins.
 * - P2 A post is taken in the append that writes down what it led to, or that it led to nothing.
 * - P3 A moment counts from the first time that it was journaled, in whichever process.
 * - P4 A reply left before a process has seen that time is over counts.
 * - P5 A write may be decided about before its turn; that counts then, and not after a failure.
 */
import { bareError } from '../../machine/values/fault.ts';
import type { Outcome } from '../../program/effect.ts';
import { decode, encode, fromJson, toJson } from '../../program/json.ts';
import type { Question, Wait } from '../handler.ts';
import type { KeptPost } from '../journal/post.ts';
import { shownOf } from '../result.ts';
import type { Met } from '../spent.ts';
import { type ApprovalVerdict, verdictOf } from './approval-rule.ts';
import { decisionFor } from './approvals.ts';
import { asFailure, wrongArguments } from './attempt.ts';
import { type Alarm, setAlarm } from './deadlines.ts';
import { addWarning, type Job } from './job.ts';
import { type Decision, issuedBy, type OpenWait, openQuestion, type Person } from './person.ts';
import type { ToApprove, WaitingHost } from './waiting-host.ts';
import { questionText } from './within.ts';

interface Common {
  readonly request: ToApprove;
  /** Whether the journal has it already. */
  readonly known: boolean;
  state: 'new' | 'preparing' | 'open';
}

interface WaitEntry extends Common {
  readonly kind: 'wait';
  readonly job: Job;
  /** Whether its tool asks: it is performed again with the answer, which is no outcome. */
  readonly asks: boolean;
  question: Question | undefined;
  /** Epoch milliseconds. */
  until: number | undefined;
  alarm: Alarm | undefined;
}

interface ApprovalEntry extends Common {
  readonly kind: 'approval';
  readonly why: string;
  decided: (decision: Decision) => void;
  /** Whether its turn is to come: what is decided is kept until then. */
  isAhead: boolean;
}

type Entry = WaitEntry | ApprovalEntry;

export class Waiting {
  readonly #host: WaitingHost;
  readonly #entries = new Map<string, Entry>();
  /** What was decided in this process about effects whose turn is to come. */
  readonly #ahead = new Map<string, Decision>();
  /** Effects about which nothing more can be said. */
  readonly #decided = new Set<string>();
  readonly #seenPosts = new Set<number>();
  #asking: { readonly entry: Entry; readonly stop: AbortController } | undefined;
  /** Whether the person in place has gone. */
  #left = false;
  #over = false;

  constructor(host: WaitingHost) {
    this.#host = host;
  }

  /** What it waits for, in the order of asking. */
  get open(): readonly OpenWait[] {
    return [...this.#entries.values()].flatMap((entry) => {
      const open = entry.state === 'open' && openWait(entry);
      return open ? [open] : [];
    });
  }

  /** Whether something will come of it that is worth staying for. */
  get busy(): boolean {
    if (this.#asking) return true;
    const { clock, limits } = this.#host.parts;
    const latest = clock.now() + limits.stayMs;
    return [...this.#entries.values()].some(
      (entry) =>
        entry.state === 'preparing' ||
        (entry.kind === 'wait' && entry.until !== undefined && entry.until <= latest),
    );
  }

  /** Takes an effect up that nobody performs. `known`: the journal has it, and its beginning. */
  accept(job: Job, known: boolean): void {
    const waits = { asks: false, question: undefined, until: undefined, alarm: undefined };
    const { request } = job;
    this.#entries.set(request.id, { kind: 'wait', job, request, known, state: 'new', ...waits });
  }

  /** Takes up an effect whose tool has asked; the journal has the question. */
  acceptQuestion(job: Job, question: Question): void {
    const { request } = job;
    const made = { asks: true, question, until: undefined, alarm: undefined };
    const entry: WaitEntry = { kind: 'wait', job, request, known: true, state: 'open', ...made };
    this.#entries.set(request.id, entry);
    this.#opened(entry);
  }

  /** Takes up an effect that needs an approval, and has it or not by what was decided before. */
  acceptApproval(job: Job, why: string): void {
    this.ask(job.request, why, (decision) => {
      if (decision.approved) this.#host.approved(job);
      else this.#deny(job, decision);
    });
  }

  /** Asks for an approval, unless that was decided before; `decided` hears of it, maybe at once. */
  ask(request: ToApprove, why: string, decided: (decision: Decision) => void): void {
    const ahead = this.#ahead.get(request.id);
    if (ahead) {
      this.#ahead.delete(request.id);
      decided(ahead);
      return;
    }
    const standing = this.#entries.get(request.id);
    if (standing?.kind === 'approval' && standing.isAhead) {
      standing.isAhead = false;
      standing.decided = decided;
      return;
    }
    const before = decisionFor(this.#host.parts.past.approvals, request);
    if (before && before.state !== 'requested') {
      const { state, by, note } = before;
      decided({ approved: state === 'granted', by, ...(note === undefined ? {} : { note }) });
      return;
    }
    this.#enter(request, why, decided, { known: before !== undefined, isAhead: false });
  }

  /**
   * Asks for approvals of effects whose turn is to come, each once; what was asked about before and
   * is neither among them nor has come to its turn, is withdrawn. True where something is new.
   */
  announce(all: readonly { readonly request: ToApprove; readonly why: string }[]): boolean {
    const ids = new Set(all.map(({ request }) => request.id));
    for (const [id, entry] of this.#entries) {
      if (entry.kind === 'approval' && entry.isAhead && !ids.has(id)) this.#withdraw(id);
    }
    for (const [id, { state }] of this.#host.parts.past.approvals) {
      const isOpen = this.#entries.has(id) || this.#decided.has(id) || ids.has(id);
      if (state === 'requested' && !isOpen) this.#withdraw(id);
    }
    let isNew = false;
    for (const { request, why } of all) {
      const { id } = request;
      const before = decisionFor(this.#host.parts.past.approvals, request);
      const isDecided = this.#ahead.has(id) || (before && before.state !== 'requested');
      if (isDecided || this.#entries.has(id)) continue;
      const keep = (decision: Decision): void => void this.#ahead.set(id, decision);
      this.#enter(request, why, keep, { known: before !== undefined, isAhead: true });
      isNew = true;
    }
    return isNew;
  }

  #enter(
    request: ToApprove,
    why: string,
    decided: ApprovalEntry['decided'],
    at: Pick<ApprovalEntry, 'known' | 'isAhead'>,
  ): void {
    this.#entries.set(request.id, { kind: 'approval', request, why, decided, ...at, state: 'new' });
  }

  #withdraw(effect: string): void {
    const entry = this.#entries.get(effect);
    this.#host.parts.recorder.record({ type: 'approval.withdrawn', effect });
    this.#decided.add(effect);
    if (entry) this.#close(entry);
  }

  /** Lets what is new begin; gives the budget that forbids it. */
  launch(): Met | undefined {
    let held: Met | undefined;
    const begun: Entry[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'new') continue;
      held = entry.kind === 'wait' ? this.#host.admit(entry.job) : undefined;
      if (held) break;
      entry.state = 'preparing';
      begun.push(entry);
      if (entry.known) continue;
      if (entry.kind === 'wait') this.#host.began(entry.job);
      else this.#requestApproval(entry);
    }
    if (begun.length > 0) this.#host.parts.recorder.flush();
    for (const entry of begun) {
      if (entry.kind === 'wait') this.#prepare(entry);
      else this.#judge(entry);
    }
    return held;
  }

  /** Takes what was posted about an effect; true where something came of it. */
  take({ id, post }: KeptPost): boolean {
    if (post.kind === 'cancel' || this.#seenPosts.has(id)) return false;
    const entry = this.#entries.get(post.effect);
    if (!entry && !this.#decided.has(post.effect)) return false;
    if (entry && entry.state !== 'open') return false;
    this.#seenPosts.add(id);
    const taken = (): void => this.#host.parts.recorder.take(id);
    if (!entry || (post.kind === 'answer') === isForApproval(entry)) {
      taken();
      return false;
    }
    if (post.kind === 'answer')
      return entry.kind === 'wait' && this.#takeAnswer(entry, post, taken);
    taken();
    const { kind, by, note } = post;
    this.#decide(entry, { approved: kind === 'approve', by, ...(note && { note }) });
    return true;
  }

  #takeAnswer(
    entry: WaitEntry,
    { value, by }: Extract<KeptPost['post'], { kind: 'answer' }>,
    taken: () => void,
  ): boolean {
    const refuse = (problem: string | undefined): void => {
      if (problem === undefined) return;
      this.#host.warn(entry.job, `an answer of ${by} was not taken: ${problem}`);
    };
    const problem = this.#answer(entry, toJson(decode(value)), by, taken);
    if (!(problem instanceof Promise)) {
      refuse(problem);
      return problem === undefined;
    }
    void problem.then((found) => {
      refuse(found);
      this.#host.parts.wake();
    });
    return true;
  }

  /** The program no longer needs an effect; the job if it had begun to wait. */
  drop(effect: string): Job | undefined {
    const entry = this.#entries.get(effect);
    if (!entry) return undefined;
    this.#close(entry);
    return entry.state === 'new' || entry.kind === 'approval' ? undefined : entry.job;
  }

  close(): void {
    this.#over = true;
    for (const entry of this.#entries.values()) this.#close(entry);
  }

  #requestApproval({ request: { id, tool, step, args }, why }: ApprovalEntry): void {
    const request = { effect: id, tool, step, request: args };
    this.#host.parts.recorder.record({ type: 'approval.requested', ...request, why });
  }

  /** Finds out what an effect waits for. A question may have to load what checks its answer. */
  #prepare(entry: WaitEntry): void {
    const { job } = entry;
    const { args, errors, warnings } = job.tool.read(job.request.args);
    for (const warning of warnings) addWarning(job, `${job.request.tool} ${warning}`);
    if (errors.length > 0) {
      this.#settle(entry, { ok: false, error: wrongArguments(job, errors) });
      return;
    }
    const fail = (thrown: unknown): void => {
      const error = bareError(asFailure(thrown, job.tool.spec.name));
      this.#settle(entry, { ok: false, error });
    };
    try {
      const made = job.tool.handler.wait?.(args);
      if (made === undefined) return;
      if ('for' in made) this.#wait(entry, made);
      else {
        const ready = (wait: Wait): void => this.#host.parts.guard(() => this.#wait(entry, wait));
        made.then(ready, (thrown) => this.#host.parts.guard(() => fail(thrown)));
      }
    } catch (thrown) {
      fail(thrown);
    }
  }

  #wait(entry: WaitEntry, wait: Wait): void {
    if (this.#gone(entry)) return;
    const ms = wait.for === 'time' ? wait.ms : wait.question.timeoutMs;
    if (wait.for === 'person') entry.question = wait.question;
    if (ms !== undefined) {
      entry.until = entry.job.queuedAt + ms;
      entry.alarm = setAlarm(this.#host.parts.clock, entry.until, () =>
        this.#host.parts.guard(() => this.#timeOver(entry)),
      );
    }
    this.#opened(entry);
  }

  /** Whoever embeds the run decides, or leaves it to a person. */
  #judge(entry: ApprovalEntry): void {
    const { guard, rule } = this.#host.parts;
    if (!rule) this.#opened(entry);
    else
      void verdictOf(rule, entry.request).then((verdict) =>
        guard(() => this.#take(entry, verdict)),
      );
  }

  #take(entry: ApprovalEntry, verdict: ApprovalVerdict): void {
    if (this.#gone(entry)) return;
    if (verdict === 'ask') this.#opened(entry);
    else this.#decide(entry, { approved: verdict === 'allow', by: 'rule' });
  }

  #opened(entry: Entry): void {
    entry.state = 'open';
    this.#host.parts.wake();
    this.#ask();
  }

  #timeOver(entry: WaitEntry): void {
    this.#host.parts.look();
    if (this.#gone(entry)) return;
    const { question, job } = entry;
    if (!question) {
      this.#settle(entry, { ok: true, value: 'null' });
      return;
    }
    const within = `nobody answered within ${(question.timeoutMs ?? 0) / 1000} s`;
    if (question.default) {
      addWarning(job, `${within}: its default was taken`);
      const value = encode(fromJson(question.default.value));
      this.#settle(entry, { ok: true, value });
    } else {
      const hint = 'give the question a default, or handle that it stays without an answer';
      this.#settle(entry, { ok: false, error: { code: 'PV4021', message: within, hint } });
    }
  }

  /** What is wrong with the answer; undefined where it was taken. `seen`: that is known now. */
  #answer(
    entry: WaitEntry,
    answer: unknown,
    by: string,
    seen: () => void = () => {},
  ): ReturnType<Question['check']> {
    const checked = entry.question
      ? entry.question.check(answer)
      : `${entry.request.tool} asks nothing`;
    if (!(checked instanceof Promise)) {
      seen();
      return checked ?? this.#accept(entry, answer, by);
    }
    // Nobody else answers meanwhile, and the run stays.
    entry.state = 'preparing';
    return checked.then((problem) => {
      if (this.#gone(entry)) return undefined;
      entry.state = 'open';
      this.#host.parts.guard(() => {
        seen();
        if (problem === undefined) this.#accept(entry, answer, by);
      });
      return problem;
    });
  }

  /** Takes an answer that fits. */
  #accept(entry: WaitEntry, answer: unknown, by: string): undefined {
    if (entry.asks && entry.question) {
      const question = questionText(entry.question);
      this.#forget(entry);
      this.#host.answered(entry.job, { question, value: encode(fromJson(answer)) }, by);
      this.#host.parts.wake();
      this.#ask();
      return undefined;
    }
    this.#settle(entry, { ok: true, value: encode(fromJson(answer)) }, by);
    return undefined;
  }

  #decide(entry: Entry, decision: Decision): void {
    const { approved, ...said } = decision;
    if (entry.kind === 'wait') {
      const { by, ...answer } = decision;
      this.#answer(entry, answer, by);
      return;
    }
    const type = approved ? 'approval.granted' : 'approval.denied';
    this.#host.parts.recorder.record({ type, effect: entry.request.id, ...said });
    this.#forget(entry);
    entry.decided(decision);
    this.#host.parts.wake();
    this.#ask();
  }

  #deny(job: Job, { by, note }: Decision): void {
    const why = note === undefined || note === '' ? '' : `: ${note}`;
    const message = `${job.request.tool} was not approved by ${by}${why}`;
    const hint = 'it was not performed; go another way, or resume the run to ask again';
    this.#host.settled(job, { ok: false, error: { code: 'PV4020', message, hint } });
    this.#host.parts.wake();
  }

  #settle(entry: WaitEntry, outcome: Outcome, by?: string): void {
    if (this.#gone(entry)) return;
    this.#forget(entry);
    this.#host.settled(entry.job, outcome, by);
    this.#host.parts.wake();
    this.#ask();
  }

  /** Asks whoever is there, one thing after the other. */
  #ask(): void {
    const { person } = this.#host.parts;
    if (!person || this.#asking || this.#left || this.#over) return;
    const entry = [...this.#entries.values()].find(
      (one) => one.state === 'open' && (one.kind === 'approval' || one.question !== undefined),
    );
    const open = entry && openWait(entry);
    if (!entry || !open) return;
    const stop = new AbortController();
    this.#asking = { entry, stop };
    const asked = this.#askOne(person, entry, open, stop.signal);
    const next = (isThere: boolean): void => {
      this.#asking = undefined;
      this.#left ||= !isThere && !stop.signal.aborted;
      this.#host.parts.guard(() => this.#ask());
      this.#host.parts.wake();
    };
    asked.then(next, (thrown) => {
      this.#asking = undefined;
      this.#left = true;
      this.#host.parts.guard(() => {
        throw thrown;
      });
    });
  }

  /** False where the person does not answer now. */
  async #askOne(
    person: Person,
    entry: Entry,
    open: OpenWait,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (open.kind === 'approval') {
      const decision = await person.decide(open, signal);
      if (decision && !this.#gone(entry))
        this.#host.parts.guard(() => this.#decide(entry, decision));
      return decision !== undefined;
    }
    let problem: string | undefined;
    while (open.kind === 'question' && entry.kind === 'wait' && !this.#gone(entry)) {
      const given = await person.answer(open, problem, signal);
      if (!given) return false;
      if (this.#gone(entry)) break;
      let checked: ReturnType<Question['check']>;
      this.#host.parts.guard(() => {
        checked = this.#answer(entry, given.value, given.by);
      });
      problem = await checked;
    }
    return true;
  }

  /** Whether it was decided, or dropped, in the meantime. */
  #gone(entry: Entry): boolean {
    return this.#over || this.#entries.get(entry.request.id) !== entry;
  }

  #forget(entry: Entry): void {
    this.#close(entry);
    this.#decided.add(entry.request.id);
  }

  #close(entry: Entry): void {
    if (entry.kind === 'wait') {
      entry.alarm?.cancel();
      entry.alarm = undefined;
    }
    this.#entries.delete(entry.request.id);
    if (this.#asking?.entry === entry) this.#asking.stop.abort();
  }
}

const isForApproval = (entry: Entry): boolean =>
  entry.kind === 'approval' || entry.question?.approval !== undefined;

function openWait(entry: Entry): OpenWait | undefined {
  const issued = issuedBy(entry.request);
  if (entry.kind === 'approval') {
    return { kind: 'approval', ...issued, request: shownOf(entry.request.args), why: entry.why };
  }
  const { question, until } = entry;
  if (!question) return until === undefined ? undefined : { kind: 'pause', ...issued, until };
  return openQuestion(issued, question, until);
}
