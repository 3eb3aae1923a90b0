/** Arguments: what the check says of them, and that reading them loses nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentCheck, readArguments } from '../../src/engine/arguments.ts';
import { decode, encode, NotData, toJson } from '../../src/program/json.ts';
import { dict, type Value } from '../../src/program/value.ts';
import { anyValue } from '../support/values.ts';

const check = argumentCheck({
  type: 'object',
  properties: {
    query: { type: 'string' },
    top_k: { type: 'integer' },
    mode: { enum: ['fast', 'good'] },
    where: {
      type: 'object',
      properties: { year: { type: ['number', 'null'] } },
      additionalProperties: false,
    },
    tags: { type: 'array', items: { type: 'string' } },
    any: {},
    exact: { type: 'boolean' },
  },
  required: ['query'],
});

test.each<[object, string[]]>([
  [{ query: 'a' }, []],
  [{ query: 'a', top_k: 3, tags: [], where: { year: null }, any: [1], exact: true }, []],
  [{}, ['query: missing']],
  [{ query: 5 }, ['query: got number 5, want string']],
  [{ query: 'a', top_k: 1.5 }, ['top_k: got number 1.5, want integer']],
  [{ query: 'a', top_k: '5' }, ['top_k: got string "5", want integer']],
  [{ query: 'a', mode: 'best' }, ['mode: got string "best", want one of "fast", "good"']],
  [{ query: 'a', tags: ['x', 1] }, ['tags[1]: got number 1, want string']],
  [{ query: 'a', tags: 'x' }, ['tags: got string "x", want array']],
  [{ query: 'a', where: [] }, ['where: got array [], want object']],
  [{ query: 'a', where: { year: 'x' } }, ['where.year: got string "x", want number or null']],
  [{ query: 'a', where: { yaer: 1 } }, ['where.yaer: no such parameter, did you mean year?']],
  [{ query: 'a', exact: null }, ['exact: got null, want boolean']],
  [{ query: new Uint8Array([255]) }, ['query: got bytes "ff", want string']],
])('%j', (args, errors) => {
  expect(check(args as Record<string, unknown>)?.errors ?? []).toEqual(errors);
});

test('an int of any size is an integer', () => {
  expect(check({ query: 'a', top_k: 2n ** 80n })).toBeUndefined();
});

test('an unknown name is a warning where the schema is open, and nothing where it says nothing', () => {
  expect(check({ query: 'a', topk: 3 })).toEqual({
    errors: [],
    warnings: ['topk: no such parameter, did you mean top_k?'],
  });
  expect(argumentCheck({ type: 'object', properties: {} })({ x: 1 })).toBeUndefined();
  expect(argumentCheck({ properties: { a: {} }, additionalProperties: true })({ b: 1 })).toBe(
    undefined,
  );
});

test('reading arguments gives what decoding them gives', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const args = dict([['value', value]]);
      const plain = data(args);
      fc.pre(plain !== undefined);
      expect(readArguments(encode(args))).toEqual(plain);
      expect(toJson(decode(encode(args)))).toEqual(plain);
    }),
  );
});

/** The value as plain data; undefined for one that has no such form. */
function data(value: Value): unknown {
  try {
    return toJson(value);
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}
