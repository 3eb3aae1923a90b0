/** What checking had to say that is no error, as the result of a run has it. */
import type { Warning } from '../../engine/result.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';

export function warningsOf(diagnostics: readonly Diagnostic[]): Warning[] {
  return diagnostics
    .filter(({ severity }) => severity === 'warning')
    .map(({ code, message, file, line, column, step, hint }) => ({
      code,
      message,
      ...(file === undefined ? {} : { file }),
      line,
      column,
      ...(step === undefined ? {} : { step }),
      ...(hint === undefined ? {} : { hint }),
    }));
}

/** The result of a program that was not run because something is wrong with it. */
export function invalidResult(diagnostics: readonly Diagnostic[]): Record<string, unknown> {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const { code, message, step = '', line, column, hint } = first ?? {};
  return {
    run: null,
    status: 'invalid',
    answer: null,
    answers: [],
    variables: {},
    error: { code, message, step, line, column, hint },
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    warnings: warningsOf(diagnostics),
    diagnostics,
  };
}
