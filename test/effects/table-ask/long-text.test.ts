/** table of a text that is longer than what a model reads or writes at once. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import type { Model, ModelRequest } from '../../../src/effects/model/model.ts';
import { tokensIn } from '../../../src/effects/model/window.ts';
import { tableAskHandlers } from '../../../src/effects/table-ask/handlers.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { startRun } from '../../../src/engine/run.ts';
import { loopRunner } from '../../../src/planner/run-loop.ts';
import { byName } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

const text = 'answer(table(x))';

async function tableOf(given: string, model: Model) {
  const runLoop = loopRunner({ ready: (handlers) => handlers });
  const settings = { contextWindow: 4000 };
  const handlers = byName(...tableAskHandlers(model, { settings, runLoop }));
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const dialect = 'starlark';
  const { program } = checkProgram(text, { tools, inputs: ['x'] }, { dialect });
  if (!program) throw new Error('it does not compile');
  const inputs = new Map([['x', given]]);
  return await startRun({ journal: memoryJournal(), handlers, program, text, dialect, inputs })
    .result;
}

const people = Array.from({ length: 600 }, (_, i) => `Person${i} is ${i % 90} years old.`);

/** Reads what stands in a request, as a model that misses nothing would. */
function reading({ messages }: ModelRequest): unknown {
  const content = messages.map((one) => one.content).join('\n');
  if (content.includes('Name the columns')) return { columns: ['who', 'age'] };
  const found = [...content.matchAll(/(Person\d+) is (\d+) years/g)];
  return { rows: found.map(([, who, age]) => [who, Number(age)]), more: [] };
}

const rows = people.map((_, i) => [`Person${i}`, i % 90]);

test('a text longer than the window is read part by part, and no row is lost', async () => {
  const { model, requests } = scriptedModel(reading);
  const { answer, warnings, status } = await tableOf(people.join('\n'), model);
  expect(status).toBe('done');
  expect(answer).toEqual({ columns: ['who', 'age'], rows });
  expect(requests.length).toBeGreaterThan(3);
  for (const { messages } of requests) expect(tokensIn(messages)).toBeLessThan(3000);
  expect(JSON.stringify(warnings)).toMatch(/took the table out of a text, in \d+ parts/);
});

test('rows that a reply has no room for are read in smaller parts', async () => {
  const { model } = scriptedModel(reading);
  const cutAt = 1000;
  const short: Model = {
    ...model,
    async complete(request, context) {
      const reply = await model.complete(request, context);
      return reply.text.length <= cutAt
        ? reply
        : { ...reply, text: reply.text.slice(0, cutAt), finishReason: 'length' };
    },
  };
  const { answer, error } = await tableOf(people.slice(0, 250).join('\n'), short);
  expect(error).toBeUndefined();
  expect(answer).toEqual({ columns: ['who', 'age'], rows: rows.slice(0, 250) });
});
