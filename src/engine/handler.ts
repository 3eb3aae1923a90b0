/**
 * The shape of every plug under `effects/`: a declaration and the function that performs it. The
 * engine owns retries, timeouts, budgets and the journal; a handler does one attempt and says
 * plainly how it failed.
 */
import type { Source, ToolSpec } from '../program/effect.ts';
import type { GuestValue } from '../program/json.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';

export interface Handler {
  readonly spec: ToolSpec;
  /**
   * Performs one attempt. `args` is ordinary JSON data keyed by parameter name, already checked
   * against `spec.parameters`; ints beyond 2^53 are `bigint`. The result is JSON-like data
   * (see `fromJson`); `undefined` counts as a failure. Throws `EffectFailure` to say whether a
   * retry can help; any other exception counts as a failure that a retry might mend and that says
   * nothing about what was done: where the tool is not idempotent, that leaves it in doubt.
   */
  perform(args: Arguments, context: AttemptContext): Promise<unknown>;
  /**
   * Present where the engine performs nothing, but waits for a person or for time: without a slot,
   * across processes. Throws `EffectFailure` for arguments that ask for nothing.
   */
  readonly wait?: (args: Arguments) => Wait | Promise<Wait>;
  /** Where the time that an attempt may take is written, other than in limits: what to do there. */
  readonly timeoutHint?: string | undefined;
  /**
   * Of a tool that asks a model: which one for these arguments, which are not checked yet. The
   * price of a call is set aside before it begins.
   */
  readonly model?: (args: Arguments) => AskedModel;
  /**
   * Called when a run that might have called it comes to a stop in this process, whatever its
   * status: what the handler has kept for the run is to be closed. Rejections are not heard.
   */
  readonly ended?: (run: string) => Promise<void>;
}

export interface AskedModel {
  /** `provider/model`. */
  readonly name: string;
  /** Where it is known. */
  readonly price?: Price | undefined;
  /** Characters that it is sent besides the arguments, such as instructions, about. */
  readonly sends?: number;
  /** Whether it is another than the run's own: the journal says so with the effect. */
  readonly isOther?: boolean;
}

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** A question, as the handler of the tool reads it from the arguments. */
export interface Question {
  readonly text: string;
  /** Who is asked, by name; absent for whoever the program talks with. */
  readonly to?: string;
  /** JSON-like data; any of them is an answer. */
  readonly choices?: readonly unknown[];
  /** JSON Schema of the answer. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /**
   * Present where it asks for an approval of what a run within the effect is about to do: it is
   * approved or denied, never answered, and the answer is a `Decision` without its author.
   */
  readonly approval?: AskedApproval;
  /** Present where it decides what is in doubt: only a person answers, no client of a server. */
  readonly decides?: 'doubt';
  /** What counts as the answer where nobody gives one within `timeoutMs`. */
  readonly default?: { readonly value: unknown };
  readonly timeoutMs?: number;
  /**
   * What is wrong with an answer (JSON-like data), for who gave it; undefined if nothing. A promise
   * where finding out may take long; it never rejects.
   */
  check(answer: unknown): string | undefined | Promise<string | undefined>;
}

/** What is to be approved: a call of another tool than the one that asks. */
export interface AskedApproval {
  readonly tool: string;
  /** The arguments, as ordinary JSON data. */
  readonly request: unknown;
  readonly why: string;
}

/** What an effect waits for before it has an outcome, or before it is performed. */
export type Wait =
  | { readonly for: 'time'; readonly ms: number }
  | { readonly for: 'person'; readonly question: Question };

export type Arguments = Readonly<Record<string, unknown>>;

