/** Numbers as people write them, alone and in expressions, and the notes on how they were read. */
import { describe, expect, test } from 'vitest';
import {
  numberInSentence,
  numberInText,
  parseNumber,
} from '../../src/program/arithmetic/number-text.ts';
import { shownNumber } from '../../src/program/arithmetic/numbers.ts';
import { evaluate } from '../../src/program/arithmetic.ts';
import { textOf } from '../../src/program/json.ts';

/** The value with its notes, or the error. */
function computed(text: string): readonly string[] {
  const notes: string[] = [];
  const found = evaluate(text, [], notes);
  return 'value' in found ? [textOf(found.value), ...notes] : [`! ${found.error.message}`];
}

describe('a text that is a number', () => {
  test.each<[string, string]>([
    ['12', '12'],
    [' -2.5 ', '-2.5'],
    ['+5', '5'],
    ['−5', '-5'],
    ['8848.', '8848'],
    ['.5', '0.5'],
    ['1e3', '1000'],
  ])('%j is %s, without a note', (text, value) => {
    const read = parseNumber(text);
    expect(read && 'value' in read && [shownNumber(read.value), read.note]).toEqual([
      value,
      undefined,
    ]);
  });

  test.each<[string, string]>([
    ['8,848.86', '8848.86'],
    ['1,234,567.89', '1234567.89'],
    ['12,34,567', '1234567'],
    ['2 102 650', '2102650'],
    ['2\u00a0102\u00a0650', '2102650'],
    ['2\u202f102\u2009650,5', '2102650.5'],
    ["1'234'567.5", '1234567.5'],
    ['1.234.567', '1234567'],
    ['1.234,5', '1234.5'],
    ['22,5', '22.5'],
    ['0,123', '0.123'],
    ['1234,567', '1234.567'],
    ['8848 m', '8848, without m'],
    ['8,848.86 meters.', '8848.86, without meters'],
    ['-22,5 °C', '-22.5, without °C'],
    ['105.4 km²', '105.4, without km²'],
    ['10 hab/km2', '10, without hab/km2'],
    ['1 234,50 €', '1234.5, without €'],
    ['-$12.50', '-12.5, without $'],
    ['1,234', '1234; write 1.234 for the decimal'],
    ['-1,234 m', '-1234, without m; write 1.234 for the decimal'],
  ])('%j is %s, with a note', (text, value) => {
    const written = text.trim().replace(/\.$/, '');
    expect(parseNumber(text)).toMatchObject({
      note: `${JSON.stringify(written)} was read as ${value}`,
    });
  });

  test.each<[string, string]>([
    ['35 %', '35 % can be 35 or its hundredth: write 35 or 35 / 100'],
    ['35,5 percent', '35.5 % can be 35.5 or its hundredth'],
    ['3 million', '3 million is more than a number and its unit: write all of its digits'],
    ['5k', '5k is more'],
    ['5 K', '5 K is more'],
    ['$3m', '$3m is more'],
    ['3 M€', '3 M€ is more'],
    ['2,5 milliards', '2,5 milliards is more'],
    ['3 half', '3 half is more'],
    ['2 x', '2 x is more'],
  ])('%j is a doubt that says what to write', (text, doubt) => {
    expect(parseNumber(text)).toEqual({ doubt: expect.stringContaining(doubt) });
  });

  test.each([
    '',
    'none',
    '10-20',
    '2024-02-15',
    '12:30',
    'about 5',
    '5 m above',
    '1,2,3',
    '1,234,5',
    '12 345 67',
    '1.2.3',
    '5 ft 11 in',
    'Mount Everest height is 8,848.86 meters',
    '1'.repeat(401),
  ])('%j is none', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

describe('a sentence', () => {
  const read = (text: string): string | undefined => {
    const found = numberInText(text);
    return found && ('doubt' in found ? `! ${found.doubt}` : found.note);
  };

  test.each<[string, string]>(
    [
      ['Mount Everest is 8,848.86 meters high', '8848.86', ', without meters'],
      ['Paris has 2\u00a0102\u00a0650 inhabitants.', '2102650', ', without inhabitants'],
      ['The height is 8848 in all', '8848', ''],
      ['It was -5 °C', '-5', ', without °C'],
      ['It costs €12', '12', ', without €'],
      ['price: 1,234', '1234', '; write 1.234 for the decimal'],
      ['H2O, K2 and COVID-19 are 7', '7', ''],
      ['https://example.org/42?page=3 says about 7', '7', ''],
      ['Everest - 8848 m - Nepal', '8848', ', without m'],
      ["l'an 800", '800', ''],
    ].map(([text = '', value, rest]) => [
      text,
      `${value} was taken out of ${JSON.stringify(text)}${rest}`,
    ]),
  )('%j stands for its only number, with a note', (text, note) => {
    expect(read(text)).toBe(note);
  });

  test('a long one is quoted around its number', () => {
    expect(read(`${'a '.repeat(500)}7 ${'of '.repeat(500)}`)).toBe(
      `7 was taken out of "…${'a '.repeat(20).trim()} 7 ${'of '.repeat(14).trim()}…"`,
    );
  });

  test.each<[string, string]>([
    ['Everest is 8,848.86 m (29,031.7 ft) high', 'it has several, 8,848.86 and 29,031.7 ft'],
    ['founded on 2024-02-15', 'it has several, 2024 and 02: write the one that is meant'],
    ['from 10-20', 'it has several, 10 and 20'],
    ['it is 1/2 or so', 'it has several, 1 and 2'],
    ['about 3 million people', '3 million is more than a number'],
    ['people (millions): 2.1', 'millions in it can change the number'],
    ['35 % of people', '% in it can change the number'],
    ['it is minus 5', 'minus in it can change the number'],
    ['about 3½', 'it has ½: write numbers with the digits 0 to 9'],
    ['about 1e999', '1e999 is beyond the range of a float'],
  ])('%j is a doubt', (text, doubt) => {
    expect(read(text)).toContain(`! ${doubt}`);
  });

  test.each(['', 'none', 'B12', 'm² and km2', 'v1.2', 'https://example.org/42'])(
    '%j has none',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  test.each(['2*height', '2 (x - y)', 'x-5', '2(x)', '5 - x', 'x / 5', 'x = 5', '[5, x]'])(
    '%j is arithmetic, and no sentence where that could be meant',
    (text) => {
      expect(numberInSentence(text)).toBeUndefined();
    },
  );

  test.each(['It is -5 °C', 'COVID-19 has 5 names', 'about 5 km/h (or so)'])(
    '%j is no arithmetic',
    (text) => {
      expect(numberInSentence(text)).toHaveProperty('value');
    },
  );

  test.each([
    'a',
    'a ',
    '-',
    ' ',
    '%',
    'a-',
    'a1',
    '1a ',
    "'",
    '.',
    'é',
    '://',
    'a:/',
    '/ ',
    '1 -',
  ])('many times %j takes time in proportion to its length', (part) => {
    const many = part.repeat(50_000 / part.length);
    for (const text of [many, `${many}!`, `7 ${many}`, `7${many}(`]) {
      expect([numberInText(text), numberInSentence(text)]).toHaveLength(2);
    }
  });
});

describe('in expressions', () => {
  test.each<[string, ...string[]]>([
    ['8,848.86/2', '4424.43', '"8,848.86" was read as 8848.86'],
    ['2 102 650 * 2', '4205300', '"2 102 650" was read as 2102650'],
    ['(22,5 + 1) / 2', '11.75', '"22,5" was read as 22.5'],
    ['8848 m / 2', '4424', '"8848 m" was read as 8848, without m'],
    ['5 m/abs(2)', '2.5', '"5 m" was read as 5, without m'],
    ['€12 * 2', '24', '"€12" was read as 12, without €'],
    ['"22,5" * 2', '45.0', '"22,5" was read as 22.5'],
    ['7 % 3', '1'],
    ['7%3', '1'],
    ['7 % -3', '-2'],
    ['max(1,2,3)', '3'],
    ['round(1234.567,2)', '1234.57'],
    ['max(8,848.86, 62)', '8848.86', '"8,848.86" was read as 8848.86'],
    ['max((1,234.5 + 1), 2)', '1235.5', '"1,234.5" was read as 1234.5'],
    ['max([1,234,5])', '234'],
    ['sum([1, 2], 3, [])', '6'],
    ['sum([])', '0'],
    ['min(["8,848.86", "1 234"])', '1234', expect.any(String), '"1 234" was read as 1234'],
    ['"It is 5 m high" * 2', '10', '5 was taken out of "It is 5 m high", without m'],
    ['10 m + 5 m', '15', '"10 m" was read as 10, without m', '"5 m" was read as 5, without m'],
  ])('%s', (text, ...found) => {
    expect(computed(text)).toEqual(found);
  });

  test.each<[string, string]>([
    ['35% * 2', '35 % can be 35 or its hundredth'],
    ['50% - 3', '50 % can be 50'],
    ['50 % + 3', '50 % can be 50'],
    ['max(20 %, 3)', '20 % can be 20'],
    ['3 million * 2', '3 million is more'],
    ['2 x + 1', '2 x is more'],
    ['max(1,234)', '1,234 can be one number or several: write one without commas'],
    ['max(8,848.86)', '8,848 can be one number or several'],
    ['max(1,2, 3)', '1,2 can be one number or several'],
    ['max(8,848,6,962, 3)', '8,848,6,962 can be one number or several'],
    ['5 km + 300 m', 'got the units km and m: write the numbers alone, in one unit'],
    ['€5 + 5 $', 'got the units € and $'],
    ['max([])', 'max: got 0 arguments, want 1 or more'],
    ['max([1, 2)', 'got ), want ] for the [ in column 5'],
    ['[1, 2]', 'got [, want a number'],
    ['2,3,4', 'got ,, want an operator'],
    ['"three" + 1', 'got ", want a number'],
    ['$12.50 + 1', 'got $12, want one of 0 numbers'],
  ])('%s has no value', (text, message) => {
    expect(computed(text)).toEqual([expect.stringContaining(`! ${message}`)]);
  });

  test('a program writes numbers in one way only', () => {
    for (const text of ['8,848.86', '2 102', '22,5', '8 m', '"8"']) {
      expect(evaluate(text)).toMatchObject({ error: { syntax: true } });
    }
  });

  test.each(['1,', '111,', ',111', ' 111', '.111', "'111", '"', "'", "'1", ' ', 'a', '1a', '1 a+'])(
    'many times %j takes time in proportion to its length',
    (part) => {
      const many = part.repeat(20_000 / part.length - 10);
      for (const text of [`1${many}`, `max(${many}2)`, `max([1${many}2, 3])`]) {
        expect(Object.keys(evaluate(text, [], []))).toHaveLength(1);
      }
    },
  );
});
