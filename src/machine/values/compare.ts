/** Order, membership, hash keys and truth (Starlark specification, "Comparisons"). */
import { depthMax } from '../../program/json.ts';
import {
  type Key,
  keyOf,
  rangeLength,
  type SetValue,
  settled,
  typeName,
  type Value,
} from '../../program/value.ts';
import { faults } from './code-names.ts';
import {
  charactersCompared,
  compareBytes,
  compareNumbers,
  endless,
  isNumber,
  isSubset,
  same,
} from './equality.ts';
import { Fault } from './fault.ts';
import { need, nestingFault } from './pendings.ts';
import { isFloat } from './quick-arithmetic.ts';
import type { Surroundings } from './surroundings.ts';
import { binaryText, firstIndex, searchCost } from './text-search.ts';
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
