/** Equality, order, membership and truth (Starlark specification, "Comparisons"). */

import { depthMax } from '../program/json.ts';
import {
  keyOf,
  type List,
  rangeLength,
  type SetValue,
  settled,
  type Tuple,
  typeName,
  type Value,
} from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
import { need } from './pendings.ts';

/** Whether two values are equal; waits for pendings inside them. */
export function equals(left: Value, right: Value, depth = 0): boolean {
  const x = need(left);
  const y = need(right);
  if (x === y && !isContainer(x)) return true;
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y) === 0;
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return false;
  if (x.kind !== y.kind) return false;
  if (depth > depthMax) throw tooDeep();
  switch (x.kind) {
    case 'list':
    case 'tuple':
      return equalItems(x.items, (y as List | Tuple).items, depth);
    case 'bytes':
      return y.kind === 'bytes' && keyOf(x) === keyOf(y);
    case 'dict': {
      if (y.kind !== 'dict' || x.index.size !== y.index.size) return false;
      for (const [key, at] of x.index) {
        const mine = x.slots[at];
        const other = y.slots[y.index.get(key) ?? -1];
        if (!mine || !other || !equals(mine[1], other[1], depth + 1)) return false;
      }
      return true;
    }
    case 'set':
      return (
        y.kind === 'set' &&
        x.index.size === y.index.size &&
        [...x.index.keys()].every((key) => y.index.has(key))
      );
    case 'range':
      return y.kind === 'range' && sameRange(x, y);
    case 'struct':
      return (
        y.kind === 'struct' &&
        x.name === y.name &&
        x.maker === y.maker &&
        x.fields.size === y.fields.size &&
        [...x.fields].every(([name, value]) => {
          const other = y.fields.get(name);
          return other !== undefined && equals(value, other, depth + 1);
        })
      );
    case 'builtin':
    case 'tool':
      return y.kind === x.kind && y.name === x.name;
    default:
      return false;
  }
}

/** Equal to itself only as far as what it holds is: one that holds itself has no end. */
const isContainer = (value: Value): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value.kind === 'list' || value.kind === 'tuple' || value.kind === 'dict');

const tooDeep = (): Fault =>
  new Fault(
    faults.nesting,
    'comparison exceeded maximum recursion depth',
    `values nest deeper than ${depthMax} levels, or form a cycle`,
  );

type Range = Extract<Value, { kind: 'range' }>;

function sameRange(x: Range, y: Range): boolean {
  const size = rangeLength(x);
  if (size !== rangeLength(y)) return false;
  return size === 0 || (x.start === y.start && (size === 1 || x.step === y.step));
}

function equalItems(x: readonly Value[], y: readonly Value[], depth: number): boolean {
  return x.length === y.length && x.every((item, i) => equals(item, y[i] as Value, depth + 1));
}

const isNumber = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && value.kind === 'float');

/** JavaScript compares a number with a bigint exactly; NaN is greatest and equals itself. */
function compareNumbers(x: Value, y: Value): number {
  const a = plain(x);
  const b = plain(y);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const plain = (value: Value): number | bigint =>
  typeof value === 'object' && value !== null && value.kind === 'float'
    ? value.value
    : (value as number | bigint);

/** Negative, zero or positive; a guest error where the types have no order. */
export function compare(op: string, left: Value, right: Value, depth = 0): number {
  const x = need(left);
  const y = need(right);
  if (
    typeof x === 'object' &&
    x?.kind === 'float' &&
    typeof y === 'object' &&
    y?.kind === 'float'
  ) {
    if (x.value < y.value) return -1;
    if (x.value > y.value) return 1;
  }
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y);
  if (typeof x === 'string' && typeof y === 'string') return x < y ? -1 : x > y ? 1 : 0;
  if (typeof x === 'boolean' && typeof y === 'boolean') return Number(x) - Number(y);
  if (depth > depthMax) throw tooDeep();
  if (x !== null && y !== null && typeof x === 'object' && typeof y === 'object') {
    if ((x.kind === 'list' && y.kind === 'list') || (x.kind === 'tuple' && y.kind === 'tuple')) {
      for (let i = 0; i < Math.min(x.items.length, y.items.length); i++) {
        const [a, b] = [x.items[i] as Value, y.items[i] as Value];
        if (!equals(a, b, depth + 1)) return compare(op, a, b, depth + 1);
      }
      return x.items.length - y.items.length;
    }
    if (x.kind === 'set' && y.kind === 'set') return compareSets(op, x, y);
    if (x.kind === 'bytes' && y.kind === 'bytes') {
      for (let i = 0; i < Math.min(x.bytes.length, y.bytes.length); i++) {
        const difference = (x.bytes[i] ?? 0) - (y.bytes[i] ?? 0);
        if (difference !== 0) return difference;
      }
      return x.bytes.length - y.bytes.length;
    }
  }
  throw new Fault(faults.operandTypes, `${typeName(x)} ${op} ${typeName(y)} not implemented`);
}

