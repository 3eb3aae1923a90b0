/** Equality, order, membership, hash keys and truth (Starlark specification, "Comparisons"). */
import { depthMax } from '../../program/json.ts';
import {
  type Dict,
  type Key,
  keyOf,
  type List,
  rangeLength,
  type SetValue,
  type Struct,
  settled,
  type Tuple,
  typeName,
  type Value,
} from '../../program/value.ts';
import { binaryText, firstIndex, searchCost } from './characters.ts';
import { Fault, faults } from './fault.ts';
import { need, nestingFault } from './pendings.ts';
import { isFloat } from './quick-arithmetic.ts';
import type { Surroundings } from './surroundings.ts';
import { pass, type Walk, walked } from './walk.ts';

/** Negative, zero or positive; a guest error where the types have no order. */
export function compare(op: string, left: Value, right: Value, around: Surroundings): number {
  if (isFloat(left) && isFloat(right)) {
    if (left.value < right.value) return -1;
    if (left.value > right.value) return 1;
  }
  const x = need(left);
  const y = need(right);
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y);
  return walked(around, (walk) => ordered(walk, op, x, y, 0));
}

/** The same as a part of a walk. */
export function ordered(walk: Walk, op: string, left: Value, right: Value, depth: number): number {
  const x = need(left);
  const y = need(right);
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y);
  pass(walk, 1);
  if (typeof x === 'string' && typeof y === 'string') return orderedText(walk, x, y);
  if (typeof x === 'boolean' && typeof y === 'boolean') return Number(x) - Number(y);
  if (depth > depthMax) throw endless();
  if (x !== null && y !== null && typeof x === 'object' && typeof y === 'object') {
    if ((x.kind === 'list' && y.kind === 'list') || (x.kind === 'tuple' && y.kind === 'tuple')) {
      for (let i = 0; i < Math.min(x.items.length, y.items.length); i++) {
        const [a, b] = [x.items[i] as Value, y.items[i] as Value];
        if (!same(walk, a, b, depth + 1)) return ordered(walk, op, a, b, depth + 1);
      }
      return x.items.length - y.items.length;
    }
    if (x.kind === 'set' && y.kind === 'set') return orderedSets(walk, op, x, y);
    if (x.kind === 'bytes' && y.kind === 'bytes') return compareBytes(walk, x.bytes, y.bytes);
  }
  const isText = typeof x === 'string' || typeof y === 'string';
  const hint = isText ? 'int(s) or float(s) makes a number of a text' : undefined;
  throw new Fault(faults.operandTypes, `${typeName(x)} ${op} ${typeName(y)} not implemented`, hint);
}

