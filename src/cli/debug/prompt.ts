/**
 * The debugger's prompt: lines that are typed, or that come through a pipe, one after the other.
 * What it owns: the terminal's line, its history, and Ctrl-C.
 */
import type { Interface } from 'node:readline/promises';
import { clearLine, openLines } from '../process/prompt-lines.ts';
import { say, styleOf } from '../view/output.ts';
import { rowOf, rows } from './commands.ts';
import type { Debugger } from './debugger.ts';

export interface PromptOptions {
  readonly debug: Debugger;
  /** Where the lines that were typed are kept. */
  readonly historyFile: string;
}

/** Until the input ends or a line says so. Gives whether every line could be obeyed. */
export async function prompt({ debug, historyFile }: PromptOptions): Promise<boolean> {
  const isTyped = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const lines = openLines({ isTyped, historyFile, complete });
  lines.setPrompt('(debug) ');
  const interrupt = (): void => onInterrupt(lines, debug);
  if (isTyped) say(styleOf(process.stderr).dim('help lists the commands, Ctrl-D leaves'));
  else process.on('SIGINT', interrupt);
  lines.on('SIGINT', interrupt);
  let isFine = true;
  let last = '';
  if (isTyped) lines.prompt();
  for await (const line of lines) {
    // Nothing says the last command once more, where that makes sense.
    const meant = line.trim() === '' ? last : line.trim();
    const row = rowOf.get(/^\S*/.exec(meant)?.[0] ?? '');
    last = row?.repeats ? meant : '';
    if (row?.action === 'quit') break;
    if (meant !== '') isFine = (await debug.obey(meant)) && isFine;
    if (isTyped) lines.prompt();
  }
  process.off('SIGINT', interrupt);
  lines.close();
  return isFine;
}

/** Ends what goes on for long; at the prompt it forgets what is typed, or says how to leave. */
function onInterrupt(lines: Interface, debug: Debugger): void {
  debug.interrupt();
  const isEmpty = lines.line === '';
  clearLine(lines);
  if (isEmpty) say('\nquit or Ctrl-D leaves');
  lines.prompt();
}

/** As readline wants it: commands that begin so, and the end of the line that they take over. */
function complete(line: string): [string[], string] {
  const word = line.trimStart();
  return [rows.map(({ action }) => action).filter((one) => one.startsWith(word)), word];
}
