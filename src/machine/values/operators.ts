/** Arithmetic and joining operators on settled values: the slow paths of the dispatch switch. */
import { opcodeNumbers } from '../../program/opcodes.ts';
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
} from '../../program/value.ts';
import { Fault, faults } from './fault.ts';
import { interpolate } from './format.ts';
import { intFits } from './numbers.ts';
import { fits, room, roomForText } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { joinText } from './text.ts';
import { bitsOf, productCost } from './walk.ts';

const { ADD, AND, DIV, FLOORDIV, INVERT, MOD, MUL, NEG, OR, POS, SHL, SHR, SUB, XOR } =
  opcodeNumbers;

type Int = number | bigint;

const isInt = (value: Value): value is Int =>
  typeof value === 'number' || typeof value === 'bigint';
const isFloat = (value: Value): value is Float =>
  typeof value === 'object' && value !== null && value.kind === 'float';
const isNumber = (value: Value): value is Int | Float => isInt(value) || isFloat(value);
function real(value: Int | Float): number {
  if (typeof value === 'object') return value.value;
  const nearest = Number(value);
  if (Number.isFinite(nearest)) return nearest;
  throw new Fault(faults.operandTypes, 'int too large to convert to float');
}

/** Symbols by opcode, for messages. */
const symbols: Readonly<Record<number, string>> = {
  [ADD]: '+',
  [SUB]: '-',
  [MUL]: '*',
  [DIV]: '/',
  [FLOORDIV]: '//',
  [MOD]: '%',
  [NEG]: '-',
  [POS]: '+',
  [AND]: '&',
  [OR]: '|',
  [XOR]: '^',
  [INVERT]: '~',
  [SHL]: '<<',
  [SHR]: '>>',
};

/** x op y for the opcodes ADD to SHR with two operands. */
export function binary(op: number, x: Value, y: Value, around: Surroundings): Value {
  const result = isNumber(x) && isNumber(y) ? numeric(op, x, y, around) : joined(op, x, y, around);
  if (result !== undefined) return result;
  throw new Fault(
    faults.operandTypes,
    `unknown binary op: ${typeName(x)} ${symbols[op]} ${typeName(y)}`,
    textHint(symbols[op], x, y),
  );
}

/** What is meant where one side is a text. */
function textHint(symbol: string | undefined, x: Value, y: Value): string | undefined {
  if (typeof x !== 'string' && typeof y !== 'string') return undefined;
  return symbol === '+'
    ? 'text is joined with text: str(x) makes one of a value'
    : 'int(s) or float(s) makes a number of a text';
}

/** op x for NEG, POS and INVERT. */
export function unary(op: number, x: Value): Value {
  if (op === INVERT && isInt(x)) return int(~BigInt(x));
  if (op === POS && isNumber(x)) return x;
  if (op === NEG && isInt(x)) return typeof x === 'bigint' ? int(-x) : 0 - x;
  if (op === NEG && isFloat(x)) return float(-x.value);
  throw new Fault(faults.operandTypes, `unknown unary op: ${symbols[op]} ${typeName(x)}`);
}

function numeric(
  op: number,
  x: Int | Float,
  y: Int | Float,
  around: Surroundings,
): Value | undefined {
  if (op === DIV) return float(real(x) / nonZero(real(y), 'floating-point division'));
  if (typeof x === 'object' || typeof y === 'object') return onFloats(op, real(x), real(y));
  return onInts(op, x, y, around);
}

