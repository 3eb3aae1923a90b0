/**
 * Short ways of operators on small ints and on floats; the rules of quick.ts hold: what `binary`
 * gives, or undefined. Ints of any size, and whatever else an operator takes, are operators.ts.
 */
import { float, int, type Value } from '../program/value.ts';

/** x op y for the opcodes ADD to SHR. */
export function arithmetic(op: number, x: Value, y: Value): Value | undefined {
  if (typeof x === 'number') {
    if (typeof y === 'number') return onInts(op, x, y);
    if (typeof y !== 'object' || y === null || y.kind !== 'float') return undefined;
    return onFloats(op, x, y.value);
  }
  if (typeof x === 'bigint') return typeof y === 'bigint' ? onLarge(op, x, y) : undefined;
  if (typeof x !== 'object' || x === null || x.kind !== 'float') return undefined;
  if (typeof y === 'number') return onFloats(op, x.value, y);
  if (typeof y !== 'object' || y === null || y.kind !== 'float') return undefined;
  return onFloats(op, x.value, y.value);
}

function onFloats(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case 13: // ADD
      return float(x + y);
    case 14: // SUB
      return float(x - y);
    case 15: // MUL
      return float(x * y);
    case 16: // DIV
      return y === 0 ? undefined : float(x / y);
    default:
      return undefined;
  }
}

/** Ints of a size at which adding them takes about as long as any instruction. */
function onLarge(op: number, x: bigint, y: bigint): Value | undefined {
  if (x > modest || x < -modest || y > modest || y < -modest) return undefined;
  if (op === 13) return int(x + y); // ADD
  if (op === 14) return int(x - y); // SUB
  return undefined;
}

const modest = 1n << 4096n;

/** Bits are taken of ints of 32 bits only: the host has no wider operators on numbers. */
function onInts(op: number, x: number, y: number): Value | undefined {
  switch (op) {
    case 16: // DIV
      return y === 0 ? undefined : float(x / y);
    case 17: // FLOORDIV
      return y === 0 ? undefined : floored(x, y);
    case 21: // AND
      return isBits(x) && isBits(y) ? x & y : undefined;
    case 22: // OR
      return isBits(x) && isBits(y) ? x | y : undefined;
    case 23: // XOR
      return isBits(x) && isBits(y) ? x ^ y : undefined;
    case 26: // SHR
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
