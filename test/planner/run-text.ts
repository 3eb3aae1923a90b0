/** Runs a program in Starlark on the engine, with a journal in memory. */
import { checkProgram } from '../../src/dialects/index.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { startRun } from '../../src/engine/run.ts';

export async function runText(
  text: string,
  handlers: ReadonlyMap<string, Handler>,
): Promise<RunResult> {
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { program, diagnostics } = checkProgram(
    text,
    { tools, inputs: [] },
    { dialect: 'starlark' },
  );
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const journal = memoryJournal();
  return await startRun({ journal, handlers, program, text, dialect: 'starlark' }).result;
}
