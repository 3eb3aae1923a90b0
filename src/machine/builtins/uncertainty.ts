/** What programs say of values that nobody could find out. */
import { isUncertain, uncertainOf } from '../../program/uncertain.ts';
import { anything, aString, define, positional } from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

export const uncertainty: readonly BuiltinSpec[] = [
  define('uncertain', {}, (call) => uncertainOf(positional(call, [aString])[0])),
  define('is_uncertain', {}, (call) => isUncertain(positional(call, [anything])[0])),
];