export interface AttemptContext {
  /** Aborted on timeout, cancel and loss of the run; must reach the socket. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this effect: `run/effect/hash`. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  readonly run: string;
  /** Effect id, `0#7`. */
  readonly effect: string;
  /** Milliseconds after which it is aborted; `Infinity` for never. */
  readonly timeoutMs: number;
  /**
   * Adds to what this effect has used; counted even when the attempt fails. What is ended from
   * outside says what it has used by then at once, as `signal` is aborted: later it is not heard.
   */
  use(usage: Usage): void;
  /** Text as it arrives, for a person who watches; never seen by the program. */
  progress(text: string): void;
  /**
   * A complete part of the result (JSON-like data), for a program that reads it as a stream; of no
   * effect where it does not. Where no part is reported, the result is the only one.
   */
  part(value: unknown): void;
  /**
   * Parts that attempts which were cut off have reported: the program has seen them, and this one
   * has to report the same before any other.
   */
  readonly earlier: readonly GuestValue[];
  /** The visit of the step that asked for it, `4@2`; empty outside any. */
  readonly step: string;
  /** When it was asked for, epoch milliseconds. */
  readonly queuedAt: number;
  /** See `Request.barrier`: whether it may be put off until all before it has succeeded. */
  readonly barrier: boolean;
  /** Headers for the requests that an attempt makes, so that they join its trace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why a model ended its reply, for those who watch. */
  readonly finish: (reason: string) => void;
  /** Something was mended or odd: a warning on the step. */
  warn(message: string): void;
  /** Where what it returns comes from: kept with the outcome, for answers to name. */
  readonly source: (source: Source) => void;
  /** The other side says that it is at it: the time of the attempt begins anew. */
  readonly extend: () => void;
  /**
   * Asks a person what the tool wants to know; an answer that was given to the same question of an
   * earlier attempt comes at once. Time does not count meanwhile. Undefined where nobody answers
   * now: then the tool has to be told so, and the attempt ends with `AnswerNeeded`.
   */
  readonly ask?: (question: Question) => Promise<{ readonly value: unknown } | undefined>;
  /**
   * Makes the outcome by a run of a program, within this effect: journaled, so that whatever ends
   * the attempt, the next one goes on with the same run. Gives its last answer as JSON data, null
   * where there is none. A tool that does so is idempotent, whatever its class: nothing that the
   * inner run has done is done again. Throws what the handler has to let through.
   */
  readonly inner: (run: InnerRun) => Promise<unknown>;
  /** Those of the run. */
  readonly limits: Limits;
  /** What the journal has of the run by now, for who has to understand what it is about. */
  readonly about: () => RunAbout;
}

export interface RunAbout {
  /** The goal, or the name of the program's file. */
  readonly goal: string;
  /** Its text. */
  readonly program: string;
  /** What has a name where the effect was asked for. */
  readonly names: () => readonly LiveName[];
  /** What effects of a tool have given in the runs within its effects, as ordinary JSON data. */
  readonly within: (tool: string) => readonly unknown[];
}

export interface LiveName {
  readonly name: string;
  /** Ordinary JSON data; absent where it is, or holds, what is still on its way. */
  readonly value?: unknown;
}

/** A program to run within an effect; see `inner-run.ts`. */
export interface InnerRun {
  /** Tells it from others within the same effect: letters, digits and `_`; ends its id. */
  readonly name: string;
  /** What it is for, as lists and people see it. */
  readonly title: string;
  /** With it the run begins; a run that goes on has its own. */
  readonly text: string;
  readonly dialect: string;
  /** Makes a program of a text, this one or an earlier one that the journal has. */
  readonly compile: (
    text: string,
    dialect: string,
    tools: ReadonlyMap<string, ToolSpec>,
    inputs: readonly string[],
  ) => { readonly program: Program };
  readonly inputs: ReadonlyMap<string, Value>;
  /** Its tools: nothing else can be called. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Tighter ones than those of the run that it is within. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether its text may hold what came from outside: then no constant of it is a reason to call
   * without an approval what cannot be undone.
   */
  readonly isForeign?: true;
}

/** A control loop that makes the outcome of an effect. */
export interface LoopRun {
  /** Its name: that of its text, `NAME.star`, and what ends the id of its run. */
  readonly loop: string;
  readonly title: string;
  /** By name, JSON-like data. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Its effects, and the tools that it may call. */
  readonly handlers: readonly Handler[];
  /** Tighter ones than those of the run around it. */
  readonly limits?: Partial<Limits>;
}

