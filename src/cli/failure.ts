/**
 * Why a command could not do its work, and what it tells the person who called it: one sentence and
 * a hint, on stderr. Where a stack helps, `--verbose` shows it.
 */
import type { AgentCode } from '../agent/port/codes.ts';
import { describeError, isCoded, messageOf, RunStopped } from '../agent/port/errors.ts';
import { isModelUnavailable } from '../effects/model/unavailable.ts';
import { PlanFailure } from '../planner/plan-failure.ts';
import { advised } from './advice.ts';
import type { CliCode } from './codes.ts';
import { type ExitCode, exit } from './exit.ts';
import { hasPrinted, print, say, styleOf } from './view/output.ts';
import { modelLine } from './view/warnings.ts';

/** Wrong usage or configuration. The message is one sentence: *got X, want Y*. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliCode | AgentCode;
  readonly hint: string | undefined;
  readonly exit: ExitCode;

  constructor(
    code: CliCode | AgentCode,
    message: string,
    details: { hint?: string | undefined; exit?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.exit = details.exit ?? exit.usage;
  }
}

export interface FailureFlags {
  readonly verbose?: boolean;
  /** Where a document is promised, a failure is one too: `{ "error": { code, message, hint } }`. */
  readonly json?: boolean;
  /** The same as the last line of a stream of events, with the type `error`. */
  readonly events?: boolean;
}

/** Prints what was thrown and gives the exit code that it stands for. */
export function reportFailure(thrown: unknown, flags: FailureFlags = {}): ExitCode {
  say(failureText(thrown, flags.verbose === true));
  const { code, message, hint = null, ends } = failureOf(thrown);
  const error = { code, message, hint };
  if (flags.events) print(JSON.stringify({ type: 'error', error }));
  else if (flags.json && !hasPrinted()) print(JSON.stringify({ error }, null, 2));
  return ends;
}

/** The lines for the person who called; with the stack where that is wanted. */
export function failureText(thrown: unknown, verbose: boolean): string {
  const text = problemText(failureOf(thrown));
  if (!verbose || !(thrown instanceof Error)) return text;
  return `${text}\n${styleOf(process.stderr).dim(stackOf(thrown))}`;
}

export function problemText({ code, message, hint }: Omit<Failure, 'ends'>): string {
  if (isModelUnavailable(code)) return modelLine({ code, message, hint });
  const style = styleOf(process.stderr);
  const line = `${style.error(`error ${code}:`)} ${message}`;
  return hint === undefined ? line : `${line}\n  ${style.good('hint:')} ${hint}`;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** How a command ends that meets it. */
  readonly ends: ExitCode;
}

/** Every layer's errors carry a code; they are told by it, so that no layer has to be loaded. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof CliError) {
    const { code, message, hint } = thrown;
    return { code, message, hint, ends: thrown.exit };
  }
  if (thrown instanceof RunStopped) {
    const { hint, ...what } = failureOf(thrown.cause);
    const { run } = thrown;
    const taken = what.code === 'PV5002';
    const next = taken ? `see planvm show ${run}` : `planvm resume ${run} goes on from here`;
    return { ...what, hint: hint === undefined ? next : `${hint}; ${next}`, ends: exit.failed };
  }
  const { code, message } = describeError(thrown);
  if (isCoded(thrown)) {
    const others = thrown instanceof PlanFailure ? exit.failed : exit.usage;
    const ends = endsByCode[code] ?? others;
    return { code, message: messageOf(thrown), hint: advised(thrown), ends };
  }
  return { code, message, hint: 'please report it with what --verbose prints', ends: exit.failed };
}

/**
 * How a command ends that meets an error of a layer below. For all others, the caller can fix it by
 * calling differently.
 */
const endsByCode: Readonly<Record<string, ExitCode>> = {
  PV4302: exit.failed,
  PV4304: exit.failed,
  PV4308: exit.failed,
  PV4309: exit.failed,
  PV5002: exit.failed,
  PV5013: exit.failed,
  PV5014: exit.failed,
  PV5016: exit.failed,
  PV5018: exit.failed,
  PV5109: exit.failed,
  PV6018: exit.interrupted,
  PV6020: exit.budget,
  PV6806: exit.failed,
  PV7002: exit.invalid,
  PV7501: exit.waiting,
  PV7502: exit.interrupted,
  PV7504: exit.invalid,
};

function stackOf(error: Error): string {
  const stack = error.stack ?? String(error);
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
