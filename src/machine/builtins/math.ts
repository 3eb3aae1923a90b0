/** The module `math` of starlark-go: floats in, floats out; `ceil` and `floor` give ints. */
import { float, typeName, type Value } from '../../program/value.ts';
import { toFloat, toInt } from '../values/numbers.ts';
import {
  anything,
  type Check,
  define,
  failed,
  Mismatch,
  misused,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { gamma } from './gamma.ts';

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
  unary('round', round),
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
function round(x: number): number {
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
