/** Arguments: what the check says of them, and that reading them loses nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentReader } from '../../src/engine/perform/arguments.ts';
import type { JsonSchema } from '../../src/program/effect.ts';
import { encode, fromJson, NotData, toJson } from '../../src/program/json.ts';
import { dict, type Value } from '../../src/program/value.ts';
import { anyValue } from '../support/values.ts';

const read = argumentReader({
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
    days: { type: ['array', 'null'], items: { type: ['string', 'null'], format: 'date' } },
    to: { type: 'string', format: 'email' },
  },
  required: ['query'],
});

test.each<[object, string[]]>([
  [{ query: 'a' }, []],
  [{ query: 'a', top_k: 3, tags: [], where: { year: null }, any: [1], exact: true }, []],
  [{ query: 'a', days: ['2024-02-29', null], to: 'Ann' }, []],
  [
    { query: 'a', days: ['2023-02-29'] },
    ['days[0]: got string "2023-02-29", want a day that there is, as YYYY-MM-DD'],
  ],
  [{}, ['query: missing']],
  [{ query: 5 }, ['query: got number 5, want string']],
  [{ query: 'a', top_k: 1.5 }, ['top_k: got number 1.5, want integer']],
  [{ query: 'a', top_k: '5' }, ['top_k: got string "5", want integer']],
  [{ query: 'a', mode: 'best' }, ['mode: got string "best", want one of "fast", "good"']],
  [{ query: 'a', tags: ['x', 1] }, ['tags[1]: got number 1, want string']],
  [{ query: 'a', tags: 'x' }, ['tags: got string "x", want array']],
  [{ query: 'a', where: [] }, ['where: got array [], want object']],
  [{ query: 'a', where: { year: 'x' } }, ['where.year: got string "x", want number or null']],
  [{ query: 'a', where: { year: NaN } }, ['where.year: got number NaN, want number or null']],
  [
    { query: 'a', where: { year: -Infinity } },
    ['where.year: got number -Infinity, want number or null'],
  ],
  [{ query: 'a', where: { yaer: 1 } }, ['where.yaer: no such parameter, did you mean year?']],
  [{ query: 'a', exact: null }, ['exact: got null, want boolean']],
  [{ query: new Uint8Array([255]) }, ['query: got bytes "ff", want string']],
])('%j', (args, errors) => {
  expect(read(textOf(args)).errors).toEqual(errors);
});

test('an int of any size is an integer', () => {
  const args = { query: 'a', top_k: 2n ** 80n };
  expect(read(textOf(args))).toEqual({ args, errors: [], warnings: [] });
});

test('an unknown name is a warning where the schema is open, and nothing where it says nothing', () => {
  const warnings = (parameters: JsonSchema, args: object): readonly string[] =>
    argumentReader(parameters)(textOf(args)).warnings;
  const properties = { top_k: {} };
  expect(warnings({ properties }, { topk: 3 })).toEqual([
    'has no parameter topk; did you mean top_k?',
  ]);
  expect(warnings({ properties, additionalProperties: true }, { topk: 3 })).toEqual([]);
  expect(warnings({ type: 'object', properties: {} }, { topk: 3 })).toEqual([]);
});

test('what is no data is an error, not a crash', () => {
  expect(read('{"query":{"$tool":"search"}}').errors).toEqual(['got a tool, want JSON data']);
});

test('reading arguments gives what decoding them gives', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const args = dict([['value', value]]);
      const plain = data(args);
      fc.pre(plain !== undefined);
      expect(argumentReader({})(encode(args)).args).toEqual(plain);
    }),
  );
});

const textOf = (args: object): string => encode(fromJson(args));

/** The value as plain data; undefined for one that has no such form. */
function data(value: Value): unknown {
  try {
    return toJson(value);
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}
