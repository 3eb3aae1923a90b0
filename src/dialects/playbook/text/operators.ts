/**
 * What is computed of values in replies, and between braces in quotes: models write
 * `$total + $price` where a line says so, and are bad at sums. The loop does it
 * (`loops/playbook/values.star`), as Starlark would.
 */
import type { Computing } from './computing.ts';

/** Between two values, by how they bind: the loosest come first. */
export const binary = [
  ['or'],
  ['and'],
  ['==', '!=', '<=', '>=', '<', '>', 'not in', 'in'],
  ['+', '-'],
  ['*', '//', '/', '%'],
] as const;

/** Before a value. */
const unary = ['not', '-'] as const;

/** Of texts, lists and dicts: those that change nothing. */
const methods = [
  'capitalize',
  'count',
  'endswith',
  'find',
  'format',
  'get',
  'index',
  'isalnum',
  'isalpha',
  'isdigit',
  'islower',
  'isspace',
  'istitle',
  'isupper',
  'items',
  'join',
  'keys',
  'lower',
  'lstrip',
  'partition',
  'removeprefix',
  'removesuffix',
  'replace',
  'rfind',
  'rindex',
  'rpartition',
  'rsplit',
  'rstrip',
  'split',
  'splitlines',
  'startswith',
  'strip',
  'title',
  'upper',
  'values',
] as const;

export const isMethod = (name: string): name is (typeof methods)[number] =>
  methods.some((one) => one === name);

/**
 * `if` is of a condition and two values, `[]` of what has parts and one of them, `[:]` of two, `:`
 * of a value and how it is shown, `.2f`.
 */
export type Operator =
  | (typeof binary)[number][number]
  | (typeof unary)[number]
  | Computing
  | 'if'
  | '[]'
  | '[:]'
  | ':'
  | `.${(typeof methods)[number]}`;
