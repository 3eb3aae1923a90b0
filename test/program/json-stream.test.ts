/** A text that arrives in pieces reads as the whole text does, wherever it is cut. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonNode } from '../../src/text/json-node.ts';
import { JsonStream, type ReadText, readJson, readModelJson } from '../../src/text/json-text.ts';
import { sampledRuns } from '../support/depth.ts';

/** Feeds the pieces; the elements in the order of their arrival, and the result. */
function streamed(pieces: readonly string[], bytesMax?: number) {
  const stream = new JsonStream(bytesMax === undefined ? {} : { bytesMax });
  const elements = pieces.flatMap((piece) => stream.push(piece));
  const { elements: last, result } = stream.end();
  return { elements: [...elements, ...last], early: elements.length, result };
}

/** The text cut at the given places. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

/** The data of a node, as JSON.parse would give it. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind !== 'object') return node.kind === 'int' ? Number(node.value) : node.value;
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
}

const word = fc.constantFrom(
  '<think>',
  '</think>',
  '<answer>',
  '</answer>',
  '```',
  '```json\n',
  '```python\n',
  '\n',
  ' ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '“',
  ',',
  ':',
  '//',
  '/*',
  '*/',
  '#',
  '...',
  '\\',
  '\\u00',
  'null',
  'True',
  'NaN',
  '1',
  '-',
  '.5',
  'e',
  'plan',
  '"plan":[',
  '{"a":1}',
  '[{"a":1},',
  '{"b":"]"}',
  '"""',
  'é',
  '😀',
  '$',
  '=',
  '+',
  '" + "',
  '" "',
  ' % ',
  '.format(',
  ' if a else ',
);

const prose = fc.oneof(
  fc.constant(''),
  fc.array(word, { maxLength: 6 }).map((words) => words.join('')),
  fc.lorem({ maxCount: 3 }),
  fc.constant('long '.repeat(150)),
);

const json = fc.oneof(
  fc
    .array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })))
    .map((plan) => JSON.stringify(plan)),
  fc
    .array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1 })
    .map((plan) => JSON.stringify({ plan }, null, 1)),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  fc
    .array(fc.record({ seq_no: fc.nat(), type: fc.string(), text: fc.string({ unit: word }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((plan) => JSON.stringify(plan)),
);

const wrap: ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => `\`\`\`\n${text}`,
  (text) => `<answer>${text}</answer>`,
  (text) => `<think>${text}</think>`,
  (text) => `${text}</think>${text}`,
  (text) => `<think>${text}`,
];

/** JSON with slips: pieces cut out, put in or doubled. */
const mutated = fc
  .tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat(3), word, fc.boolean()), { maxLength: 4 }))
  .map(([text, slips]) =>
    slips.reduce((old, [at, length, inserted, insert]) => {
      const from = at % (old.length + 1);
      return old.slice(0, from) + (insert ? inserted : '') + old.slice(from + length);
    }, text),
  );

