/** `coerce` and `llm_list_bind` from the program to the value: src/effects/bind/typed.ts. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { coerceHandler, listBindHandler } from '../../../src/effects/bind/typed.ts';
import type { Model, ModelRequest } from '../../../src/effects/model/model.ts';
import type { ModelSettings } from '../../../src/effects/model/model-settings.ts';
import { tokensIn } from '../../../src/effects/model/window.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { startRun } from '../../../src/engine/run.ts';
import { loopRunner } from '../../../src/planner/run-loop.ts';
import { byName } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

/** Runs a program with a model that gives these replies, the last one over again. */
async function ran(text: string, ...replies: unknown[]) {
  const { model, requests } = scriptedModel(
    (_, asked) => replies[Math.min(asked, replies.length) - 1],
  );
  return { ...(await runWith(model, text, {})), requests };
}

async function runWith(model: Model, text: string, settings: ModelSettings) {
  const long = { runLoop: loopRunner({ ready: (handlers) => handlers }) };
  const handlers = byName(
    coerceHandler(model, settings, long),
    listBindHandler(model, settings, long),
  );
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const dialect = 'starlark';
  const { program, diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const run = startRun({ journal: memoryJournal(), handlers, program, text, dialect });
  return await run.result;
}

describe('values longer than the window', () => {
  const filler = 'It rained, and then it did not. '.repeat(1500);
  const reading = ({ messages }: ModelRequest): unknown => {
    const content = messages.map((one) => one.content).join('\n');
    if (content.includes('drawn at random')) return { all: true, why: 'all counts' };
    const found = ['Ada', 'Bob'].filter((name) => content.includes(name));
    if (content.includes('{"items"')) return { items: found };
    if (content.includes('{"value"')) return { value: found.length };
    return found.join('\n') || 'Nothing.';
  };

  test.each([
    ['llm_list_bind(x, "names")', ['Ada', 'Bob']],
    ['coerce(x, "int")', 2],
  ])('%s has all of it read', async (call, wanted) => {
    const { model, requests } = scriptedModel(reading);
    const text = `x = "Ada. ${filler} Bob. ${filler}"\nanswer(${call})`;
    const result = await runWith(model, text, { contextWindow: 8000 });
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ status: 'done', answer: wanted });
    expect(requests.length).toBeGreaterThan(3);
    for (const { messages } of requests) expect(tokensIn(messages)).toBeLessThan(6000);
  });

  test('are refused where that is said', async () => {
    const { model, requests } = scriptedModel(reading);
    const text = `answer(llm_list_bind("${filler}", "names"))`;
    const result = await runWith(model, text, { contextWindow: 8000, fit: 'fail' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV4161' } });
    expect(requests).toEqual([]);
  });
});

describe('coerce', () => {
  test.each([
    ['"12"', 'int', 12],
    ['" 1,250 "', 'integer', 1250],
    ['7.0', 'int', 7],
    ['"9007199254740993"', 'int', 9007199254740993n],
    ['"-2.5e3"', 'float', -2500],
    ['3', 'float', 3],
    ['"TRUE"', 'bool', true],
    ['False', 'bool', false],
    ['"2024-02-29"', 'date', '2024-02-29'],
    ['5', 'string', '5'],
    ['True', 'str', 'True'],
    ['["1", 2]', 'list[int]', [1, 2]],
    ['[]', 'list', []],
  ])('of %s as %s asks nobody', async (expr, type, wanted) => {
    const { answer, requests, status } = await ran(`answer(coerce(${expr}, "${type}"))`, {});
    expect({ status, answer }).toEqual({ status: 'done', answer: wanted });
    expect(requests).toHaveLength(0);
  });

  test.each([
    ['"305 billion"', 'int', 305_000_000_000],
    ['"about half"', 'float', 0.5],
    ['"yes, surely"', 'bool', true],
    ['"2023-02-29"', 'date', '2023-03-01'],
    ['"one and two"', 'list[int]', [1, 2]],
    ['{"a": 1}', 'string', 'a is 1'],
    ['"1e999"', 'float', 0],
  ])('of %s as %s asks a model', async (expr, type, value) => {
    const { answer, requests } = await ran(`answer(coerce(${expr}, "${type}"))`, { value });
    expect(answer).toEqual(value);
    expect(requests).toHaveLength(1);
  });

  test('asks again, once, where the value is not of the type', async () => {
    const program = 'answer(coerce("next Friday", "date"))';
    const { answer, requests } = await ran(
      program,
      { value: '2025-02-31' },
      { value: '2025-03-07' },
    );
    expect(answer).toBe('2025-03-07');
    expect(requests[1]?.messages.at(-1)?.content).toContain('got 2025-02-31, want a day');
    const twice = await ran('answer(coerce("many", "int"))', { value: 'many' });
    expect(twice).toMatchObject({ status: 'failed', error: { code: 'PV4183', line: 1 } });
    expect(twice.requests).toHaveLength(2);
  });

  test('fails where there is no value, and is never None', async () => {
    const reply = { value: null, reason: 'it says no amount' };
    const program = 'x = 1\nanswer(coerce("a lot", "int"))';
    const { status, error, answer, requests } = await ran(program, reply);
    expect({ status, error, answer }).toMatchObject({
      ...{ status: 'failed', answer: null },
      error: { code: 'PV4183', message: '"a lot" is no int: it says no amount', line: 2 },
    });
    expect(requests).toHaveLength(1);
    const caught = `r = try_call(coerce, None, "int")\nanswer([r.ok, r.error.code])`;
    expect(await ran(caught, {})).toMatchObject({ answer: [false, 'PV4183'], requests: [] });
  });

  test('says which types there are', async () => {
    expect(await ran('answer(coerce("1", "list[decimal]"))', {})).toMatchObject({
      error: { code: 'PV4184', message: expect.stringContaining('decimal, want one of string') },
      requests: [],
    });
  });
});

describe.each(['llm_list_bind', 'llm_loop_bind'])('%s', (name) => {
  const page = 'page = "Ann, Bob and Cy"\n';

  test('gives what is in the value, in its order', async () => {
    const items = ['Ann', 'Bob', 'Cy'];
    const { answer, requests } = await ran(`${page}answer(${name}(page, "the names"))`, { items });
    expect(answer).toEqual(items);
    const asked = requests[0]?.messages.at(-1)?.content ?? '';
    expect(asked).toContain('Ann, Bob and Cy');
    expect(asked).toContain('List from this: the names.');
  });

  test.each([
    '["Ann", "Bob", "Cy"]',
    "names = ['Ann', 'Bob', 'Cy']",
    'Here is the list:\n```python\nnames = ["Ann", "Bob", "Cy"]\n```',
    '1. Ann\n2. Bob\n3. Cy',
    'Based on the data, here is a list of names:\n\n1) **Ann**\n2) Bob\n3) Cy\n\nThat is all.',
    '- Ann\n- Bob\n- Cy',
  ])('reads the reply %j', async (reply) => {
    const { answer, requests } = await ran(`${page}answer(${name}(page, "the names"))`, reply);
    expect(answer).toEqual(['Ann', 'Bob', 'Cy']);
    expect(requests).toHaveLength(1);
  });

  test('reads the elements of a list in lines as their type', async () => {
    const program = `${page}answer(${name}(page, "the ages", type="int"))`;
    const { answer, requests } = await ran(program, '1. 12\n2. 40');
    expect([answer, requests.length]).toEqual([[12, 40], 1]);
  });

  test('asks again for a list with lists in its lines', async () => {
    const program = `${page}answer(${name}(page, "the names"))`;
    const { answer } = await ran(program, '- Ann\n  - Bob', { items: ['Ann', 'Bob'] });
    expect(answer).toEqual(['Ann', 'Bob']);
  });

  test('gives no more than are wanted, and says so', async () => {
    const program = `${page}answer(${name}(page, "the names", count=2))`;
    const { answer, warnings, requests } = await ran(program, { items: ['Ann', 'Bob', 'Cy'] });
    expect(answer).toEqual(['Ann', 'Bob']);
    expect(JSON.stringify(warnings)).toContain('gave 3 elements, of which 2 were wanted');
    expect(requests[0]?.messages.at(-1)?.content).toContain('2 at most, the first ones');
  });

  test.each([
    ['int', ['12'], [12], 'integer'],
    ['date', ['2025-02-30'], ['2025-02-28'], 'want a day of the calendar'],
    ['bool', ['no'], [false], 'boolean'],
  ])('asks again, once, for elements that are no %s', async (type, first, second, why) => {
    const program = `${page}answer(${name}(page, "them", type="${type}"))`;
    const { answer, requests } = await ran(program, { items: first }, { items: second });
    expect(answer).toEqual(second);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.at(-1)?.content).toContain(why);
  });

  test('fails where the second reply is none either, at the place of the call', async () => {
    const program = `${page}answer(${name}(page, "the names"))`;
    expect(await ran(program, 'I see three people.')).toMatchObject({
      ...{ status: 'failed', usage: { modelCalls: 2 } },
      error: { code: 'PV4182', line: 2 },
    });
  });

  test('gives an empty list where there are none', async () => {
    const { answer } = await ran(`${page}answer(${name}(page, "the cities"))`, { items: [] });
    expect(answer).toEqual([]);
  });
});