function orderedText(walk: Walk, x: string, y: string): number {
  pass(walk, charactersCompared(x.length < y.length ? x : y));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A number for which the operator says whether one set contains the other; sets have no order. */
function orderedSets(walk: Walk, op: string, x: SetValue, y: SetValue): number {
  const holds = op.startsWith('<') ? isSubset(walk, x, y) : isSubset(walk, y, x);
  const proper = op.length === 1;
  const yes = holds && !(proper && x.index.size === y.index.size);
  return op.startsWith('<') === yes ? -1 : 1;
}

/** x in y. */
export function contains(element: Value, container: Value, around: Surroundings): boolean {
  const y = need(container);
  if (typeof y === 'string') return inText(need(element), y, around);
  if (y !== null && typeof y === 'object') {
    switch (y.kind) {
      case 'list':
      case 'tuple':
        return walked(around, (walk) => {
          for (const item of y.items) if (same(walk, item, element, 0)) return true;
          return false;
        });
      case 'dict':
        return (
          unhashablePart(need(element), around) === undefined &&
          y.index.has(hashable(element, around))
        );
      case 'set':
        return y.index.has(hashable(element, around));
      case 'range': {
        const x = whole(need(element));
        const at = (x - y.start) / y.step;
        return Number.isInteger(at) && at >= 0 && at < rangeLength(y);
      }
      case 'bytes':
        return inBytes(need(element), y.bytes, around);
      default:
    }
  }
  throw new Fault(
    faults.operandTypes,
    `unknown binary op: ${typeName(settled(element))} in ${typeName(y)}`,
  );
}

function inText(x: Value, all: string, around: Surroundings): boolean {
  if (typeof x === 'string') {
    around.charge?.(searchCost(all, x));
    return firstIndex(all, x) >= 0;
  }
  const message = `'in <string>' requires string as left operand, not ${typeName(x)}`;
  throw new Fault(faults.operandTypes, message);
}

/** What is looked for in a range; a float loses its fraction. */
function whole(x: Value): number {
  if (typeof x === 'number' || typeof x === 'bigint') return Number(x);
  if (x !== null && typeof x === 'object' && x.kind === 'float') return Math.trunc(x.value);
  const message = `'in <range>' requires integer as left operand, not ${typeName(x)}`;
  throw new Fault(faults.operandTypes, message);
}

function inBytes(x: Value, all: Uint8Array, around: Surroundings): boolean {
  around.charge?.(all.length >> 3);
  if (typeof x === 'object' && x?.kind === 'bytes') {
    const [text, part] = [binaryText(all), binaryText(x.bytes)];
    around.charge?.(searchCost(text, part));
    return firstIndex(text, part) >= 0;
  }
  if (typeof x === 'number' || typeof x === 'bigint') {
    if (x >= 0 && x < 256) return all.includes(Number(x));
    throw new Fault(faults.operandTypes, `int in bytes: ${x} out of range`);
  }
  const message = `'in bytes' requires bytes or int as left operand, not ${typeName(x)}`;
  throw new Fault(faults.operandTypes, message);
}

/**
 * Longest texts that the host's tables tell apart by what is in them. Longer ones of one length it
 * compares, one by one: as keys they cost more.
 */
export const hashedMax = 16_000;

/**
 * The key of a value for dicts and sets; waits for pendings, refuses what has no hash, and tuples
 * that nest or repeat their parts so much that looking at all of them never ends.
 */
export function hashable(value: Value, around: Surroundings): Key {
  const seen = need(value);
  if (typeof seen === 'string' && seen.length > hashedMax) around.charge?.(8 * seen.length);
  const found = unhashablePart(seen, around);
  const key = found === undefined ? keyOf(seen) : undefined;
  if (key === undefined) throw unhashable(found ?? seen);
  return key;
}

/** What keeps a value from being a key, if anything does: the value, or a part of it. */
function unhashablePart(value: Value, around: Surroundings): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = keyParts(value);
  if (parts) return walked(around, (walk) => unhashableIn(walk, parts, 0));
  if (value.kind === 'bytes') around.charge?.(value.bytes.length >> 3);
  return keyOf(value) === undefined ? value : undefined;
}

/** What a value's key is made of, where that is the keys of other values. */
function keyParts(value: Exclude<Value, null>): readonly Value[] | undefined {
  if (typeof value !== 'object') return undefined;
  if (value.kind === 'tuple') return value.items;
  return value.kind === 'struct' && !value.maker ? [...value.fields.values()] : undefined;
}

function unhashableIn(walk: Walk, parts: readonly Value[], depth: number): Value | undefined {
  if (depth > depthMax) throw nestingFault();
  for (const item of parts) {
    const part = need(item);
    pass(walk, typeof part === 'string' ? 1 + (part.length >> 3) : 1);
    if (typeof part !== 'object' || part === null) continue;
    if (part.kind === 'bytes') pass(walk, part.bytes.length);
    const inner = keyParts(part);
    const found = inner ? unhashableIn(walk, inner, depth + 1) : undefined;
    if (found !== undefined) return found;
    if (!inner && keyOf(part) === undefined) return part;
  }
  return undefined;
}

