/** `abs`, and what the plan profile adds: `round`, `pow`. */
import { float, int, typeName, type Value } from '../../program/value.ts';
import { roundHalfEven } from '../values/float-text.ts';
import { toInt } from '../values/numbers.ts';
import { power } from '../values/operators.ts';
import {
  anInt,
  anything,
  type Call,
  define,
  failed,
  misused,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

const pure = { lifts: true };

export const numbers: readonly BuiltinSpec[] = [
  define('abs', pure, (call) => abs(call, positional(call, [anything])[0])),
  define('pow', pure, (call) => power(...positional(call, [anything, anything]), call.around)),
  define('round', pure, round),
];

function abs(call: Call, value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'bigint') return value < 0n ? int(-value) : value;
  if (typeof value === 'object' && value?.kind === 'float') return float(Math.abs(value.value));
  throw misused(call, `got ${typeName(value)}, want int or float`);
}

/** Python's: halves go to the even side; without `ndigits` the result is an int. */
function round(call: Call): Value {
  const { number, ndigits } = parameters(call, { number: anything, 'ndigits?': digitCount });
  if (typeof number === 'number' || typeof number === 'bigint') {
    return ndigits === undefined || ndigits >= 0 ? number : roundInt(BigInt(number), -ndigits);
  }
  if (typeof number !== 'object' || number?.kind !== 'float') {
    throw misused(call, `got ${typeName(number)}, want int or float`);
  }
  if (ndigits !== undefined) return float(roundHalfEven(number.value, ndigits));
  const whole = toInt(float(roundHalfEven(number.value, 0)));
  if (typeof whole === 'string') throw failed(call, whole);
  return whole;
}

/** None stands for an argument that was not given. */
const digitCount = (value: Value, around: Call['around']): number | undefined =>
  value === null ? undefined : anInt(value, around);

function roundInt(value: bigint, zeros: number): number | bigint {
  if (zeros > String(value).length) return 0;
  const unit = 10n ** BigInt(zeros);
  const rest = ((value % unit) + unit) % unit;
  const low = value - rest;
  const up = rest * 2n > unit || (rest * 2n === unit && (low / unit) % 2n !== 0n);
  return int(up ? low + unit : low);
}
