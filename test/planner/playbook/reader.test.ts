/** A reply while it arrives: which objects it holds, whatever the pieces are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReadItem, ReplyReader } from '../../../src/planner/playbook/reply/reader.ts';

const readIn = (pieces: readonly string[], isCut = false): readonly ReadItem[] => {
  const reader = new ReplyReader();
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end(isCut)];
};

/** In short: objects as JSON, `! problem` of what is broken, `~ text` of words. */
const shortly = (items: readonly ReadItem[]): string[] =>
  items.map((item) => {
    if (item.is === 'object') return `${item.repair ? '* ' : ''}${JSON.stringify(item.data)}`;
    return item.is === 'broken' ? `! ${item.problem}` : `~ ${item.text}`;
  });

const at = '{"at":"04"}';
const hi = '{"say":"Hi"}';

/** Name, reply, and what is read of it. */
const replies: readonly (readonly [string, string, readonly string[]])[] = [
  ['an object a line', `${at}\n${hi}\n`, [at, hi]],
  ['no line break at the end', `${at}\n${hi}`, [at, hi]],
  ['objects in one line', `${at} ${hi}`, [at, hi]],
  ['carriage returns', `${at}\r\n${hi}\r\n`, [at, hi]],
  ['an array', `[${at},${hi}]`, [at, hi]],
  ['an array over lines', `[\n  ${at},\n  ${hi}\n]`, [at, hi]],
  ['an object around all', `{"operations":[${at},${hi}]}`, [at, hi]],
  ['an object around all, over lines', `{\n "operations" : [\n  ${at},\n  ${hi}\n ]\n}`, [at, hi]],
  ['an object around all, in a fence', `\`\`\`json\n{"operations":[${hi}]}\n\`\`\``, [hi]],
  ['an object around nothing', '{"operations": []}', []],
  [
    'an object around all that is cut off',
    `{"operations":[${at},{"say":"H`,
    [at, '! it is never closed'],
  ],
  ['words before an object around all', `Sure! {"operations":[${at}]}`, ['~ Sure!', at]],
  [
    'a value with its key',
    '{"set":{"operations":[{"a":1}]}}',
    ['{"set":{"operations":[{"a":1}]}}'],
  ],
  ['an operation whose key begins like it', '{"operation":["a"]}', ['{"operation":["a"]}']],
  ['a fence', `\`\`\`json\n${at}\n${hi}\n\`\`\``, [at, hi]],
  ['an object over lines', '{\n  "at": "04"\n}\n{\n  "say": "Hi"\n}', [at, hi]],
  ['nested data', '{"set":{"a":{"b":[{"c":1}]}}}', ['{"set":{"a":{"b":[{"c":1}]}}}']],
  ['brackets in texts', '{"say":"}{ ]["}', ['{"say":"}{ ]["}']],
  ['escaped quotes', '{"say":"a \\"b\\" \\\\"}', ['{"say":"a \\"b\\" \\\\"}']],
  ['words around', `Sure!\n${at}\nDone {so far}.`, ['~ Sure!', at, '~ Done {so far}.']],
  ['words alone', 'Hello, {name}!', ['~ Hello, {name}!']],
  ['a list of the page', `- ${at}\n- ${hi}`, [at, hi]],
  ['nothing', ' \n ', []],
  ['thoughts', `<think>perhaps ${hi}</think>\n${at}`, [at]],
  ['thoughts with another mark', `<reasoning>x</reasoning>${at}`, [at]],
  ['thoughts in the middle', `${at}\n<think>\n${hi}\n</think>\n${hi}`, [at, hi]],
  ['a thought that nothing opens', `I shall.\n</think>\n${at}`, [at]],
  ['a thought that nothing closes', `<think>${at}`, []],
  ['less-than signs', `one < two\n${at}`, ['~ one < two', at]],
  ['a comma too many', '{"at":"04",}', [`* ${at}`]],
  [
    'a text that is never closed',
    `{"say":"Hi\n${at}`,
    ['! got a line break within a text, want \\n', at],
  ],
  ['a bracket that is missing', `{"at":"04"\n${hi}`, ['! a bracket is missing at its end', hi]],
  [
    'an object that ends too early',
    `{"say":"use "}" here"}\n${at}`,
    ['! something follows it in its line', at],
  ],
  ['an object that never ends', '{"set":{"a":1}', ['! it is never closed']],
  ['a key twice', '{"say":"a","say":"b"}', ['! got the key "say" twice, want two lines']],
  ['what is not JSON', `{"at" "04"}\n${hi}`, ['! got ", want a colon after the key "at"', hi]],
];

describe('a reply with', () => {
  test.each(replies)('%s', (_, reply, read) => {
    expect(shortly(readIn([reply]))).toEqual(read);
  });

  test.each(replies)('%s, whatever the pieces', (_, reply) => {
    const whole = readIn([reply]);
    expect(readIn(reply.split(''))).toEqual(whole);
    const cuts = fc.array(fc.nat({ max: reply.length }), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places, reply.length].toSorted((a, b) => a - b);
        const pieces = ends.map((end, index) => reply.slice(ends[index - 1] ?? 0, end));
        expect(readIn(pieces)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});

test('any mixture of operations, words and marks reads the same in any pieces', () => {
  const lines = fc.oneof(
    fc.constantFrom(at, hi, '[', ']', ',', '```', '<think>', '</think>', '{"a', '}', 'Well', '"'),
    fc.constantFrom('{"operations":[', '{ "operations"', ' : [', ']}', '{"oper'),
    fc.json({ maxDepth: 2 }),
    fc.string({ unit: fc.constantFrom(...'{}[]"\\\n,:a<>/ '), maxLength: 12 }),
  );
  const text = fc.array(lines, { maxLength: 8 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (reply, places) => {
      const ends = [...places.filter((one) => one < reply.length), reply.length];
      const sorted = ends.toSorted((a, b) => a - b);
      const pieces = sorted.map((end, index) => reply.slice(sorted[index - 1] ?? 0, end));
      expect(readIn(pieces)).toEqual(readIn([reply]));
    }),
  );
});

test('operations within one object read as they do line by line, in any pieces', () => {
  const operation = fc.dictionary(
    fc.constantFrom('say', 'note', 'set'),
    fc.jsonValue({ maxDepth: 2 }),
    {
      minKeys: 1,
    },
  );
  const places = fc.array(fc.nat({ max: 400 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), places, (operations, cuts) => {
      const reply = JSON.stringify({ operations });
      const ends = [...cuts.filter((one) => one < reply.length), reply.length];
      const sorted = ends.toSorted((a, b) => a - b);
      const pieces = sorted.map((end, index) => reply.slice(sorted[index - 1] ?? 0, end));
      const lines = operations.map((one) => JSON.stringify(one)).join('\n');
      expect(readIn(pieces)).toEqual(readIn([lines]));
    }),
  );
});

test('what was cut off in the middle is not read', () => {
  expect(shortly(readIn([`${at}\n{"say":"Hel`], true))).toEqual([at]);
});

test('an object is read once its line ends', () => {
  const reader = new ReplyReader();
  expect(reader.feed(at)).toEqual([]);
  expect(shortly(reader.feed('\n'))).toEqual([at]);
});

test('large numbers keep all of their digits', () => {
  const [item] = readIn(['{"set":{"n":12345678901234567890}}']);
  expect(item).toMatchObject({ data: { set: { n: 12345678901234567890n } } });
});
