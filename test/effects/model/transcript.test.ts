/** How transcripts are read, and which reply a request gets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../../src/effects/model/model.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import { keyOf, matches, parseTranscript } from '../../../src/effects/model/replay.ts';
import { attempt } from '../../support/attempt.ts';
import { textOf } from '../../support/repo.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-transcript-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function replay(...lines: readonly unknown[]): Model {
  const file = join(folder, `tape-${files++}.ndjson`);
  writeFileSync(file, lines.map((line) => textOfLine(line)).join('\n'));
  return openModel(`replay/${file}`, { env: {} });
}

const textOfLine = (line: unknown): string =>
  typeof line === 'string' ? line : JSON.stringify(line);

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] });

async function answers(model: Model, ...prompts: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const prompt of prompts) texts.push((await model.complete(ask(prompt), attempt())).text);
  return texts;
}

const recorded = (content: string, text: string, more: object = {}): object => ({
  key: keyOf(ask(content)),
  request: ask(content),
  reply: { text },
  ...more,
});

describe('a pattern', () => {
  test.each([
    ['What?', 'What?', true],
    ['What?', ' What?\n', true],
    ['What?', 'What? Now!', false],
    ['What*', 'What? Now!', true],
    ['*Now!', 'What? Now!', true],
    ['*', 'anything\nat all', true],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['*a*a*', 'a', false],
    ['2 \\* 3', '2 * 3', true],
    ['2 \\* 3', '2 + 3', false],
    ['(.*)+$', 'x', false],
  ])('%j against %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('agrees with the regular expression that it stands for', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(texts, texts, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's');
        expect(matches(pattern, text)).toBe(expression.test(text));
      }),
    );
  });
});

describe('a key', () => {
  test('does not depend on the order of keys, nor on what is not sent', () => {
    const schema = { type: 'object', required: ['a'] };
    const turned = { required: ['a'], type: 'object' };
    const one = { ...ask('x'), format: { kind: 'json', schema } } as const;
    const two = { ...ask('x'), format: { schema: turned, kind: 'json' }, prompt: 'x' } as const;
    expect(keyOf(one)).toBe(keyOf(two));
  });

  test('depends on roles, contents, their order and the format', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ] as const;
    const requests: ModelRequest[] = [
      { messages },
      { messages: [...messages].reverse() },
      { messages: [{ role: 'user', content: 'a\nassistant: b' }] },
      { messages, format: { kind: 'json' } },
      { messages, format: { kind: 'json', keys: ['a'] } },
    ];
    expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
  });
});

describe('of the lines', () => {
  test('a recorded one goes before a written one, and an exact one before a pattern', async () => {
    const model = replay(
      { prompt: '*', reply: 'any' },
      { prompt: 'b*', reply: 'pattern' },
      { prompt: 'b', reply: 'exact' },
      { prompt: 'a', reply: 'written' },
      recorded('a', 'recorded'),
    );
    expect(await answers(model, 'a', 'b', 'bb', 'c')).toEqual(['recorded', 'exact', 'any', 'any']);
  });

  test('the k-th answers the k-th equal request, and the last one all that follow', async () => {
    const model = replay(
      { prompt: 'a*', reply: 'one' },
      recorded('b', 'second', { turn: 2 }),
      recorded('b', 'first', { turn: 1 }),
      { prompt: 'a*', reply: 'two' },
    );
    expect(await answers(model, 'a1', 'a2', 'a3', 'b', 'b', 'b')).toEqual([
      'one',
      'two',
      'two',
      'first',
      'second',
      'second',
    ]);
  });

  test('those of the same effect go first, whatever the order of the requests', async () => {
    const lines = [
      recorded('a', 'for 0#1', { turn: 1, effect: '0#1' }),
      recorded('a', 'for 0#2', { turn: 2, effect: '0#2' }),
      recorded('a', 'for 0#2 again', { turn: 3, effect: '0#2' }),
    ];
    const model = replay(...lines);
    const texts = await Promise.all(
      ['0#2', '0#1', '0#2', '0#2', '0#1'].map((effect) =>
        model.complete(ask('a'), attempt({ effect })).then(({ text }) => text),
      ),
    );
    expect(texts).toEqual(['for 0#2', 'for 0#1', 'for 0#2 again', 'for 0#2 again', 'for 0#1']);
    // An effect that was never recorded counts through all of them.
    const other = replay(...lines);
    const [first, second] = await Promise.all([
      other.complete(ask('a'), attempt({ effect: '0#8' })),
      other.complete(ask('a'), attempt({ effect: '0#9' })),
    ]);
    expect([first?.text, second?.text]).toEqual(['for 0#1', 'for 0#2']);
  });

  test('the prompt is found although the message wraps it', async () => {
    const model = replay({ prompt: 'Is it even?', reply: { result: true } });
    const request = {
      ...ask('<context>42</context>\nIs it even?\nAnswer so.'),
      prompt: 'Is it even?',
    };
    expect(await model.complete(request, attempt())).toMatchObject({ text: '{"result":true}' });
  });
});

test('a reply arrives in pieces and says what it used', async () => {
  const model = replay(
    recorded('a', 'one two  three', {
      reply: { text: 'one two  three', usage: { inputTokens: 7, outputTokens: 3 } },
    }),
    { prompt: 'twelve chars', reply: 'x'.repeat(8) },
  );
  const context = attempt();
  await model.complete(ask('a'), context);
  await model.complete(ask('twelve chars'), context);
  expect(context.pieces).toEqual(['one ', 'two  ', 'three', 'xxxxxxxx']);
  expect(context.used).toEqual([
    { modelCalls: 1, inputTokens: 7, outputTokens: 3, cost: 0 },
    { modelCalls: 1, inputTokens: 3, outputTokens: 2, cost: 0 },
  ]);
});

test('a reply that was cut off is replayed as one', async () => {
  const reply = { text: 'and then', finishReason: 'length' };
  const context = attempt();
  expect(await replay(recorded('a', '', { reply })).complete(ask('a'), context)).toMatchObject(
    reply,
  );
  expect(context.warnings).toEqual([expect.stringContaining('cut off')]);
});

test('a paced reply ends when it is aborted', async () => {
  const file = join(folder, 'paced.ndjson');
  writeFileSync(file, '{"prompt": "*", "reply": "one two three"}');
  const model = openModel(`replay/${file}`, { env: {}, paceMs: 1_000_000 });
  const context = attempt();
  const pieces: string[] = [];
  const progress = (text: string): void => {
    pieces.push(text);
    context.abort(new Error('enough'));
  };
  await expect(model.complete(ask('a'), { ...context, progress })).rejects.toThrow();
  expect(pieces).toEqual(['one ']);
});

describe('a request that has no reply', () => {
  async function missOf(model: Model, request: ModelRequest): Promise<string> {
    const error = await model.complete(request, attempt()).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'EffectFailure', code: 'PV4402', retryable: false });
    return `${error.message}\n${error.hint}`.replaceAll(folder, '');
  }

  test('is shown beside the nearest recorded one', async () => {
    const text = 'Given what is known, what is the population of the capital of';
    const model = replay(
      recorded('Something else entirely', 'x'),
      recorded(`${text} Germany? Be brief.`, 'y'),
      { prompt: 'Hello*', reply: 'z' },
    );
    expect(await missOf(model, ask(`${text} France? Be brief.`))).toMatchInlineSnapshot(`
      "/tape-7.ndjson has no reply for this request; the nearest is line 2, and they part at:
        asked:    "…n of the capital of France? Be brief."
        recorded: "…n of the capital of Germany? Be brief."
      record again with --record and a real model, or add a line: {"prompt":"Given what is known, what is the population of the capital of France? Be brief.","reply":"…"}"
    `);
  });

  test('is shown beside the nearest written one', async () => {
    const model = replay('// a comment', '', { prompt: 'Hello, world*', reply: 'z' });
    expect(await missOf(model, ask('Hello, moon'))).toMatchInlineSnapshot(`
      "/tape-8.ndjson has no reply for this request; the nearest is line 3, and they part at:
        asked:    "Hello, moon"
        recorded: "Hello, world*"
      record again with --record and a real model, or add a line: {"prompt":"Hello, moon","reply":"…"}"
    `);
  });

  test('that differs in its format only', async () => {
    const model = replay(recorded('a', 'x'));
    const message = await missOf(model, { ...ask('a'), format: { kind: 'json', keys: ['k'] } });
    expect(message).toMatch(/asked: .*format: .*keys/);
  });

  test('in an empty file', async () => {
    expect(await missOf(replay(''), ask('a'))).toContain('it is empty');
  });
});

describe('a line is refused', () => {
  test.each([
    ['{"prompt": "a", "reply": "b"', ':1:29: not JSON'],
    ['{"prompt": "a" "reply": "b"}', ':1:16: not JSON'],
    ['[1]', ':1:1: got JSON that is not an object'],
    ['{}', 'got an object with no keys, want "prompt" or "key"'],
    ['{"promt": "a", "reply": "b"}', 'got an object with promt, reply'],
    ['{"prompt": 1, "reply": "b"}', 'want "prompt" or "key", a string'],
    ['{"prompt": "a"}', 'got no "reply", or an empty one'],
    ['{"prompt": "a", "reply": ""}', 'got no "reply", or an empty one'],
    ['{"prompt": "a", "reply": "b", "model": "c"}', 'got "model" beside "prompt"'],
    ['{"key": "a"}', 'got no "reply" with a "text"'],
    ['{"key": "a", "reply": {"text": ""}}', 'got no "reply" with a "text"'],
    ['{"key": "a", "turn": "1", "reply": {"text": "b"}}', 'got a "turn" that is not a number'],
  ])('%s', (line, problem) => {
    expect(() => parseTranscript(line, 'tape.ndjson')).toThrow(
      expect.objectContaining({ code: 'PV4401', message: expect.stringContaining(problem) }),
    );
  });

  test('with the number of its line and a suggestion', () => {
    const text = '\uFEFF// one\n\n{"prompt": "a", "reply": "b"}\r\n{"promt": "a"}\n';
    expect(() => parseTranscript(text, 'tape.ndjson')).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^tape\.ndjson:4:1: /),
        hint: 'did you mean "prompt"?',
      }),
    );
  });

  test('as is a file that is not there', () => {
    expect(() => openModel('replay/nowhere.ndjson', { env: {} })).toThrow(
      expect.objectContaining({ code: 'PV4400', message: expect.stringContaining('nowhere') }),
    );
  });
});

test('the example of the reference page answers', async () => {
  const [, example = ''] =
    /```ndjson\n([\s\S]*?)```/.exec(textOf('docs/reference/transcripts.md')) ?? [];
  expect(
    await answers(
      replay(example),
      'What is the capital of France?',
      'Is Paris the capital of France?',
      'And its population?',
    ),
  ).toEqual([
    'Paris',
    '{"result":true,"explanation":"It has been since 1944."}',
    'About two million.',
  ]);
});

test('a replayed model is called the same wherever its file lies', () => {
  expect(replay(recorded('a', 'b')).name).toMatch(/^replay\/tape-\d+\.ndjson$/);
});
