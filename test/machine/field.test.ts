/** Named parts of values. */
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/machine/values/fault.ts';
import { fieldOf } from '../../src/machine/values/field.ts';
import { encode, fromJson } from '../../src/program/json.ts';
import { list, type Value } from '../../src/program/value.ts';

function field(value: Value, name: string): string {
  try {
    return encode(fieldOf(value, name));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [error.code, error.message, error.hint].filter(Boolean).join(' | ');
  }
}

const struct: Value = { kind: 'struct', name: 'point', fields: new Map([['x', 1]]) };

describe('a field', () => {
  test.each<[Value, string, string]>([
    [fromJson({ a: { b: 1 } }), 'a', '{"b":1}'],
    [struct, 'x', '1'],
    ['text with {"a": 12345678901234567890}', 'a', '{"$int":"12345678901234567890"}'],
    [list([7, 8]), '1', '8'],
    [struct, 'X', 'PV3005 | got the keys "x", want the key "X" | did you mean "x"?'],
    [
      list([7, 8]),
      'length',
      'PV3005 | got a list of 2, want an object with the key "length" | an element is written [0] to [1]',
    ],
    [list([7, 8]), '-1', '8'],
    [fromJson({ '-1': 'key' }), '-1', '"key"'],
    ['[{"a": 1}, {"a": 2}]', '1', '{"a":2}'],
    ['Here:\n```json\n["x", "y"]\n```', '-2', '"x"'],
    ['{"1": "key"}', '1', '"key"'],
    ['["x"]', '1', 'PV3004 | got a list of 1, want the element 1 | the last one is 0'],
    ['{"list": ["x"]}', '0', 'PV3005 | got the keys "list", want the key "0"'],
    [list([7, 8]), '-3', 'PV3004 | got a list of 2, want the element -3 | the last one is 1'],
    [list([7, 8]), '2', 'PV3004 | got a list of 2, want the element 2 | the last one is 1'],
    [null, 'a', 'PV3005 | got null, want an object with the key "a"'],
    [true, 'a', 'PV3005 | got a value of type bool, want an object with the key "a"'],
    [
      '{"a": oops}',
      'a',
      'PV3005 | got text without a JSON object (got oops, want a value), want an object with the key "a"',
    ],
  ])('%#: %s', (value, name, expected) => expect(field(value, name)).toBe(expected));

  test('of an object with many keys names some of them', () => {
    const many = fromJson(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i])));
    expect(field(many, 'zzzzzz')).toContain('"k19" and 10 more, want the key "zzzzzz"');
  });
});
