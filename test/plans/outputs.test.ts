/** Where results go: a variable, several by key, nowhere; from data and from text. */
import { describe, expect, test } from 'vitest';
import { retrieveHandlers } from '../../src/effects/retrieve/handlers.ts';
import { quickTool } from '../engine/support.ts';
import { answer, call, look, play, set, step } from './stage.ts';

const giving = (value: unknown) => ({ tools: [quickTool('give', () => value)] });
const plan = (to: unknown, shown: unknown) => [call(0, 'give', {}, to), answer(1, shown)];

describe('output_vars', () => {
  test.each([
    ['text takes all of it', 'a', { b: 1 }, '${a}', { b: 1 }],
    ['text takes text', 'a', 'words', '${a}', 'words'],
    ['text takes null', 'a', null, '${a}', null],
    ['text takes 0', 'a', 0, 'is ${a}', 'is 0'],
    ['two keys of data', ['a', 'b'], { a: 1, b: [2.5], c: 3 }, '${a} ${b}', '1 [2.5]'],
    ['two keys of JSON text', ['a', 'b'], '{"a": 1, "b": "}"}', '${a}${b}', '1}'],
    [
      'two keys of a fence in prose',
      ['a', 'b'],
      'Sure {thing}:\n```json\n{"a": "x", "b": {"c": "[y]"}}\n```\nDone.',
      '${a}${b.c}',
      'x[y]',
    ],
    ['two keys of python', ['a', 'b'], "{'a': True, 'b': None}", ['${a}', '${b}'], [true, null]],
    ['keys with null', ['a', 'b'], { a: null, b: false }, ['${a}', '${b}'], [null, false]],
    ['one key of data', ['a'], { a: { deep: 1 }, b: 2 }, '${a.deep}', 1],
    ['one key of JSON text', ['a'], '```json\n{"a": [1]}\n```', '${a}', [1]],
    ['one name, no such key', ['a'], { b: 2 }, '${a}', { b: 2 }],
    ['one name, a list', ['a'], [{ a: 5 }, { a: 6 }], '${a[1].a}', 6],
    ['one name, plain text', ['a'], 'It is {late}.', '${a}', 'It is {late}.'],
    ['one name, a number', ['a'], 7, '${a}', 7],
    ['nothing', [], 'lost', 'x', 'x'],
    ['null', null, 'lost', 'x', 'x'],
    ['the same name twice', ['a', 'a'], { a: 1 }, '${a}', 1],
  ])('%s', async (_, to, value, shown, expected) => {
    const played = await play(plan(to, shown), giving(value));
    expect(played).toMatchObject({ status: 'done', answer: expected, checked: [] });
  });

  test('absent: the result is dropped', async () => {
    const played = await play([call(0, 'give', {}), answer(1, 'x')], giving('lost'));
    expect(played).toMatchObject({ answer: 'x', variables: { final_answer: 'x' } });
  });

  test('a key that is missing fails, names what is there, and sets none of them', async () => {
    const played = await play(plan(['a', 'totl'], 'x'), giving({ a: 1, total: 2 }));
    expect(played).toMatchObject({ status: 'failed', answer: null, variables: {} });
    expect(played.error).toMatchObject({
      code: 'PV3005',
      step: '0',
      hint: 'did you mean "total"?',
    });
    expect(played.error?.message).toBe('got the keys "a", "total", want the key "totl"');
  });

  test('two keys of words fail and say what came', async () => {
    const played = await play(plan(['a', 'b'], 'x'), giving('I cannot.'));
    expect(played.error).toMatchObject({ code: 'PV3005', step: '0' });
    expect(played.error?.message).toContain('only prose');
  });

  test('an object, a number, an empty name are errors of check', () => {
    for (const to of [{ a: 'b' }, 7, '', ['a', ''], ['a', 1]]) {
      const { ok, checked } = look(plan(to, 'x'), giving(0));
      expect(ok).toBe(false);
      expect(checked).toContain('PV2112! 0');
    }
  });
});

