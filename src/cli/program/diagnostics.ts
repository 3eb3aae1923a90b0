/** What checking a program found, on stderr. */
import type { Source } from '../../agent/program/source.ts';
import { renderAll } from '../../dialects/diagnostic.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { flagged } from '../advice.ts';
import { isColoured, say } from '../view/output.ts';

/** Shows diagnostics with the lines they are about, on stderr. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[], source: Source): void {
  if (diagnostics.length === 0) return;
  const { file, text } = source;
  say(renderAll(diagnostics.map(flagged), text, { file, color: isColoured(process.stderr) }));
}
