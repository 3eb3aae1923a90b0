/** Any text is read to a value or an error, strict JSON as JSON.parse reads it, in linear time. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonNode } from '../../src/text/json-node.ts';
import { readJson, readModelJson } from '../../src/text/json-text.ts';
import { sampledRuns } from '../support/depth.ts';

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

test('any text is read to a value or to an error at its place', () => {
  fc.assert(
    fc.property(modelText, (text) => {
      const { node, error } = readModelJson(text, 'array');
      expect(node === undefined).toBe(error !== undefined);
      const place = node ?? error;
      expect(Math.min(place?.line ?? 0, place?.column ?? 0)).toBeGreaterThan(0);
      if (node) expect([node.start >= 0, node.end <= text.length]).toEqual([true, true]);
    }),
    runs,
  );
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
      const { node, error } = readModelJson(start + text, 'array');
      expect(node === undefined).toBe(error !== undefined);
    }
  });
});
