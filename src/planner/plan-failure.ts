/** What a control loop of the planner fails with, and the rounds that it has gone through. */
import type { Diagnostic } from '../program/diagnostic.ts';

export interface Round {
  /** From 1, in this process. */
  readonly number: number;
  /** The program alone, or the whole reply where there is none. */
  readonly text: string;
  /** Whether the reply holds a program. */
  readonly isProgram: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly ok: boolean;
}

interface FailureDetails {
  readonly hint?: string | undefined;
  readonly last?: Round | undefined;
}

/** No program came of it. `last` is the nearest the model got. */
export class PlanFailure extends Error {
  override readonly name = 'PlanFailure';
  readonly code: string;
  readonly hint: string | undefined;
  readonly last: Round | undefined;

  constructor(code: string, message: string, { hint, last }: FailureDetails = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.last = last;
  }
}
