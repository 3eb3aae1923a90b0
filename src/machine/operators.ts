/** Arithmetic and joining operators on settled values: the slow paths of the dispatch switch. */
import {
  type Dict,
  dict,
  dictSet,
  type Float,
  float,
  int,
  type Key,
  list,
  type SetValue,
  set,
  tuple,
  typeName,
  type Value,
} from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
import type { MachineLimits } from './machine.ts';
import { fits } from './pendings.ts';

type Int = number | bigint;

const isInt = (value: Value): value is Int =>
  typeof value === 'number' || typeof value === 'bigint';
const isFloat = (value: Value): value is Float =>
  typeof value === 'object' && value !== null && value.kind === 'float';
const isNumber = (value: Value): value is Int | Float => isInt(value) || isFloat(value);
const real = (value: Int | Float): number =>
  typeof value === 'object' ? value.value : Number(value);

/** Symbols by opcode, for messages. */
const symbols: Readonly<Record<number, string>> = {
  13: '+',
  14: '-',
  15: '*',
  16: '/',
  17: '//',
  18: '%',
  19: '-',
  20: '+',
  21: '&',
  22: '|',
  23: '^',
  24: '~',
  25: '<<',
  26: '>>',
};

/** x op y for the opcodes ADD to SHR with two operands. */
export function binary(op: number, x: Value, y: Value, limits: MachineLimits): Value {
  const result = isNumber(x) && isNumber(y) ? numeric(op, x, y) : joined(op, x, y, limits);
  if (result !== undefined) return result;
  throw new Fault(
    faults.operandTypes,
    `unknown binary op: ${typeName(x)} ${symbols[op]} ${typeName(y)}`,
  );
}

/** op x for NEG, POS and INVERT. */
export function unary(op: number, x: Value): Value {
  if (op === 24 && isInt(x)) return int(~BigInt(x));
  if (op === 20 && isNumber(x)) return x;
  if (op === 19 && isInt(x)) return typeof x === 'bigint' ? int(-x) : 0 - x;
  if (op === 19 && isFloat(x)) return float(-x.value);
  throw new Fault(faults.operandTypes, `unknown unary op: ${symbols[op]}${typeName(x)}`);
}

function numeric(op: number, x: Int | Float, y: Int | Float): Value | undefined {
  if (op === 16) return float(real(x) / nonZero(real(y), 'floating-point division'));
  if (typeof x === 'object' || typeof y === 'object') return onFloats(op, real(x), real(y));
  return onInts(op, x, y);
}

function onFloats(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case 13:
      return float(x + y);
    case 14:
      return float(x - y);
    case 15:
      return float(x * y);
    case 17:
      return float(Math.floor(x / nonZero(y, 'floored division')));
    case 18:
      return float(floatRemainder(x, nonZero(y, 'floating-point modulo')));
    default:
      return undefined;
  }
}

/** The remainder has the divisor's sign. */
function floatRemainder(x: number, y: number): number {
  const remainder = x % y;
  return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder;
}

function onInts(op: number, x: Int, y: Int): Value | undefined {
  switch (op) {
    case 13:
      return int(BigInt(x) + BigInt(y));
    case 14:
      return int(BigInt(x) - BigInt(y));
    case 15:
      return int(BigInt(x) * BigInt(y));
    case 17:
      return int(floorDivide(BigInt(x), BigInt(nonZero(y, 'floored division'))));
    case 18: {
      const divisor = BigInt(nonZero(y, 'integer modulo'));
      return int(BigInt(x) - floorDivide(BigInt(x), divisor) * divisor);
    }
    case 21:
      return int(BigInt(x) & BigInt(y));
    case 22:
      return int(BigInt(x) | BigInt(y));
    case 23:
      return int(BigInt(x) ^ BigInt(y));
    case 25:
      return int(BigInt(x) << shift(y));
    case 26:
      return int(BigInt(x) >> shift(y));
    default:
      return undefined;
  }
}

const floorDivide = (x: bigint, y: bigint): bigint => {
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
};

