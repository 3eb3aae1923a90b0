/** Values that a model writes: data, references, texts with variables in them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bareName,
  computedIn,
  type Expr,
  exprOf,
} from '../../../src/planner/playbook/reply/expr.ts';

const known = (name: string): boolean => ['x', 'day'].includes(name);
const value = (data: unknown): Expr => ({ is: 'value', value: data });
const ref = (name: string, ...path: (string | number)[]): Expr => ({ is: 'ref', name, path });
const text = (...parts: (string | Expr)[]): Expr => ({ is: 'text', parts });

test.each<readonly [unknown, Expr]>([
  ['Sunday', value('Sunday')],
  [5, value(5)],
  [null, value(null)],
  [['a', 1], value(['a', 1])],
  [{ a: { b: 1 } }, value({ a: { b: 1 } })],
  ['$x', ref('$x')],
  ['$other', ref('$other')],
  ['$x.a[0]["b c"]', ref('$x', 'a', 0, 'b c')],
  ['$größe', ref('$größe')],
  ['{$x}', text(ref('$x'))],
  ['a {$x.a[0]} b', text('a ', ref('$x', 'a', 0), ' b')],
  ['{ $x }{$other}', text(ref('$x'), ref('$other'))],
  // A name without a dollar, or a dollar without braces, only where there is such a variable.
  ['on {day}, {time}', text('on ', ref('day'), ', {time}')],
  ['on $day, $time', text('on ', ref('$day'), ', $time')],
  ['it is $$5', value('it is $5')],
  ['$$x', value('$x')],
  ['$5 or 5 $', value('$5 or 5 $')],
  ['{}', value('{}')],
  ['{"a": 1}', value('{"a": 1}')],
  [['$x', 1], { is: 'list', items: [ref('$x'), value(1)] }],
  [['$$', { a: '$$' }], value(['$', { a: '$' }])],
  [{ a: ['$x'] }, { is: 'dict', items: { a: { is: 'list', items: [ref('$x')] } } }],
])('%j', (data, expr) => {
  expect(exprOf(data, known)).toEqual(expr);
});

test('data without dollars and braces is itself', () => {
  const unit = fc.constantFrom('a', ' ', '"', '\\', 'é', '🙂', '\n', ']');
  const data = fc.jsonValue({ stringUnit: unit });
  fc.assert(fc.property(data, (one) => void expect(exprOf(one, known)).toEqual(value(one))));
});

test.each<readonly [unknown, string | undefined]>([
  ['{$x * 2} euros', '{$x * 2}'],
  [{ a: ['{len($x)}', '{$x[0] + 1}'] }, '{$x[0] + 1}'],
  ['{$x.a[0]}, { $x }', undefined],
  ['{x}', undefined],
  [5, undefined],
])('what is computed in %j is %j', (data, computed) => {
  expect(computedIn(data)).toBe(computed);
});

test('a name may have a dollar', () => {
  expect(['$x', ' x'].map(bareName)).toEqual(['x', 'x']);
  expect(['x.y', '', '$1'].map(bareName)).toEqual([undefined, undefined, undefined]);
});
