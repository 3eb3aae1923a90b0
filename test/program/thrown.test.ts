import { expect, test } from 'vitest';
import { thrownMessage, thrownText } from '../../src/program/diagnostic.ts';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

test.each<[unknown, string, string]>([
  [new TypeError('no number'), 'TypeError: no number', 'no number'],
  [new Error(''), 'Error: ', 'Error'],
  ['a text', 'a text', 'a text'],
  [undefined, 'undefined', 'undefined'],
  [null, 'null', 'null'],
  [Symbol('x'), 'Symbol(x)', 'Symbol(x)'],
  [{ code: 7 }, '{"code":7}', '{"code":7}'],
  [{ toJSON: () => undefined }, '[object Object]', '[object Object]'],
  [cycle, '[object Object]', '[object Object]'],
])('%o is told as text', (thrown, text, message) => {
  expect([thrownText(thrown), thrownMessage(thrown)]).toEqual([text, message]);
});
