/**
 * What is computed of values that a model writes: models write `$total + $price` where a line says
 * so, and are bad at sums. The loop does it (`loops/playbook/values.star`), as Starlark would.
 */

/** Between two values, by how they bind: the loosest come first. */
export const binary = [
  ['or'],
  ['and'],
  ['==', '!=', '<=', '>=', '<', '>', 'not in', 'in'],
  ['+', '-'],
  ['*', '//', '/', '%'],
] as const;

/** Before a value. */
export const unary = ['not', '-'] as const;

/** Called with values in brackets. */
export const computing = [
  'len',
  'str',
  'int',
  'float',
  'bool',
  'abs',
  'min',
  'max',
  'sum',
  'sorted',
] as const;

type Function = (typeof computing)[number];

export type Operator = (typeof binary)[number][number] | (typeof unary)[number] | Function;

export const isComputing = (name: string): name is Function =>
  computing.some((one) => one === name);
