/** Runs a control loop on the engine as a command would, with a journal in memory. */
import { expect } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { startRun } from '../../src/engine/run.ts';
import { type LoopName, loopSource } from '../../src/planner/loop-source.ts';
import { fromJson } from '../../src/program/json.ts';

export async function runLoop(
  name: LoopName,
  handlers: ReadonlyMap<string, Handler>,
  inputs: Readonly<Record<string, unknown>>,
): Promise<RunResult> {
  const text = loopSource(name);
  const tools = new Map([...handlers].map(([tool, { spec }]) => [tool, spec]));
  const environment = { tools, inputs: Object.keys(inputs) };
  const { program, diagnostics } = checkProgram(text, environment, { dialect: 'starlark' });
  expect(diagnostics).toEqual([]);
  if (!program) throw new Error('the loop does not compile');
  const given = new Map(Object.entries(inputs).map(([key, value]) => [key, fromJson(value)]));
  const journal = openJournal(':memory:');
  const run = startRun({ journal, handlers, program, text, dialect: 'starlark', inputs: given });
  return await run.result;
}
