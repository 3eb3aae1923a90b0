/** `locals()` and `messages()`: what has a name where they stand, and what was said before. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { startRun } from '../../../src/engine/run.ts';
import { fromJson } from '../../../src/program/json.ts';
import { byName, quickTool } from '../../engine/support.ts';

const get = quickTool('get', ({ x }) => `got ${x}`, {
  parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
});

async function ran(text: string, inputs: Readonly<Record<string, unknown>> = {}) {
  const handlers = byName(get);
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const dialect = 'starlark';
  const environment = { tools, inputs: Object.keys(inputs) };
  const { program, diagnostics } = checkProgram(text, environment, { dialect });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const given = new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)]));
  const run = { journal: memoryJournal(), handlers, program, text, dialect, inputs: given };
  return await startRun(run).result;
}

test.each([
  ['outside of functions', 'a = 1\nanswer(locals())', { a: 1 }],
  ['not of what comes later', 'answer(locals())\na = 1', {}],
  ['no functions', 'def f(): pass\nanswer(locals())', {}],
  [
    'results that were on their way',
    'a = get(1)\nb = [get(2)]\nanswer(locals())',
    {
      a: 'got 1',
      b: ['got 2'],
    },
  ],
  [
    'of a function',
    'z = 0\ndef f(x):\n  y = get(x)\n  return locals()\nanswer(f(1))',
    {
      x: 1,
      y: 'got 1',
    },
  ],
  [
    'what a function has taken along',
    'def f(x):\n  def g():\n    return [locals(), x]\n  return g()[0]\nanswer(f(1))',
    { x: 1 },
  ],
  [
    'side by side',
    'def f(x):\n  y = get(x)\n  return locals()\nanswer(parallel(f, [1, 2]))',
    [
      { x: 1, y: 'got 1' },
      { x: 2, y: 'got 2' },
    ],
  ],
  ['as a value of their own', 'a = 1\nlocals()["b"] = 2\nanswer(locals())', { a: 1 }],
])('locals: %s', async (_what, text, answer) => {
  expect(await ran(text)).toMatchObject({ status: 'done', answer });
});

test('locals waits before anything is asked that it is given to', async () => {
  const result = await ran('a = get(1)\nb = get(locals()["a"])\nanswer(b)');
  expect(result).toMatchObject({ status: 'done', answer: 'got got 1' });
});

test.each([
  ['locals(1)', /locals/],
  ['messages(1)', /messages takes no arguments/],
  ['attempt(locals)', /got locals, want a function/],
])('%s is refused', async (text, message) => {
  const { status, error } = await ran(text);
  expect({ status, message: error?.message }).toEqual({
    ...{ status: 'failed', message: expect.stringMatching(message) },
  });
});

const said = [
  { role: 'user', content: 'Name a river.' },
  { role: 'assistant', content: 'Loire' },
];

test('messages are what the run was given of the conversation', async () => {
  const text = 'm = messages()\nm.append(1)\nanswer([messages()[-1]["content"], len(messages())])';
  expect(await ran(text, { conversation: said })).toMatchObject({ answer: ['Loire', 2] });
  const inside = 'def f(x):\n  return [m["role"] for m in messages()]\nanswer(parallel(f, [1]))';
  expect(await ran(inside, { conversation: said })).toMatchObject({
    answer: [['user', 'assistant']],
  });
});

test('messages are none where nothing was said', async () => {
  expect(await ran('answer(messages())')).toMatchObject({ status: 'done', answer: [] });
});
