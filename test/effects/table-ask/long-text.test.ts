/** table of a text that is longer than what a model reads or writes at once. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import type { Model, ModelRequest } from '../../../src/effects/model/model.ts';
import { tokensIn } from '../../../src/effects/model/window.ts';
import { tableAskHandlers } from '../../../src/effects/table-ask/handlers.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
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

test('what has no column yet gets one, and parts that have it are read once more', async () => {
  const towns = people.map((line, i) => (i < 300 ? line : `${line} They live in Town${i}.`));
  const wideParts: string[] = [];
  const { model } = scriptedModel((request) => {
    const content = request.messages.map((one) => one.content).join('\n');
    const found = [
      ...content.matchAll(/(Person\d+) is (\d+) years old\.(?: They live in (\w+))?/g),
    ];
    if (content.includes('Name the columns')) return { columns: ['who', 'age'] };
    const wide = content.includes('["who","age","town"]');
    if (wide) wideParts.push(content);
    const more = !wide && content.includes('They live') ? ['town', 'town', 'age'] : ['age'];
    const row = (who?: string, age?: string, town?: string): unknown[] => [
      ...[who, Number(age)],
      ...(wide ? [town ?? null] : []),
    ];
    return { rows: found.map(([, who, age, town]) => row(who, age, town)), more };
  });
  const { answer, error } = await tableOf(towns.join('\n'), model);
  expect(error).toBeUndefined();
  const town = (i: number): string | null => (i < 300 ? null : `Town${i}`);
  expect(answer).toEqual({
    columns: ['who', 'age', 'town'],
    rows: rows.map((row, i) => [...row, town(i)]),
  });
  expect(wideParts.length).toBeGreaterThan(1);
  for (const part of wideParts) expect(part).toContain('They live');
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
