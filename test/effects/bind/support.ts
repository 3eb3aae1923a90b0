/** Programs with `llm_bind` on an engine with a journal in memory. */
import { checkProgram } from '../../../src/dialects/index.ts';
import { bindHandler } from '../../../src/effects/bind/bind.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import { askHandler } from '../../../src/effects/person/ask.ts';
import type { Handler } from '../../../src/engine/handler.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { type RunHandle, startRun } from '../../../src/engine/run.ts';
import { loopRunner } from '../../../src/planner/run-loop.ts';
import { byName } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

/** Answers by what it is asked with; keeps every conversation. */
export const scripted = (answer: (content: string, asked: number) => unknown) =>
  scriptedModel(({ messages }, asked) =>
    answer(messages.map(({ content }) => content).join('\n'), asked),
  );

export const runLoop = loopRunner({ ready: (handlers) => handlers });

export function handlersFor(model: Model, ...tools: Handler[]): Map<string, Handler> {
  return byName(bindHandler(model, runLoop, {}), askHandler, ...tools);
}

export function go(text: string, handlers: ReadonlyMap<string, Handler>, more = {}): RunHandle {
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { program, diagnostics } = checkProgram(text, { tools, inputs: [] }, starlark);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const journal = memoryJournal();
  return startRun({
    ...{ journal, handlers, program, text, dialect: 'starlark', title: 'Find the people.' },
    ...more,
  });
}

export const starlark = { dialect: 'starlark' } as const;
