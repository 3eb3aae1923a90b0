/** The built-ins that JSON plans lower to. */
import { describe, expect, test } from 'vitest';
import { allBuiltins } from '../../../src/machine/builtins/index.ts';
import { Fault } from '../../../src/machine/values/fault.ts';
import { encode, fromJson } from '../../../src/program/json.ts';
import { builtin, type Value } from '../../../src/program/value.ts';

const around = { valueBytes: 1000 };

/** The result as canonical JSON, or code, message and hint of the fault. */
function call(name: string, ...args: unknown[]): string {
  const found = allBuiltins.functions.get(name);
  expect(found?.lifts).toBe(true);
  try {
    return encode(
      found?.call(
        args.map((arg) => fromJson(arg)),
        new Map(),
        around,
      ) ?? null,
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [error.code, error.message, error.hint].filter(Boolean).join(' | ');
  }
}

describe('pick', () => {
  test.each<[unknown, string, string]>([
    [{ a: [1.5] }, 'a', '[1.5]'],
    [{ a: null }, 'a', 'null'],
    ['{"a": {"b": 1}}', 'a', '{"b":1}'],
    ['Here you go:\n```json\n{"a": "} x", "b": 2}\n```', 'b', '2'],
    ['{"x": 1} then {"a": 2}', 'a', '2'],
    [
      { summary: 1, insights: 2 },
      'sumary',
      'PV3005 | got the keys "summary", "insights", want the key "sumary" | did you mean "summary"?',
    ],
    ['{"b": 1}', 'answer', 'PV3005 | got the keys "b", want the key "answer"'],
    ['{}', 'a', 'PV3005 | got an object without keys, want the key "a"'],
    [
      'no idea',
      'a',
      'PV3005 | got text without a JSON object (got only prose, want a JSON object), want an object with the key "a"',
    ],
    [null, 'a', 'PV3005 | got null, want an object with the key "a"'],
    [7, 'a', 'PV3005 | got a value of type int, want an object with the key "a"'],
  ])('%j, %s', (value, key, expected) => expect(call('pick', value, key)).toBe(expected));
});

describe('pick_or_whole', () => {
  test.each<[unknown, string, string]>([
    [{ a: 1 }, 'a', '1'],
    [{ b: 1 }, 'a', '{"b":1}'],
    ['{"a": 1}', 'a', '1'],
    ['{"b": 1}', 'a', '"{\\"b\\": 1}"'],
    ['plain text', 'a', '"plain text"'],
    [[1, 2], 'a', '[1,2]'],
  ])('%j, %s', (value, key, expected) => expect(call('pick_or_whole', value, key)).toBe(expected));
});

describe('arithmetic', () => {
  test.each<[unknown[], string]>([
    [['$0 + 1', 41], '42'],
    [['$0 + 1', '41'], '42'],
    [['$0 * $1', -2, 1.5], '{"$float":"-3"}'],
    [['$0', [1]], '[1]'],
    [['$0 + 1', 'x'], '"x + 1"'],
    [['$0 + 1', [1]], '"[1] + 1"'],
    [['$0 apples and $1 pears', 2, 3], '"2 apples and 3 pears"'],
    [['2024-$0-15', 10], '"2024-10-15"'],
    [['555-$0', '0123'], '"555-0123"'],
    [['$$5 and $0', 1], '"$5 and 1"'],
    [['$0 + $7', 1], '"1 + $7"'],
    [['6 / 4'], '1.5'],
    [['$0 / $1', 1, 0], 'PV3102 | division by zero: 1 / 0'],
    [['2 * ($0 % $1)', 1, 0], 'PV3102 | division by zero: 1 % 0, in 2 * (1 % 0)'],
  ])('%j', (args, expected) => expect(call('arithmetic', ...args)).toBe(expected));
});

describe('truth', () => {
  test.each<[unknown, boolean]>([
    [true, true],
    [0, false],
    ['yes', true],
    ['FALSE', false],
    [{ result: false, explanation: '' }, false],
    [{ result: 'true' }, true],
    ['```json\n{"result": 1}\n```', true],
    ['I think {"result": "no"} fits', false],
  ])('%j', (value, expected) => expect(call('truth', value)).toBe(String(expected)));

  test.each<[unknown, string]>([
    ['maybe', '"maybe"'],
    [null, 'null'],
    [2, '2'],
    [{ verdict: true }, '{"verdict":true}'],
    [[true], '[true]'],
  ])('refuses %j', (value, got) => {
    const hint = 'answer with {"result": true} or {"result": false}';
    expect(call('truth', value)).toBe(`PV3103 | got ${got}, want true or false | ${hint}`);
  });
});

describe('wrong arguments', () => {
  test.each<[string, unknown[], string]>([
    ['pick', [{}], 'pick: got 1 arguments, want 2'],
    ['pick', [{}, true], 'got bool, want a key or the position of an element'],
    ['pick', [[1], null], 'got NoneType, want a key or the position of an element'],
    ['arithmetic', [], 'arithmetic: got 0 arguments, want at least 1'],
    ['truth', [true, true], 'truth: got 2 arguments, want 1'],
  ])('%s %j', (name, args, message) => expect(call(name, ...args)).toBe(`PV3101 | ${message}`));

  test('names are refused', () => {
    const named = new Map<string, Value>([['key', 'a']]);
    expect(() => allBuiltins.functions.get('pick')?.call([null], named, around)).toThrow(
      'got named arguments',
    );
  });

  test('a function has no text and no truth', () => {
    const noData = expect.objectContaining({ code: 'PV3015' });
    expect(() =>
      allBuiltins.functions.get('truth')?.call([builtin('pick')], new Map(), around),
    ).toThrow(noData);
    expect(() =>
      allBuiltins.functions.get('arithmetic')?.call(['$0!', builtin('pick')], new Map(), around),
    ).toThrow(noData);
  });
});

describe('conform', () => {
  test.each<[unknown, string, string]>([
    ['3', 'integer', '3'],
    [' 12345678901234567890\n', 'integer', '{"$int":"12345678901234567890"}'],
    ['3.0', 'integer', '{"$float":"3"}'],
    ['2.5', 'number', '2.5'],
    ['True', 'boolean', 'true'],
    ['null', 'integer null', 'null'],
    ['Here:\n```json\n["a", 1]\n```', 'array', '["a",1]'],
    ['{"a": 1}', 'object', '{"a":1}'],
    ['3', 'string', '"3"'],
    ['3', 'integer string', '"3"'],
    [3, 'string', '"3"'],
    [[1, 2.5], 'string', '"[1,2.5]"'],
    [{ a: true }, 'string null', '"{\\"a\\":true}"'],
    [true, 'string', '"true"'],
    [3, 'integer', '3'],
    [3, 'number', '3'],
    [[], 'array', '[]'],
    [null, 'string', 'null'],
    ['many', 'integer', '"many"'],
    ['007', 'integer', '"007"'],
    ['2.5', 'integer', '"2.5"'],
    ['{"a": 1}', 'array', '"{\\"a\\": 1}"'],
    ['', 'integer', '""'],
    [1.5, 'integer', '1.5'],
    [[1], 'object', '[1]'],
  ])('%j, %s', (value, types, expected) => expect(call('conform', value, types)).toBe(expected));
});