function onFloats(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case ADD:
      return float(x + y);
    case SUB:
      return float(x - y);
    case MUL:
      return float(x * y);
    case FLOORDIV:
      return float(Math.floor(x / nonZero(y, 'floored division')));
    case MOD:
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

function onInts(op: number, x: Int, y: Int, around: Surroundings): Value | undefined {
  switch (op) {
    case ADD:
      sized(1 + Math.max(bitsOf(x), bitsOf(y)), around);
      return int(BigInt(x) + BigInt(y));
    case SUB:
      sized(1 + Math.max(bitsOf(x), bitsOf(y)), around);
      return int(BigInt(x) - BigInt(y));
    case MUL:
      sized(bitsOf(x) + bitsOf(y), around);
      around.charge?.(productCost(x, y));
      return int(BigInt(x) * BigInt(y));
    case FLOORDIV:
      around.charge?.(2 * productCost(x, y));
      return int(floorDivide(BigInt(x), BigInt(nonZero(y, 'floored division'))));
    case MOD: {
      around.charge?.(2 * productCost(x, y));
      const divisor = BigInt(nonZero(y, 'integer modulo'));
      return int(BigInt(x) - floorDivide(BigInt(x), divisor) * divisor);
    }
    case AND:
      return int(BigInt(x) & BigInt(y));
    case OR:
      return int(BigInt(x) | BigInt(y));
    case XOR:
      return int(BigInt(x) ^ BigInt(y));
    case SHL:
      if (shift(y) >= 512n) {
        throw new Fault(faults.operandTypes, `shift count too large: ${y}`);
      }
      sized(bitsOf(x) + Number(y), around);
      return int(BigInt(x) << shift(y));
    case SHR:
      return int(BigInt(x) >> shift(y));
    default:
      return undefined;
  }
}

/** Takes fuel for an int of so many bits, and refuses one that is too large. */
function sized(bits: number, around: Surroundings): void {
  intFits(bits, around.valueBytes);
  around.charge?.(bits >> 6);
}

const floorDivide = (x: bigint, y: bigint): bigint => {
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
};

function shift(count: Int): bigint {
  if (count < 0) throw new Fault(faults.operandTypes, `negative shift count: ${count}`);
  return BigInt(count);
}

function nonZero<T extends Int>(value: T, operation: string): T {
  if (value === 0 || value === 0n) throw new Fault(faults.divisionByZero, `${operation} by zero`);
  return value;
}

function joined(op: number, x: Value, y: Value, around: Surroundings): Value | undefined {
  const custom = byHost(op, x, y);
  if (custom !== undefined) return custom;
  if (op === ADD) return concatenated(x, y, around);
  if (op === MOD && typeof x === 'string') return interpolate(x, y, around);
  if (op === MUL) {
    if (isInt(y)) return repeated(x, y, around);
    if (isInt(x)) return repeated(y, x, around);
  }
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return undefined;
  if (x.kind === 'set' && y.kind === 'set') {
    room(x.index.size + y.index.size, around);
    if (op === OR) return setOf(x, () => true, y);
    if (op === SUB) return except(x, y);
    if (op === AND) return setOf(x, (key) => y.index.has(key));
    if (op === XOR)
      return setOf(
        setOf(x, (key) => !y.index.has(key)),
        () => true,
        except(y, x),
      );
  }
  if (op === OR && x.kind === 'dict' && y.kind === 'dict') {
    room(x.index.size + y.index.size, around);
    return merged(x, y);
  }
  return undefined;
}

/** An operator that a value of the host defines. */
function byHost(op: number, x: Value, y: Value): Value | undefined {
  const result = byHostOf(x, op, x, y);
  return result === undefined ? byHostOf(y, op, x, y) : result;
}

function byHostOf(one: Value, op: number, x: Value, y: Value): Value | undefined {
  if (one === null || typeof one !== 'object' || one.kind !== 'object') return undefined;
  return one.type.binary?.(symbols[op] ?? '', x, y);
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

function concatenated(x: Value, y: Value, around: Surroundings): Value | undefined {
  if (typeof x === 'string' && typeof y === 'string') {
    fits(x.length + y.length, around.valueBytes);
    around.charge?.((x.length + y.length) >> 6);
    return joinText(x, y);
  }
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return undefined;
  if (x.kind === 'list' && y.kind === 'list') {
    room(x.items.length + y.items.length, around);
    return list([...x.items, ...y.items]);
  }
  if (x.kind === 'tuple' && y.kind === 'tuple') {
    room(x.items.length + y.items.length, around);
    return tuple([...x.items, ...y.items]);
  }
  if (x.kind === 'struct' && y.kind === 'struct') {
    if (x.name !== y.name || x.maker !== y.maker) {
      const message = `cannot add structs of different constructors: ${x.name} + ${y.name}`;
      throw new Fault(faults.operandTypes, message);
    }
    room(x.fields.size + y.fields.size, around);
    return { ...x, fields: new Map([...x.fields, ...y.fields]) };
  }
  if (x.kind === 'bytes' && y.kind === 'bytes') {
    roomForText(x.bytes.length + y.bytes.length, around);
    const bytes = new Uint8Array(x.bytes.length + y.bytes.length);
    bytes.set(x.bytes);
    bytes.set(y.bytes, x.bytes.length);
    return { kind: 'bytes', bytes };
  }
  return undefined;
}

function repeated(x: Value, count: Int, around: Surroundings): Value | undefined {
  if (typeof x === 'string') return x.repeat(repeats(x.length, 1, count, around));
  if (x === null || typeof x !== 'object') return undefined;
  if (x.kind === 'bytes') {
    const times = repeats(x.bytes.length, 1, count, around);
    const bytes = new Uint8Array(x.bytes.length * times);
    for (let i = 0; i < times; i++) bytes.set(x.bytes, i * x.bytes.length);
    return { kind: 'bytes', bytes };
  }
  if (x.kind !== 'list' && x.kind !== 'tuple') return undefined;
  const times = repeats(x.items.length, 8, count, around);
  const items: Value[] = [];
  for (let i = 0; i < times; i++) for (const item of x.items) items.push(item);
  return x.kind === 'list' ? list(items) : tuple(items);
}

/** How often to repeat `length` elements of so many bytes, if the result is not too large. */
function repeats(length: number, bytes: number, count: Int, around: Surroundings): number {
  if (length === 0 || count <= 0) return 0;
  const hint = 'raise the limit valueBytes';
  if (count > 2 ** 31 - 1) {
    throw new Fault(faults.valueSize, `repeat count ${count} too large`, hint);
  }
  const times = Number(count);
  if (bytes * length * times > around.valueBytes) {
    const message = `excessive repeat (${length} * ${times} elements)`;
    throw new Fault(faults.valueSize, message, hint);
  }
  around.charge?.((length * times * bytes) >> 3);
  return times;
}

/** x ** y: an int where both are ints and y is not negative, else a float. */
export function power(x: Value, y: Value, around: Surroundings): Value {
  if (!isNumber(x) || !isNumber(y)) {
    throw new Fault(faults.operandTypes, `unknown binary op: ${typeName(x)} ** ${typeName(y)}`);
  }
  if (isInt(x) && isInt(y) && y >= 0) {
    if (x === 0 || x === 1) return y === 0 ? 1 : x;
    if (x === -1) return BigInt(y) % 2n === 0n ? 1 : -1;
    const bits = bitsOf(x) * Number(y);
    sized(bits, around);
    around.charge?.(bits ** 2 / 2 ** 18);
    return int(BigInt(x) ** BigInt(y));
  }
  const [base, exponent] = [real(x), real(y)];
  if (exponent < 0) nonZero(base, 'power of zero to a negative number: division');
  return float(base ** exponent);
}
