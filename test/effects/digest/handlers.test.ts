/** The effects of the loop that digests values: what each sends, and when it sends nothing. */
import { describe, expect, test } from 'vitest';
import { type Digesting, documentsOf } from '../../../src/effects/digest/document.ts';
import { digestHandlers, mergesMax } from '../../../src/effects/digest/handlers.ts';
import { digestSpecs } from '../../../src/effects/digest/specs.ts';
import type { ModelRequest } from '../../../src/effects/model/model.ts';
import { tokensIn } from '../../../src/effects/model/window.ts';
import type { Arguments } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

const long = (word: string): string => `${word} is said here. `.repeat(400);

interface World {
  readonly requests: ModelRequest[];
  perform(name: string, args?: Arguments): Promise<unknown>;
}

function world(
  changes: Partial<Digesting> = {},
  reply = (_: ModelRequest): string => 'a note',
): World {
  const { model, requests } = scriptedModel(reply, 'test/m');
  const on: Digesting = {
    ...{ model, settings: {}, instruction: 'Compare them.', goal: 'Buy one.', most: 2000 },
    documents: documentsOf([
      { text: long('Alpha'), source: 'a = get(1)' },
      { text: 'short', source: '' },
      { text: long('Beta'), source: 'b = get(2)' },
    ]),
    ...{ seed: 's', notes: new Map(), ...changes },
  };
  const handlers = digestHandlers(on);
  return {
    requests,
    async perform(name, args = {}) {
      const handler = handlers.find(({ spec }) => spec.name === name);
      if (!handler) throw new Error(`there is no ${name}`);
      return await handler.perform(args, attempt());
    },
  };
}

const part = { pieces: [[1, 0, 500]], number: 2, of: 9, tokens: 150 };

test('there is a handler for each declaration', () => {
  const names = digestHandlers({ ...base() }).map(({ spec }) => spec.name);
  expect(names).toEqual(digestSpecs.map(({ name }) => name));
});

const base = (): Digesting => ({
  model: { name: 'test/m', complete: () => Promise.reject(new Error('unused')) },
  ...{ settings: {}, documents: [], instruction: 'i', goal: '', most: 2000 },
  ...{ seed: 's', notes: new Map() },
});

test('every message has the whole instruction, and fits', async () => {
  const { perform, requests } = world();
  const { chains } = (await perform('survey')) as { chains: { parts: unknown[][] }[] };
  expect(chains).toHaveLength(2);
  for (const pieces of chains.flatMap(({ parts }) => parts)) {
    await perform('read_part', { ...part, pieces });
  }
  await perform('merge_notes', { documents: [1], notes: ['x', 'y'], tokens: 100, round: 1 });
  await perform('conclude', { materials: [{ documents: [1], notes: ['n'] }, { documents: [2] }] });
  for (const { messages } of requests) {
    expect(messages.at(-1)?.content).toContain('Compare them.');
    expect(tokensIn(messages)).toBeLessThanOrEqual(2000);
  }
  const sent = requests.slice(0, -2).map(({ messages }) => messages[0]?.content ?? '');
  expect(sent.every((text) => text.includes('Alpha') !== text.includes('Beta'))).toBe(true);
  expect(sent[0]).toMatch(/^Characters 0 to \d+ of 8000 of value 1 of 3, from: a = get\(1\)\n/);
});

describe('a part', () => {
  test('that was read for the same instruction is not sent again', async () => {
    const notes = new Map();
    const first = world({ notes });
    const second = world({ notes });
    const other = world({ notes, instruction: 'Translate them.' });
    expect(await first.perform('read_part', part)).toEqual(await second.perform('read_part', part));
    await other.perform('read_part', part);
    expect([first, second, other].map(({ requests }) => requests.length)).toEqual([1, 0, 1]);
  });

  test('whose notes are long gives several, so that each can be put together', async () => {
    const { perform } = world({}, () => long('Note'));
    const notes = (await perform('read_part', part)) as { text: string; tokens: number }[];
    expect(notes.length).toBeGreaterThan(1);
    expect(notes.map(({ text }) => text).join('')).toBe(long('Note'));
    expect(Math.max(...notes.map(({ tokens }) => tokens))).toBeLessThan(1000);
  });
});

test('notes that do not get shorter are given up after so many rounds', async () => {
  const { perform, requests } = world();
  const args = { documents: [1], notes: ['x'.repeat(900)], tokens: 100 };
  await expect(perform('merge_notes', { ...args, round: mergesMax + 1 })).rejects.toMatchObject({
    code: 'PV4162',
    message: expect.stringContaining('about 300 tokens, want 100'),
  });
  expect(requests).toEqual([]);
});

test('what is drawn at random hangs on the seed alone', async () => {
  const answer = (): string => '{"all": false, "why": "one thing"}';
  const drawn = async (seed: string): Promise<unknown> => {
    const { perform, requests } = world({ seed }, answer);
    const found = await perform('needed');
    expect(requests[0]?.messages.at(-1)?.content).toContain('for this goal: Buy one.');
    return found;
  };
  expect(await drawn('s')).toEqual(await drawn('s'));
  expect(await drawn('s')).not.toEqual(await drawn('t'));
  expect(await drawn('s')).toMatchObject({ all: false, why: 'one thing' });
});

test('passages are picked by instruction and goal, and sent in their order', async () => {
  const text = `${long('Filler')}The price to buy is 3. ${long('Filler')}Compare with care. ${long('More')}`;
  const { perform, requests } = world({ documents: documentsOf([{ text, source: 'd = get()' }]) });
  const found = (await perform('pick_passages', { documents: [1], tokens: 900 })) as {
    passages: [number, number, number][];
    left_out: [number, number, number][];
  };
  const all = [...found.passages, ...found.left_out].sort((a, b) => a[1] - b[1]);
  expect(all.map(([, from, to]) => text.slice(from, to)).join('')).toBe(text);
  await perform('conclude', { materials: [{ documents: [1], passages: found.passages }] });
  const sent = requests[0]?.messages[0]?.content ?? '';
  expect(sent.indexOf('The price to buy')).toBeGreaterThan(0);
  expect(sent.indexOf('Compare with care')).toBeGreaterThan(sent.indexOf('The price to buy'));
  expect(sent).toContain('\n[…]\n');
});

test('an instruction that leaves no room for values is refused', () => {
  const on = { ...base(), instruction: 'x'.repeat(5500) };
  expect(() => digestHandlers(on)).toThrow(
    expect.objectContaining({ code: 'PV4160', mayHaveActed: false }),
  );
});
