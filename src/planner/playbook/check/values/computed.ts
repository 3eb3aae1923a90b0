/**
 * What comes of known values by an operator or a function of expressions, as the loop has it
 * (`loops/playbook/values.star`). Undefined for what it would refuse, and for what is seldom
 * written: that is nobody's to check.
 */
import { stringify } from '../../../../program/json.ts';

export function computed(op: string, [a, b, c]: readonly unknown[]): unknown {
  if (op === 'if') return isTrue(a) ? b : c;
  if (op === 'not') return !isTrue(a);
  if (op === 'and') return isTrue(a) ? b : a;
  if (op === 'or') return isTrue(a) ? a : b;
  if (op === '==') return stringify(a) === stringify(b);
  if (op === '!=') return stringify(a) !== stringify(b);
  if (c !== undefined) return undefined;
  if (b === undefined) return ofOne(op, a);
  if (typeof a === 'number' && typeof b === 'number') return ofNumbers(op, a, b);
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  return op === '+' ? a + b : ordered(op, a, b);
}

function ofOne(op: string, a: unknown): unknown {
  if (op === 'bool') return isTrue(a);
  if (typeof a === 'number') return op === '-' ? -a : op === 'abs' ? Math.abs(a) : undefined;
  if (typeof a === 'string') return ofText(op, a);
  if (typeof a !== 'object' || a === null) return undefined;
  if (op === 'len') return Object.keys(a).length;
  return Array.isArray(a) && a.every((one) => typeof one === 'number')
    ? ofAll(op, a.map(Number))
    : undefined;
}

function ofText(op: string, a: string): string | number | undefined {
  if (op === '.upper') return a.toUpperCase();
  if (op === '.lower') return a.toLowerCase();
  return op === 'len' ? a.length : undefined;
}

function ofAll(op: string, all: readonly number[]): number | undefined {
  if (op === 'sum') return inRange(all.reduce((sum, one) => sum + one, 0));
  if (all.length === 0) return undefined;
  return op === 'max' ? Math.max(...all) : op === 'min' ? Math.min(...all) : undefined;
}

function ofNumbers(op: string, a: number, b: number): number | boolean | undefined {
  if (op === 'max') return Math.max(a, b);
  if (op === 'min') return Math.min(a, b);
  const came = op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : quotient(op, a, b);
  return came === undefined ? ordered(op, a, b) : inRange(came);
}

function quotient(op: string, a: number, b: number): number | undefined {
  if (op === '/') return a / b;
  if (op === '//') return Math.floor(a / b);
  return op === '%' ? a - Math.floor(a / b) * b : undefined;
}

/** Beyond it, numbers here are no longer what they are there. */
const inRange = (number: number): number | undefined =>
  Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;

/** Undefined for an operator that compares no order. */
export function ordered<Of extends number | bigint | string>(
  op: string,
  a: Of,
  b: Of,
): boolean | undefined {
  if (op === '<') return a < b;
  if (op === '<=') return a <= b;
  if (op === '>') return a > b;
  return op === '>=' ? a >= b : undefined;
}

const isTrue = (data: unknown): boolean =>
  typeof data === 'object' && data !== null ? Object.keys(data).length > 0 : Boolean(data);
