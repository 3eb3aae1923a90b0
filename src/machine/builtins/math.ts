/**
 * The module `math` of starlark-go: floats in, floats out; `ceil` and `floor` give ints. Beside it
 * the functions on numbers that need no module.
 */
import { float, int, typeName, type Value } from '../../program/value.ts';
import { toFloat, toInt } from '../values/numbers.ts';
import { power } from '../values/operators.ts';
import { roundHalfEven } from '../values/text.ts';
import {
  anInt,
  anything,
  type Call,
  type Check,
  define,
  failed,
  Mismatch,
  misused,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

const pure = { lifts: true };

const aNumber: Check<number> = (value) => {
  const found = toFloat(value);
  if (found !== undefined) return found;
  throw new Mismatch(`got ${typeName(value)}, want float or int`);
};

const unary = (name: string, f: (x: number) => number): BuiltinSpec =>
  define(`math.${name}`, pure, (call) => float(f(positional(call, [aNumber])[0])));

const binary = (name: string, f: (x: number, y: number) => number): BuiltinSpec =>
  define(`math.${name}`, pure, (call) => float(f(...positional(call, [aNumber, aNumber]))));

const whole = (name: string, f: (x: number) => number): BuiltinSpec =>
  define(`math.${name}`, pure, (call): Value => {
    const [x] = positional(call, [anything]);
    if (typeof x === 'number' || typeof x === 'bigint') return x;
    if (typeof x !== 'object' || x?.kind !== 'float') {
      throw misused(call, `got ${typeName(x)}, want float or int`);
    }
    const found = toInt(float(f(x.value)));
    if (typeof found === 'string') throw failed(call, found);
    return found;
  });

export const mathFunctions: readonly BuiltinSpec[] = [
  whole('ceil', Math.ceil),
  whole('floor', Math.floor),
  binary('copysign', (x, y) => (isNegative(x) === isNegative(y) ? x : -x)),
  unary('fabs', Math.abs),
  binary('mod', (x, y) => x % y),
  binary('pow', pow),
  binary('remainder', remainder),
  unary('round', roundFloat),
  unary('exp', Math.exp),
  unary('sqrt', Math.sqrt),
  unary('acos', Math.acos),
  unary('asin', Math.asin),
  unary('atan', Math.atan),
  binary('atan2', Math.atan2),
  unary('cos', Math.cos),
  binary('hypot', Math.hypot),
  unary('sin', Math.sin),
  unary('tan', Math.tan),
  unary('degrees', (x) => (360 * x) / (2 * Math.PI)),
  unary('radians', (x) => (2 * Math.PI * x) / 360),
  unary('acosh', Math.acosh),
  unary('asinh', Math.asinh),
  unary('atanh', Math.atanh),
  unary('cosh', Math.cosh),
  unary('sinh', Math.sinh),
  unary('tanh', Math.tanh),
  define('math.log', pure, (call) => {
    const [x, base = Math.E] = positional(call, [aNumber], [aNumber]);
    if (base === 1) throw failed(call, 'division by zero');
    return float(Math.log(x) / Math.log(base));
  }),
  unary('gamma', gamma),
];

export const mathConstants: readonly (readonly [string, Value])[] = [
  ['e', float(Math.E)],
  ['pi', float(Math.PI)],
];

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);

/** IEEE 754: 1 to any power, and -1 to an infinite one, is 1; JavaScript says NaN. */
function pow(x: number, y: number): number {
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  return x ** y;
}

/** Halves go away from zero. */
function roundFloat(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** x less the nearest multiple of y; of two as near, the even one. */
function remainder(x: number, y: number): number {
  if (!Number.isFinite(x) || y === 0 || Number.isNaN(y)) return NaN;
  const unit = Math.abs(y);
  if (unit === Infinity) return x;
  let rest = Math.abs(x);
  if (unit <= Number.MAX_VALUE / 2) rest %= 2 * unit;
  if (rest > unit - rest) {
    rest -= unit;
    if (rest >= unit - rest) rest -= unit;
  }
  return isNegative(x) ? -rest : rest;
}

// The gamma function, by the approximation of Lanczos (g = 7, nine terms).

const terms = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Exact for whole numbers as far as a float is; NaN at the poles below zero. */
function gamma(x: number): number {
  if (x === 0) return 1 / x;
  if (Number.isInteger(x) || x === -Infinity) return x < 0 ? NaN : factorial(x - 1);
  if (!Number.isFinite(x)) return x;
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  if (x > 171.7) return Infinity;
  const y = x - 1;
  let sum = terms[0] ?? 0;
  for (let i = 1; i < terms.length; i++) sum += (terms[i] ?? 0) / (y + i);
  const t = y + 7.5;
  // In two steps, since the power alone is too large from about 143 on.
  const half = t ** ((y + 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-t) * half * sum;
}

function factorial(n: number): number {
  if (n > 170) return Infinity;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}

/** `abs`, and what the plan profile adds: `round`, `pow`. */
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
