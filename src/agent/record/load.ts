/** How the engine reads the program of a run again, out of its record. */
import { checkProgram } from '../../dialects/index.ts';
import type { Load } from '../../engine/load.ts';
import type { Warning } from '../../engine/result.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';

/** What was accepted once is accepted again, whatever the limits are today. */
const anySize = { instructionsMax: Infinity, sourceBytesMax: Infinity };

export const load: Load = (text, dialect, tools, inputs) => {
  const { program, diagnostics } = checkProgram(text, { tools, inputs }, { dialect, ...anySize });
  if (program) return { program, warnings: warningsOf(diagnostics) };
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  throw new Error(wrong ? `${wrong.code} ${wrong.message}` : 'it is not a program any more');
};

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
