/**
 * What is computed of values that a model writes: models write `$total + $price` where a line says
 * so, and are bad at sums. The loop does it (`loops/playbook/values.star`), as Starlark would.
 */
import type { Computing } from '../../../dialects/playbook/text/computing.ts';

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

export type Operator = (typeof binary)[number][number] | (typeof unary)[number] | Computing;
