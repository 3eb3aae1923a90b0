/** What a model that takes one action at a time writes, and what is made of it. */
import { expect, test } from 'vitest';
import { keyOf, readAction } from '../../../src/planner/tasks/action-reply.ts';
import { offersOf, readNative } from '../../../src/planner/tasks/native-action.ts';
import { toJson } from '../../../src/program/json.ts';
import { named } from '../scripted.ts';

const environment = {
  tools: new Map([named('search', 'query'), named('get.weather/now', 'city', 'days')]),
  inputs: [],
};

const read = (text: string) => {
  const reading = readAction(text, environment);
  if (!reading.ok) return reading.problem;
  const { thought, calls, answer } = reading.value;
  const [call] = calls;
  if (!call) return { thought, answer: answer?.value };
  const { tool, args, problem } = call;
  const given = typeof args === 'object' && args && 'value' in args ? args.value : null;
  return { thought, tool, args: toJson(given as never), problem };
};

test.each([
  [
    'Thought: a\nAction: search[Mount Everest]',
    { thought: 'a', tool: 'search', args: { query: 'Mount Everest' }, problem: '' },
  ],
  [
    'Ich suche danach.\nAction: search[Everest]',
    { thought: 'Ich suche danach.', tool: 'search', args: { query: 'Everest' }, problem: '' },
  ],
  ['Action: search("a", )', expect.objectContaining({ tool: 'search' })],
  [
    'Thought: of $5\nAction: search["$5 and ${1}"]',
    { thought: 'of $5', tool: 'search', args: { query: '$5 and ${1}' }, problem: '' },
  ],
  ['Action: Finish[$5 (or $6)]', { thought: '', answer: '$5 (or $6)' }],
  ['Thought: done\nAction: Finish["yes"]', { thought: 'done', answer: 'yes' }],
  ['Action: Finish[two\nlines]', { thought: '', answer: 'two\nlines' }],
  ['Thought: done\nFinal Answer: $5', { thought: 'done', answer: '$5' }],
  ['Pensée : fini\nRéponse finale : deux\nlignes', { thought: 'fini', answer: 'deux\nlignes' }],
  ['Final Answer:', 'got an answer without words, want one'],
  ['Thought: a\nAction: search[b]\nFinal Answer: 42', expect.objectContaining({ tool: 'search' })],
  ['Action: Finish[]', 'got Finish without an answer, want one'],
  ['It is 42.', expect.stringContaining('got no action')],
  ['', expect.stringContaining('got no action')],
])('%j', (text, found) => {
  expect(read(text)).toEqual(found);
});

test('a reply that begins with all earlier turns is read behind them', () => {
  const done = ['search[Everest]', 'search["Mount Everest"]'];
  const first = 'Thought: a\nAction: search[Everest]\nObservation: none\n';
  const second = 'Thought: b\nAction: search["Mount Everest"]\nObservation: 8,848\n';
  const taken = (text: string) => {
    const reading = readAction(text, environment, done);
    return reading.ok && [reading.value.calls[0]?.action, reading.value.answer, reading.mended];
  };
  const left = ['it wrote the earlier turns again; they were left out'];
  expect(taken(`${first}${second}Thought: c\nAction: Finish[8848]`)).toEqual([
    ...[undefined, { value: '8848' }, left],
  ]);
  expect(taken(`${first}${second}Action: search[c]\nObservation: x\nAction: Finish[x]`)).toEqual([
    ...['search[c]', null, [...left, 'it wrote an observation itself, which was left out']],
  ]);
  for (const text of [`${first}Action: Finish[8848]`, `${first}${second}`]) {
    expect(taken(text)).toMatchObject({ 0: 'search[Everest]', 1: null });
  }
});

test('calls are equal whatever the order of their arguments', () => {
  expect(keyOf('t', { a: 1, b: [2] })).toBe(keyOf('t', { b: [2], a: 1 }));
  expect(keyOf('t', { a: [{ b: 1, c: 2 }] })).toBe(keyOf('t', { a: [{ c: 2, b: 1 }] }));
  expect(keyOf('t', { a: 1 })).not.toBe(keyOf('t', { a: '1' }));
});

test('tools have names that every provider takes, and come back under their own', () => {
  const offers = offersOf(environment.tools);
  expect(offers.map(({ name }) => name)).toEqual(['search', 'get_weather_now']);
  const call = { id: '1', name: 'get_weather_now', args: { city: 'Nice' } };
  const reply = { text: '', calls: [call], finishReason: 'other', usage: none } as const;
  expect(readNative(reply, environment.tools, environment.tools).calls).toMatchObject([
    { tool: 'get.weather/now', args: { city: 'Nice' }, native: call, problem: '' },
  ]);
});

const none = { modelCalls: 1, inputTokens: 0, outputTokens: 0 };

test.each([
  ['serch', { query: 'x' }, 'did you mean search?'],
  ['search', '{"query": ', 'want a JSON object'],
])('a native call of %s with %j says what is wrong', (name, args, words) => {
  const reply = {
    text: '',
    calls: [{ id: '1', name, args }],
    finishReason: 'other',
    usage: none,
  } as const;
  const [call] = readNative(reply, environment.tools, environment.tools).calls;
  expect(call?.problem).toContain(words);
});
