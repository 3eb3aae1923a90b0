/** How the engine reads the program of a run again, out of its record. */
import { checkProgram } from '../../dialects/index.ts';
import type { Load } from '../../engine/load.ts';
import { warningsOf } from './warnings.ts';

/** What was accepted once is accepted again, whatever the limits are today. */
const anySize = { instructionsMax: Infinity, sourceBytesMax: Infinity };

export const load: Load = (text, dialect, tools, inputs) => {
  const { program, diagnostics } = checkProgram(text, { tools, inputs }, { dialect, ...anySize });
  if (program) return { program, warnings: warningsOf(diagnostics) };
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  throw new Error(wrong ? `${wrong.code} ${wrong.message}` : 'it is not a program any more');
};