describe('a model', () => {
  const asking = (to: unknown, format?: unknown) => [
    call(0, 'llm_generate', { prompt: 'Go.', response_format: format }, to),
    answer(1, '${a}'),
  ];

  test('is told two keys, and asked again with what is wrong with its answer', async () => {
    const played = await play(asking(['a', 'b']), { model: ['No JSON.', '{"a": 1, "b": 2}'] });
    expect(played).toMatchObject({ answer: 1, variables: { a: 1, b: 2 } });
    expect(played.asked[0]).toContain('at least the keys "a" and "b"');
    expect(played.asked[1]).toContain('got only prose, want a JSON object');
    expect(played.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(played.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('was asked again'),
    ]);
  });

  test('that lacks one of two keys is asked again for it', async () => {
    const played = await play(asking(['a', 'b']), { model: ['{"a": 1}', '{"a": 1, "b": 2}'] });
    expect(played.asked[1]).toContain('got an object with "a", want the keys "a", "b"');
    expect(played.answer).toBe(1);
  });

  test('that answers with garbage twice fails with both answers', async () => {
    const played = await play(asking(['a', 'b']), { model: ['{"a": ', 'never'] });
    expect(played).toMatchObject({ status: 'failed', error: { code: 'PV4114', step: '0' } });
    expect(played.error?.message).toMatch(/"\{\\"a\\": ".*"never"/);
    expect(played.asked).toHaveLength(2);
  });

  test('of one name and no format answers as it likes', async () => {
    for (const text of ['Words.', '{"a": "Words."}', '```json\n{"a": "Words."}\n```']) {
      const played = await play(asking(['a']), { model: [text] });
      expect(played).toMatchObject({ answer: 'Words.', asked: ['Go.'] });
    }
  });

  test('of one name and a format is asked for JSON', async () => {
    const wanted = await play(asking(['a'], 'json'), { model: ['Words.', '{"a": "Words."}'] });
    expect(wanted).toMatchObject({ answer: 'Words.' });
    expect(wanted.asked).toHaveLength(2);
    expect(wanted.asked[0]).toContain('one JSON object with at least the key "a"');
    const other = await play(asking(['a'], 'json'), { model: ['[1, 2]'] });
    expect(other).toMatchObject({ answer: [1, 2] });
  });

  test('keeps unicode, braces and fences inside its JSON', async () => {
    const a = 'Ü 漢字 🎉 } ] ``` {"x": "\\"}" ${b} {{b}}';
    const fenced = `\`\`\`json\n${JSON.stringify({ a, b: '```js\nlet x = {};\n```' })}\n\`\`\``;
    const played = await play(asking(['a', 'b']), { model: fenced });
    expect(played).toMatchObject({ answer: a, variables: { b: '```js\nlet x = {};\n```' } });
  });
});

test('a later step may overwrite an output, and an earlier reader keeps its value', async () => {
  const played = await play(
    [
      set(0, { a: 'old' }),
      call(1, 'give', {}, 'a'),
      set(2, { kept: '${a}', a: 'newest' }),
      answer(3, '${kept}, ${a}'),
    ],
    giving('new'),
  );
  expect(played.answer).toBe('new, newest');
});

test('final_answer as one of several keys ends the run with it', async () => {
  const played = await play(
    [
      step(0, 'calling', { tool: 'give', params: {}, output_vars: ['why', 'final_answer'] }),
      set(1, { later: 1 }),
    ],
    giving({ why: 'w', final_answer: { n: 1 } }),
  );
  expect(played).toMatchObject({
    answer: { n: 1 },
    steps: ['0'],
    checked: ['PV2148 1', 'PV2150 1'],
  });
  expect(played.variables).toEqual({ why: 'w', final_answer: { n: 1 } });
});

describe('keys of another case', () => {
  const keys = (output_vars: unknown) => [
    step(0, 'calling', { tool: 'llm_generate', params: { prompt: 'p' }, output_vars }),
    answer(1, '${summary}'),
  ];

  test.each([['{"Summary": "s", "RISKS": "r"}'], ['```json\n{"SUMMARY": "s", "risks": "r"}\n```']])(
    'are read out of %s, with a warning',
    async (model) => {
      const played = await play(keys(['summary', 'risks']), { model });
      expect(played).toMatchObject({ answer: 's', variables: { risks: 'r' } });
      expect(played.warnings.map(({ message }) => message).join()).toMatch(
        /the key "S\w+", want "summary"/,
      );
      expect(played.asked).toHaveLength(1);
    },
  );

  test('give way to the key itself', async () => {
    const played = await play(keys(['summary', 'risks']), {
      model: '{"Summary": "no", "summary": "s", "risks": "r"}',
    });
    expect(played.answer).toBe('s');
    expect(played.warnings.map(({ message }) => message).join()).not.toContain('Summary');
  });
});

describe('a bound of a parameter', () => {
  const passages = (top_k: unknown) => [
    step(0, 'calling', {
      tool: 'vector_search',
      params: { query: 'q', top_k },
      output_vars: 'final_answer',
    }),
  ];
  const tools = retrieveHandlers(() => {
    throw new Error('nothing is searched here');
  });

  test.each([[0], [-1], [1000], [101]])('refuses top_k %j', (top_k) => {
    const { checked, diagnostics } = look(passages(top_k), { tools });
    expect(checked).toEqual(['PV2135! 0']);
    expect(diagnostics[0]?.message).toBe(`top_k: got ${top_k}, want at least 1 and at most 100`);
  });

  test.each([[1], [100], [5.0]])('takes top_k %j', (top_k) =>
    expect(look(passages(top_k), { tools }).checked).toEqual([]),
  );
});
