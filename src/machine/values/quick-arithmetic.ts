/**
 * Short ways of operators on small ints and on floats; the rules of quick.ts hold: what `binary`
 * gives, or undefined. Ints of any size, and whatever else an operator takes, are operators.ts.
 */
import { opcodeNumbers } from '../../program/opcodes.ts';
import { type Float, float, int, type Value } from '../../program/value.ts';

const { ADD, AND, DIV, FLOORDIV, MUL, OR, SHR, SUB, XOR } = opcodeNumbers;

export const isFloat = (value: Value): value is Float =>
  typeof value === 'object' && value !== null && value.kind === 'float';

/** x op y for the opcodes ADD to SHR. */
export function arithmetic(op: number, x: Value, y: Value): Value | undefined {
  if (typeof x === 'number') {
    if (typeof y === 'number') return onInts(op, x, y);
    if (typeof y === 'bigint') return onLarge(op, BigInt(x), y, sums);
    return isFloat(y) ? onFloats(op, x, y.value) : undefined;
  }
  if (typeof x === 'bigint') {
    if (typeof y === 'number') return onLarge(op, x, BigInt(y), sums);
    return typeof y === 'bigint' ? onLarge(op, x, y, products) : undefined;
  }
  if (!isFloat(x)) return undefined;
  if (typeof y === 'number') return onFloats(op, x.value, y);
  return isFloat(y) ? onFloats(op, x.value, y.value) : undefined;
}

function onFloats(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case ADD:
      return float(x + y);
    case SUB:
      return float(x - y);
    case MUL:
      return float(x * y);
    case DIV:
      return y === 0 ? undefined : float(x / y);
    default:
      return undefined;
  }
}

/** Ints of a size at which the work takes about as long as any instruction. */
function onLarge(op: number, x: bigint, y: bigint, factors: Bounds): Value | undefined {
  switch (op) {
    case ADD:
      return isWithin(x, sums) && isWithin(y, sums) ? int(x + y) : undefined;
    case SUB:
      return isWithin(x, sums) && isWithin(y, sums) ? int(x - y) : undefined;
    case MUL:
      return isWithin(x, factors) && isWithin(y, factors) ? int(x * y) : undefined;
    default:
      return undefined;
  }
}

interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
}

const ofBits = (bits: bigint): Bounds => ({ least: -(1n << bits), most: 1n << bits });
const sums = ofBits(4096n);
/** Of factors that are both large. */
const products = ofBits(512n);

const isWithin = (x: bigint, { least, most }: Bounds): boolean => x <= most && x >= least;

/** Bits are taken of ints of 32 bits only: the host has no wider operators on numbers. */
function onInts(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case DIV:
      return y === 0 ? undefined : float(x / y);
    case FLOORDIV:
      return y === 0 ? undefined : floored(x, y);
    case AND:
      return isBits(x) && isBits(y) ? x & y : undefined;
    case OR:
      return isBits(x) && isBits(y) ? x | y : undefined;
    case XOR:
      return isBits(x) && isBits(y) ? x ^ y : undefined;
    case SHR:
      return isBits(x) && y >= 0 && y < 32 ? x >> y : undefined;
    default:
      return undefined;
  }
}

const isBits = (x: number): boolean => (x | 0) === x;

/** Exact, which rounding a quotient of large ints is not; never -0. */
function floored(x: number, y: number): number {
  const remainder = x % y;
  const quotient = (x - remainder) / y;
  return (remainder !== 0 && remainder < 0 !== y < 0 ? quotient - 1 : quotient) + 0;
}