const modelText = fc
  .array(fc.tuple(prose, mutated, fc.constantFrom(...wrap)), { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.tuple(fc.constant(parts), prose))
  .map(
    ([parts, end]) =>
      parts.map(([before, value, around]) => before + around(value)).join('\n') + end,
  );

const runs = sampledRuns(500);

/** How many elements each piece completes. */
function arrivals(...pieces: string[]): number[] {
  const stream = new JsonStream();
  const counts = pieces.map((piece) => stream.push(piece).length);
  return [...counts, stream.end().elements.length];
}

describe('an element arrives as soon as it is whole', () => {
  test.each<[string, string[], number[]]>([
    ['in a bare list', ['[{"a":1}', ',{"b":', '2}', ']'], [1, 0, 1, 0, 0]],
    ['in a fence', ['Here:\n```json\n[', '{"a":1}', ', {"b":2}]\n```'], [0, 1, 1, 0]],
    ['in a wrapper', ['{"goal":"x","plan":[{"a":1}', ',{"b":2}]}'], [1, 1, 0]],
    ['in an answer', ['<answer>[{"a":1}', ',{"b":2}]</answer>'], [1, 1, 0]],
    [
      'after thinking',
      ['<think>[{"x":1}]</thi', 'nk> Well: [{"a":1}', ', 2 ', ']'],
      [0, 1, 1, 0, 0],
    ],
  ])('%s', (_, pieces, counts) => expect(arrivals(...pieces)).toEqual(counts));

  test('and stays when a later one cannot be read', () => {
    const stream = new JsonStream();
    expect(stream.push('[{"a":1}, {"b": oops}]')).toHaveLength(1);
    const { elements, result } = stream.end();
    expect([elements, result.error?.column]).toEqual([[], 17]);
  });

  test.each<[string, string[], number[]]>([
    ['in prose, which may turn out to be thinking', ['So: [{"a":1}', ',{"b":2}]'], [0, 0, 2]],
    ['after a long text', ['so '.repeat(300), '```json\n[{"a":1}]', '\n```'], [0, 0, 0, 1]],
    ['when the list may be a mere example', ['[1', ', 2]'], [0, 0, 2]],
  ])('but waits for the end %s', (_, pieces, counts) => {
    expect(arrivals(...pieces)).toEqual(counts);
  });
});

/**
 * The result of the text in one piece. Only a whole text can take a list after a draft that was
 * taken before its thinking ended: in a stream that is a second list.
 */
function expectWhole(result: ReadText, text: string, bytesMax?: number): void {
  expect(result).toEqual(streamed([text], bytesMax).result);
  if (result.error?.code === 'PV1009') return;
  expect(result).toEqual(readModelJson(text, 'array', bytesMax === undefined ? {} : { bytesMax }));
}

describe('a stream', () => {
  test('gives what the whole text gives, for every cut', () => {
    fc.assert(
      fc.property(modelText, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const { elements, result } = streamed(cutAt(text, cuts));
        expectWhole(result, text);
        if (result.node?.kind === 'array') expect(elements).toEqual(result.node.items);
        expect(elements).toEqual(streamed([text]).elements);
      }),
      runs,
    );
  });

  test('gives it one character at a time', () => {
    fc.assert(
      fc.property(modelText, (text) => {
        const { elements, result } = streamed(text.split(''));
        expectWhole(result, text);
        expect(elements).toEqual(streamed([text]).elements);
      }),
      sampledRuns(150),
    );
  });

  test('stops at the same byte, for every cut', () => {
    fc.assert(
      fc.property(modelText, fc.array(fc.nat()), fc.nat(200), (text, cuts, bytesMax) => {
        const { elements, result } = streamed(cutAt(text, cuts), bytesMax);
        expectWhole(result, text, bytesMax);
        expect(elements).toEqual(streamed([text], bytesMax).elements);
      }),
      runs,
    );
  });
});

describe('strict JSON', () => {
  test('reads as JSON.parse reads it, without repairs', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const { node, repairs } = readJson(text);
        expect(repairs).toEqual([]);
        expect(node && JSON.stringify(plain(node))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      runs,
    );
  });

  test('is found whole inside fences and answers', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(fc.string({ unit: word }), fc.string({ unit: word }), { minKeys: 1 }),
          { minLength: 1 },
        ),
        fc.constantFrom(...wrap.slice(0, 4)),
        (plan, around) => {
          const { node, error } = readModelJson(around(JSON.stringify(plan)), 'array');
          expect(error).toBeUndefined();
          expect(node && JSON.stringify(plain(node))).toBe(JSON.stringify(plan));
        },
      ),
      runs,
    );
  });
});

/** Where a reader that looks back or ahead without bounds would take hours. */
describe('a hostile text is read in linear time', () => {
  const size = 60_000;
  test.each([
    '[',
    '{',
    '{"',
    '["',
    "['",
    '[1 #',
    '[/*',
    '[{"a":',
    '{"a":1} ',
    '` ',
    '```',
    '<',
    '<think>',
    'x" y',
    '"',
    '\\',
    '\n',
    '[1,',
    '{a:',
    '...',
    '<answer>[{"a":1}]',
  ])('%j', (part) => {
    const text = part.repeat(size / part.length);
    for (const start of ['', '[{"a":1},', '[{"a":"']) {
      const whole = readModelJson(start + text, 'array');
      const pieces = Array.from({ length: 100 }, (_, i) =>
        (start + text).slice((i * (size + 9)) / 100, ((i + 1) * (size + 9)) / 100),
      );
      const { result } = streamed(pieces);
      expect([result.error, result.node?.end]).toEqual([whole.error, whole.node?.end]);
    }
  });

  test('a long plan in tiny pieces', () => {
    const plan = JSON.stringify(
      Array.from({ length: 4000 }, (_, i) => ({ seq_no: i, text: 'x'.repeat(60) })),
    );
    const pieces = plan.match(/.{1,3}/g) ?? [];
    expect(streamed(pieces)).toMatchObject({ early: 4000, result: { repairs: [] } });
  });
});
