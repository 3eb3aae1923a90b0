/** The program that a command names: a file, or stdin where it is `-`. */
import { basename } from 'node:path';
import {
  decoded,
  readFileSource,
  type Source,
  unusedBeside,
  withBeside,
} from '../../agent/program/source.ts';
import { renderAll } from '../../dialects/diagnostic.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { flagged } from '../advice.ts';
import { isColoured, say } from '../view/output.ts';

/** A program: of a playbook the compiled file beside it that fits. Throws as `readSource`. */
export async function readProgram(file: string): Promise<Source> {
  const source = await readSource(file);
  const unused = unusedBeside(source);
  if (unused !== undefined) {
    say(`${basename(unused)} is not used: it is not of ${basename(source.file)} as that is now`);
    say(`planvm compile --ask ${source.file} makes it again`);
  }
  return withBeside(source);
}

/** Throws `AgentError` PV6006. */
export async function readSource(file: string): Promise<Source> {
  if (file !== '-') return await readFileSource(file);
  if (process.stdin.isTTY) say('reading the program from the terminal; Ctrl-D ends it');
  const { buffer } = await import('node:stream/consumers');
  return { ...decoded(await buffer(process.stdin)), file: 'stdin', title: 'stdin' };
}

type Shown = Pick<Source, 'text' | 'file'>;

/** Shows diagnostics with the lines they are about, on stderr. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[], source: Shown): void {
  if (diagnostics.length === 0) return;
  const { file, text } = source;
  say(renderAll(diagnostics.map(flagged), text, { file, color: isColoured(process.stderr) }));
}
