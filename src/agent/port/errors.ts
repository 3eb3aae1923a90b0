/**
 * Errors of the agent layer: a code, what is the case, and facts. The message and the hint hold in
 * every face; a face adds what its own users can do, by code and facts (`src/cli/advice.ts`).
 */
import type { MetLimit } from '../../engine/spent.ts';
import { type Diagnostic, thrownMessage, thrownText } from '../../program/diagnostic.ts';
import { type AgentCode, codes } from './codes.ts';

/** What an error is about, as plain data. */
export interface AgentFacts {
  readonly run?: string | undefined;
  /** A step of that run. */
  readonly step?: string | undefined;
  /** What the run would need for what was asked. */
  readonly lacks?: 'answer' | 'end' | 'goal' | 'notes';
  /** Whether another process can go on with what has stopped. */
  readonly isResumable?: boolean;
  /** The limit of the run that was met. */
  readonly limit?: MetLimit | undefined;
  /** A conversation, by its id. */
  readonly thread?: string;
  readonly tool?: string;
  /** The role of the model that is needed. */
  readonly role?: string;
  readonly file?: string;
  /** Whether it is about runs that were deleted. */
  readonly isDeleted?: boolean;
  /** Whether that file, or any run, does not exist. */
  readonly isMissing?: boolean;
  /** The setting whose value is wrong, and where that value comes from. */
  readonly setting?: string;
  readonly origin?: string | undefined;
}

export interface AgentErrorDetails {
  readonly hint?: string | undefined;
  readonly facts?: AgentFacts;
  readonly cause?: unknown;
}

/** What was asked for cannot be done. The message is one sentence: *got X, want Y*. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentCode | 'PV2001';
  /** What helps, without commands and flags of any face. */
  readonly hint: string | undefined;
  readonly facts: AgentFacts;

  constructor(code: AgentCode | 'PV2001', message: string, details: AgentErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.facts = details.facts ?? {};
  }
}

/** A text is not a valid program. `diagnostics` say why, each with its place. */
export class InvalidProgram extends Error {
  override readonly name = 'InvalidProgram';
  readonly diagnostics: readonly Diagnostic[];
  /** The text that the places are of, with the name of its file. */
  readonly source: { readonly text: string; readonly file: string };

  /** Throws `RangeError` where none of them is an error. */
  constructor(diagnostics: readonly Diagnostic[], source: InvalidProgram['source']) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    if (!first) throw new RangeError('got no error among the diagnostics, want at least one');
    super(`${first.line}:${first.column}: ${first.code} ${first.message}`);
    this.diagnostics = diagnostics;
    this.source = source;
  }
}

/** The engine could not go on with a run, which stays as its journal has it. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly run: string;

  constructor(cause: unknown, run: string) {
    super(thrownText(cause), { cause });
    this.run = run;
  }
}

/** An error of any layer: each carries a code. */
export type CodedError = Error & { readonly code: string; readonly hint?: string | undefined };

/** Tells errors of all layers by their code, so that no layer has to be loaded for it. */
export const isCoded = (thrown: unknown): thrown is CodedError =>
  thrown instanceof Error &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  /^PV\d{4}$/.test(thrown.code);

/** The message of an error; where a setting is wrong, with the place that it has its value from. */
export function messageOf(error: CodedError): string {
  const { message, facts } = error as CodedError & { readonly facts?: AgentFacts };
  return facts?.origin === undefined ? message : `${facts.origin}: ${message}`;
}

/** Code, message and hint of what was thrown; PV6099 for what is no error of any layer. */
export function describeError(thrown: unknown): Pick<CodedError, 'code' | 'message' | 'hint'> {
  if (isCoded(thrown)) return thrown;
  return {
    code: 'PV6099',
    message: `${codes.PV6099.replace(/\.$/, '')}: ${thrownText(thrown)}`,
  };
}

/** Why something could not be done, in words; of what is wrong with a file without its path. */
export function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return ofFiles.get(code) ?? thrownMessage(thrown);
}

const ofFiles: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user has no right to'],
]);
