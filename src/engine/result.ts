/** The document that `run --json` prints. Answers and variables are ordinary JSON data. */
import type { View } from '../machine/machine.ts';
import type { Emit } from '../machine/turn.ts';
import type { GuestError, Source, TraceFrame } from '../program/effect.ts';
import { decode, encode, NotData, toJson } from '../program/json.ts';
import { charactersOf } from '../program/size.ts';
import type { Value } from '../program/value.ts';
import type { RunReason, RunStatus } from './journal/run-state.ts';
import type { Verdict } from './journal/verdict.ts';
import type { OpenWait } from './perform/person.ts';
import type { MetLimit, Spent } from './spent.ts';

export interface RunResult {
  readonly run: string;
  readonly status: RunStatus;
  readonly reason?: RunReason;
  /** The last answer, else null. */
  readonly answer: unknown;
  readonly answers: readonly Answer[];
  /** Without functions, and without values that are still to come. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Why the run failed, or why it does not go on. */
  readonly error?: ResultError;
  /** The budget that has stopped it. */
  readonly limit?: MetLimit;
  /** What people have to answer or to approve, and what time has to do: of a run that waits. */
  readonly waits?: readonly OpenWait[];
  readonly usage: ResultUsage;
  readonly warnings: readonly Warning[];
}

/** A source, and the effect whose outcome comes from it. */
export interface AnswerSource extends Source {
  readonly effect: string;
  readonly tool: string;
}

export interface Answer {
  readonly value: unknown;
  readonly step: string;
  /** Where what it may be made from comes from; only in documents that are printed. */
  readonly sources?: readonly AnswerSource[];
  /** Where somebody has judged it; the last one counts. */
  readonly verdict?: Verdict;
}

export interface ResultError {
  readonly code: string;
  readonly message: string;
  /** Step id with visit; empty outside any step. */
  readonly step: string;
  /** From 1; 0 where no place is known. */
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
  /** The calls that led there, where it happened in a function; the innermost last. */
  readonly trace?: readonly TraceFrame[];
  /** The text that the place is of, where that is not the program's own. */
  readonly file?: string;
}

export interface ResultUsage {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD; null where the price of a call is not known. */
  readonly cost: number | null;
  /** How many of the calls have estimated tokens; absent where none has. */
  readonly estimated?: number;
}

/** Something was mended or odd, in the program's text or while an effect was performed. */
export interface Warning {
  readonly message: string;
  readonly code?: string;
  readonly step?: string;
  readonly effect?: string;
  /** Of the program's files, where it is not the first one. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

export interface ResultParts {
  readonly run: string;
  readonly status: RunStatus;
  readonly reason?: RunReason | undefined;
  readonly view: Pick<View, 'answers' | 'variables'>;
  readonly error?: ResultError | undefined;
  readonly limit?: MetLimit | undefined;
  readonly waits?: readonly OpenWait[] | undefined;
  readonly spent: Spent;
  readonly warnings: readonly Warning[];
}

/** Characters that all variables of a result have together; the values themselves may share. */
const variablesMax = 2 ** 24;

export function resultOf(parts: ResultParts): RunResult {
  const { run, status, reason, view, error, limit, waits = [], spent } = parts;
  const answers = view.answers.map(answerOf);
  const { variables, leftOut } = variablesOf(view.variables);
  const warnings = leftOut.length === 0 ? parts.warnings : [...parts.warnings, tooLarge(leftOut)];
  return {
    run,
    status,
    ...(reason ? { reason } : {}),
    answer: answers.at(-1)?.value ?? null,
    answers,
    variables,
    ...(error ? { error } : {}),
    ...(limit ? { limit } : {}),
    ...(waits.length > 0 ? { waits } : {}),
    usage: usageOf(spent),
    warnings,
  };
}

export function usageOf(spent: Spent): ResultUsage {
  const { modelCalls, inputTokens, outputTokens, cost, unpriced, estimated } = spent;
  const known = { modelCalls, inputTokens, outputTokens, cost: unpriced > 0 ? null : cost };
  return estimated > 0 ? { ...known, estimated } : known;
}

export function errorOf(error: GuestError): ResultError {
  const { code, message, step, line, column, hint, trace, file } = error;
  return {
    code,
    message,
    step,
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
    ...(trace.length > 1 ? { trace } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

export function answerOf({ value, step }: Emit): Answer {
  return { value: shownOf(encode(value)), step };
}

/** Canonical text as a person is to see it: plain data, or as it is where it has no plain form. */
export function shownOf(text: string): unknown {
  const plain = plainOf(decode(text));
  return plain === undefined ? JSON.parse(text) : plain;
}

interface Variables {
  readonly variables: Record<string, unknown>;
  /** Names of those that there is no room for. */
  readonly leftOut: readonly string[];
}

function variablesOf(variables: ReadonlyMap<string, Value>): Variables {
  const shown: [string, unknown][] = [];
  const leftOut: string[] = [];
  let room = variablesMax;
  for (const [name, value] of variables) {
    const characters = charactersOf(value, room);
    if (characters === undefined) {
      leftOut.push(name);
      continue;
    }
    const plain = plainOf(value);
    if (plain === undefined) continue;
    room -= characters;
    shown.push([name, plain]);
  }
  return { variables: Object.fromEntries(shown), leftOut };
}

function tooLarge(names: readonly string[]): Warning {
  const some = names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
  return {
    message: `left out of the result, which holds at most ${variablesMax} characters: ${some}`,
    hint: 'answer with what is wanted of them',
  };
}

/** Undefined for what is no data, or not yet. */
function plainOf(value: Value): unknown {
  try {
    return toJson(value);
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}

/** What was said of the program, and of its effects whatever had not been said of their steps. */
export function withoutRepeats(
  said: readonly Warning[],
  observed: readonly Warning[],
): readonly Warning[] {
  const isNew = ({ step = '', message }: Warning): boolean =>
    !said.some((one) => one.step === labelOf(step) && message.startsWith(`${one.message};`));
  return [...said, ...observed.filter(isNew)];
}

/** `4@2` is a visit of the step `4`. */
function labelOf(step: string): string {
  const at = step.lastIndexOf('@');
  return at < 0 ? step : step.slice(0, at);
}
