/** The result of a program that was not run because something is wrong with it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { warningsOf } from './warnings.ts';

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