/** Lists, dicts and sets are of a type that has no hash; of the rest, the value has none. */
function unhashable(value: Value): Fault {
  const changes =
    typeof value === 'object' && value !== null && /^(list|dict|set)$/.test(value.kind);
  const word = changes ? 'unhashable type' : 'unhashable';
  return new Fault(faults.unhashable, `${word}: ${typeName(value)}`);
}

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

// Equality of values that may share parts.

/** Whether two values are equal; waits for pendings inside them. Throws PV3012 and PV3017. */
export function equals(left: Value, right: Value, around: Surroundings): boolean {
  const x = need(left);
  const y = need(right);
  if (typeof x === 'string' && (typeof y !== 'string' || x.length !== y.length)) return false;
  return walked(around, (walk) => same(walk, x, y, 0));
}

export function same(walk: Walk, left: Value, right: Value, depth: number): boolean {
  const x = need(left);
  const y = need(right);
  if (typeof x === 'string') return typeof y === 'string' && sameText(walk, x, y);
  pass(walk, 1);
  if (x === y && !isContainer(x)) return true;
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y) === 0;
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return false;
  if (x.kind !== y.kind) return false;
  if (depth > depthMax) throw endless();
  switch (x.kind) {
    case 'list':
    case 'tuple':
      return sameItems(walk, x.items, (y as List | Tuple).items, depth + 1);
    case 'bytes':
      return y.kind === 'bytes' && compareBytes(walk, x.bytes, y.bytes) === 0;
    case 'dict':
      return y.kind === 'dict' && sameEntries(walk, x, y, depth + 1);
    case 'set':
      return y.kind === 'set' && x.index.size === y.index.size && isSubset(walk, x, y);
    case 'range':
      return y.kind === 'range' && sameRange(x, y);
    case 'struct':
      return y.kind === 'struct' && sameFields(walk, x, y, depth + 1);
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

const endless = (): Fault =>
  new Fault(
    faults.nesting,
    'comparison exceeded maximum recursion depth',
    `values nest deeper than ${depthMax} levels, or form a cycle`,
  );

function sameText(walk: Walk, x: string, y: string): boolean {
  pass(walk, x.length === y.length ? charactersCompared(x) : 1);
  return x === y;
}

/** The host compares many characters in the time of an instruction. */
const charactersCompared = (text: string): number => 1 + (text.length >> 6);

function sameItems(walk: Walk, x: readonly Value[], y: readonly Value[], depth: number): boolean {
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) {
    if (!same(walk, x[i] as Value, y[i] as Value, depth)) return false;
  }
  return true;
}

function sameEntries(walk: Walk, x: Dict, y: Dict, depth: number): boolean {
  if (x.index.size !== y.index.size) return false;
  for (const [key, at] of x.index) {
    const mine = x.slots[at];
    const other = y.slots[y.index.get(key) ?? -1];
    if (!mine || !other || !same(walk, mine[1], other[1], depth)) return false;
  }
  return true;
}

function sameFields(walk: Walk, x: Struct, y: Struct, depth: number): boolean {
  if (x.name !== y.name || x.maker !== y.maker || x.fields.size !== y.fields.size) return false;
  for (const [name, value] of x.fields) {
    const other = y.fields.get(name);
    if (other === undefined || !same(walk, value, other, depth)) return false;
  }
  return true;
}

type Range = Extract<Value, { kind: 'range' }>;

function sameRange(x: Range, y: Range): boolean {
  const size = rangeLength(x);
  if (size !== rangeLength(y)) return false;
  return size === 0 || (x.start === y.start && (size === 1 || x.step === y.step));
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

function compareBytes(walk: Walk, x: Uint8Array, y: Uint8Array): number {
  const length = Math.min(x.length, y.length);
  pass(walk, length >> 3);
  for (let i = 0; i < length; i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

function isSubset(walk: Walk, x: SetValue, y: SetValue): boolean {
  if (x.index.size > y.index.size) return false;
  pass(walk, x.index.size);
  for (const key of x.index.keys()) if (!y.index.has(key)) return false;
  return true;
}