/** A number for which the operator says whether one set contains the other; sets have no order. */
function compareSets(op: string, x: SetValue, y: SetValue): number {
  const holds = op.startsWith('<') ? isSubset(x, y) : isSubset(y, x);
  const proper = op.length === 1;
  const yes = holds && !(proper && x.index.size === y.index.size);
  return op.startsWith('<') === yes ? -1 : 1;
}

export function isSubset(x: SetValue, y: SetValue): boolean {
  return x.index.size <= y.index.size && [...x.index.keys()].every((key) => y.index.has(key));
}

/** x in y. */
export function contains(element: Value, container: Value): boolean {
  const y = need(container);
  if (typeof y === 'string') {
    const x = need(element);
    if (typeof x === 'string') return y.includes(x);
    throw new Fault(
      faults.operandTypes,
      `'in <string>' requires string as left operand, not ${typeName(x)}`,
    );
  }
  if (y !== null && typeof y === 'object') {
    switch (y.kind) {
      case 'list':
      case 'tuple':
        for (const item of y.items) if (equals(item, element)) return true;
        return false;
      case 'dict':
        return isKey(element) && y.index.has(hashable(element));
      case 'set':
        return y.index.has(hashable(element));
      case 'range': {
        const x = whole(need(element));
        const at = (x - y.start) / y.step;
        return Number.isInteger(at) && at >= 0 && at < rangeLength(y);
      }
      case 'bytes':
        return inBytes(need(element), y.bytes);
      default:
    }
  }
  throw new Fault(
    faults.operandTypes,
    `unknown binary op: ${typeName(settled(element))} in ${typeName(y)}`,
  );
}

/** Whether a value can be a key; what cannot is in no dict. Waits for it. */
function isKey(value: Value): boolean {
  const seen = need(value);
  if (typeof seen !== 'object' || seen === null) return true;
  return seen.kind === 'tuple' ? seen.items.every(isKey) : keyOf(seen) !== undefined;
}

/** What is looked for in a range; a float loses its fraction. */
function whole(x: Value): number {
  if (typeof x === 'number' || typeof x === 'bigint') return Number(x);
  if (x !== null && typeof x === 'object' && x.kind === 'float') return Math.trunc(x.value);
  const message = `'in <range>' requires integer as left operand, not ${typeName(x)}`;
  throw new Fault(faults.operandTypes, message);
}

function inBytes(x: Value, all: Uint8Array): boolean {
  if (typeof x === 'object' && x?.kind === 'bytes') {
    const { bytes } = x;
    for (let at = 0; at + bytes.length <= all.length; at++) {
      if (bytes.every((byte, i) => all[at + i] === byte)) return true;
    }
    return false;
  }
  if (typeof x === 'number' || typeof x === 'bigint') {
    if (x >= 0 && x < 256) return all.includes(Number(x));
    throw new Fault(faults.operandTypes, `int in bytes: ${x} out of range`);
  }
  const message = `'in bytes' requires bytes or int as left operand, not ${typeName(x)}`;
  throw new Fault(faults.operandTypes, message);
}

/** The key of a value for dicts and sets; waits for pendings, refuses what has no hash. */
export function hashable(value: Value): NonNullable<ReturnType<typeof keyOf>> | null {
  const seen = need(value);
  if (typeof seen === 'object' && seen?.kind === 'tuple') {
    for (const item of seen.items) hashable(item);
  }
  const key = keyOf(seen);
  if (key === undefined) {
    const word = canChange(seen) ? 'unhashable type' : 'unhashable';
    throw new Fault(faults.unhashable, `${word}: ${typeName(seen)}`);
  }
  return key;
}

/** Lists, dicts and sets are of a type that has no hash; of the rest, the value has none. */
const canChange = (value: Value): boolean =>
  typeof value === 'object' && value !== null && /^(list|dict|set)$/.test(value.kind);

/** None, false, zero and what is empty are false. */
export function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  const seen = need(value);
  if (seen === null) return false;
  switch (typeof seen) {
    case 'boolean':
      return seen;
    case 'object':
      break;
    default:
      return Boolean(seen);
  }
  switch (seen.kind) {
    case 'float':
      return seen.value !== 0;
    case 'bytes':
      return seen.bytes.length > 0;
    case 'list':
    case 'tuple':
      return seen.items.length > 0;
    case 'dict':
    case 'set':
      return seen.index.size > 0;
    case 'range':
      return rangeLength(seen) > 0;
    default:
      return true;
  }
}
