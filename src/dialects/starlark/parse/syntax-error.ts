/** How scanner and parser stop at the first error: thrown here, caught by `parse` alone. */
import type { Diagnostic, Note } from '../../../program/diagnostic.ts';
import { unpackPosition } from '../../../program/program.ts';
import type { Position } from './syntax.ts';

export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export interface Advice {
  readonly hint?: string | undefined;
  readonly unknown?: string | undefined;
  readonly notes?: readonly Note[] | undefined;
}

export function diagnostic(
  code: string,
  at: Position,
  message: string,
  { hint, unknown, notes }: Advice = {},
): Diagnostic {
  return {
    code,
    severity: 'error',
    message,
    ...unpackPosition(at),
    ...(hint === undefined ? {} : { hint }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(notes === undefined ? {} : { notes }),
  };
}

/** Throws a `SyntaxFault`. */
export function fail(code: string, at: Position, message: string, advice: Advice = {}): never {
  throw new SyntaxFault(diagnostic(code, at, message, advice));
}