/**
 * Runs a control loop within an effect and gives its answer: `context.inner` for those who know a
 * loop by its name. Given to the handlers that need it when they are made.
 */
export type RunLoop = (context: AttemptContext, run: LoopRun) => Promise<unknown>;

/**
 * The same attempt with some members in other hands. Signal and key are made by whoever asks for
 * them, and most never do: nothing is read before it is wanted.
 */
export const attemptWith = <Changes extends object>(
  context: AttemptContext,
  changes: Changes & Partial<AttemptContext>,
): AttemptContext & NoInfer<Changes> =>
  new Proxy(changes as AttemptContext & Changes, {
    get(own, name) {
      const from = Object.hasOwn(own, name) ? own : context;
      const member: unknown = Reflect.get(from, name);
      return typeof member === 'function' ? member.bind(from) : member;
    },
  });

/** What model calls consumed. `cost` in USD, undefined where no price is known. */
export interface Usage {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost?: number;
  /** How many of the calls nobody has counted the tokens of: those are estimated. */
  readonly estimated?: number;
}

/** A failed attempt. */
export class EffectFailure extends Error {
  override readonly name = 'EffectFailure';
  readonly code: string;
  /** Whether another attempt may succeed: overload, network, timeout. See `notAgain`. */
  retryable: boolean;
  /** Milliseconds the other side asked to wait before that. */
  readonly retryAfterMs: number | undefined;
  readonly hint: string | undefined;
  /** False when the request certainly never reached the tool (connection refused). */
  readonly mayHaveActed: boolean;
  /** True when the tool itself answered that it failed, so that nothing is in doubt. */
  readonly answered: boolean;
  /** Whether it says that the other side is away, and nothing of this request: see breaker.ts. */
  unavailable: boolean;
  /** Whether it ends the program, whatever that would do about a failure. */
  readonly final: boolean;
  /** Whether no attempt is made after one that fails a second time with the same message. */
  readonly lasts: boolean;

  constructor(
    code: string,
    message: string,
    details: {
      retryable?: boolean;
      retryAfterMs?: number | undefined;
      hint?: string | undefined;
      mayHaveActed?: boolean;
      answered?: boolean;
      unavailable?: boolean;
      final?: boolean;
      lasts?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.hint = details.hint;
    this.mayHaveActed = details.mayHaveActed ?? true;
    this.answered = details.answered ?? false;
    this.unavailable = details.unavailable ?? (this.retryable && !this.answered);
    this.final = details.final ?? false;
    this.lasts = details.lasts ?? false;
  }

  /** The work was a computation that took longer than its time limit: the next would, too. */
  notAgain(): void {
    this.retryable = false;
    this.unavailable = false;
  }
}

/** The tool itself says that it failed: nothing is in doubt, and it would say the same again. */
export const refusal = (
  code: string,
  message: string,
  details: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
): EffectFailure =>
  new EffectFailure(code, message, { answered: true, mayHaveActed: false, ...details });

/**
 * The tool has asked a person and was told that nobody answers now; it has ended the call itself,
 * so that nothing is in doubt. The run waits for the answer; then the call is made again, with it.
 */
export class AnswerNeeded extends EffectFailure {
  readonly question: Question;

  constructor(question: Question) {
    super('PV4023', `nobody has answered: ${question.text}`, {
      answered: true,
      hint: 'the run goes on with the answer',
    });
    this.question = question;
  }
}

/** A handler of which what performs it is loaded with the first call, and kept. */
export function lateHandler(
  spec: ToolSpec,
  load: () => Promise<Handler>,
  model?: AskedModel,
): Handler {
  let loading: Promise<Handler> | undefined;
  return {
    spec,
    ...(model && { model: () => model }),
    async perform(args, context) {
      loading ??= load();
      const handler = await loading;
      return await handler.perform(args, context);
    },
  };
}
