/** Streaming and whole texts give the same items, for every cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../../src/dialects/llmcompiler/item.ts';
import { PlanReader, readItems } from '../../../src/dialects/llmcompiler/reader.ts';

const texts = [
  'Question: x?\n\nThought: (first) look\n1. Search["a", b]\nObservation: 3. search("inj")\n\n' +
    'Thought: more\n2. Table[["A"], [["B", $1]]]  # as (it) is\n3. join()\n<END_OF_PLAN>\nbye',
  '1. math("max speed?", ["$1"]\n2. search("a\n  2. any("b")\nc")\r\n3) any(1), 4. any(2)\n$5 = any(x',
  '1. search["x")\n2. search("he said "hi" to me")\nAction: search\nAction Input: {"query": "a"}\n',
  '1. search("abc)\nThought: foo\nbar\n2. search("b")\n```\n<think>\n1. any(1)\n</think>2. join(',
  'Action: NodeStatus()\nAction ID: 1\nPensée : (oui)\njoin()<END_OF_PLAN> 4. search("x")\n- 3. sea',
];

/** Pieces of plans, in any order: most of them wrong. */
const fragment = fc.constantFrom(
  ...['1. search(', '2. any[', '"', "'", '"a b"', '[', ']', '(', ')', '{', '}', ',', '$1', `\${2}`],
  ...['\n', '\n', '\n3. join()', '\nThought: ', '\nObservation: ', '\nAction: any[', ' # c', '\\'],
  ...[
    '<END_OF_PLAN>',
    '```',
    '<think>',
    '</think>',
    'join()',
    '\r\n',
    ':',
    '=',
    'x',
    ' ',
    '4) a.b(',
  ],
);

function inPieces(pieces: readonly string[]): Item[] {
  const reader = new PlanReader();
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((at) => at % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

test.each(texts)('one character at a time: %j', (text) => {
  const whole = readItems(text);
  expect(whole.length).toBeGreaterThan(2);
  expect(inPieces([...text])).toEqual(whole);
  expect(inPieces(text.split(/(?<=\n)/))).toEqual(whole);
});

test('any text, cut anywhere', () => {
  const text = fc.oneof(
    fc.constantFrom(...texts),
    fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (all, cuts) => {
      expect(inPieces(cut(all, cuts))).toEqual(readItems(all));
    }),
    { numRuns: 2000 },
  );
});

test('a task is there with the line in which it ends', () => {
  const reader = new PlanReader();
  expect(reader.feed('Thought: a\n1. search("x",\n')).toMatchObject([{ kind: 'thought' }]);
  expect(reader.feed('2)')).toEqual([]);
  expect(reader.feed('\n2. join(')).toMatchObject([{ kind: 'task', id: '1', thought: 'a' }]);
  expect(reader.feed(') # (why)')).toEqual([]);
  expect(reader.end()).toMatchObject([{ kind: 'join', id: '2' }, { kind: 'comment' }]);
});
