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