function shift(count: Int): bigint {
  if (count < 0) throw new Fault(faults.operandTypes, `negative shift count: ${count}`);
  if (count >= 512) throw new Fault(faults.operandTypes, `shift count too large: ${count}`);
  return BigInt(count);
}

function nonZero<T extends Int>(value: T, operation: string): T {
  if (value === 0 || value === 0n) throw new Fault(faults.divisionByZero, `${operation} by zero`);
  return value;
}

function joined(op: number, x: Value, y: Value, limits: MachineLimits): Value | undefined {
  if (op === 13) return concatenated(x, y, limits);
  if (op === 15) {
    if (isInt(y)) return repeated(x, y, limits);
    if (isInt(x)) return repeated(y, x, limits);
  }
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return undefined;
  if (x.kind === 'set' && y.kind === 'set') {
    if (op === 22) return setOf(x, () => true, y);
    if (op === 21) return setOf(x, (key) => y.index.has(key));
    if (op === 23)
      return setOf(
        setOf(x, (key) => !y.index.has(key)),
        () => true,
        except(y, x),
      );
  }
  if (op === 22 && x.kind === 'dict' && y.kind === 'dict') return merged(x, y);
  return undefined;
}

const except = (x: SetValue, y: SetValue): SetValue => setOf(x, (key) => !y.index.has(key));

/** The members of x that pass, then all of y. */
function setOf(x: SetValue, passes: (key: Key) => boolean, y?: SetValue): SetValue {
  const made = set();
  for (const from of y ? [x, y] : [x]) {
    for (const [key, at] of from.index) {
      if (made.index.has(key) || (from === x && !passes(key))) continue;
      made.index.set(key, made.slots.push(from.slots[at]) - 1);
    }
  }
  return made;
}

function merged(x: Dict, y: Dict): Dict {
  const made = dict();
  for (const from of [x, y]) {
    for (const slot of from.slots) if (slot) dictSet(made, slot[0], slot[1]);
  }
  return made;
}

function concatenated(x: Value, y: Value, limits: MachineLimits): Value | undefined {
  if (typeof x === 'string' && typeof y === 'string') {
    fits(x.length + y.length, limits.valueBytes);
    return x + y;
  }
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return undefined;
  if (x.kind === 'list' && y.kind === 'list') {
    fits(8 * (x.items.length + y.items.length), limits.valueBytes);
    return list([...x.items, ...y.items]);
  }
  if (x.kind === 'tuple' && y.kind === 'tuple') {
    fits(8 * (x.items.length + y.items.length), limits.valueBytes);
    return tuple([...x.items, ...y.items]);
  }
  if (x.kind === 'bytes' && y.kind === 'bytes') {
    fits(x.bytes.length + y.bytes.length, limits.valueBytes);
    const bytes = new Uint8Array(x.bytes.length + y.bytes.length);
    bytes.set(x.bytes);
    bytes.set(y.bytes, x.bytes.length);
    return { kind: 'bytes', bytes };
  }
  return undefined;
}

function repeated(x: Value, count: Int, limits: MachineLimits): Value | undefined {
  const times = count < 0 ? 0 : Number(count);
  if (typeof x === 'string') {
    fits(x.length * times, limits.valueBytes);
    return x.repeat(times);
  }
  if (x === null || typeof x !== 'object') return undefined;
  if (x.kind === 'bytes') {
    fits(x.bytes.length * times, limits.valueBytes);
    const bytes = new Uint8Array(x.bytes.length * times);
    for (let i = 0; i < times; i++) bytes.set(x.bytes, i * x.bytes.length);
    return { kind: 'bytes', bytes };
  }
  if (x.kind !== 'list' && x.kind !== 'tuple') return undefined;
  fits(8 * x.items.length * times, limits.valueBytes);
  const items: Value[] = [];
  for (let i = 0; i < times; i++) for (const item of x.items) items.push(item);
  return x.kind === 'list' ? list(items) : tuple(items);
}
