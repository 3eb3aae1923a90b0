/**
 * Short ways of what programs do most: elements of containers, and a few library functions on
 * positional arguments as they lie on the stack, without an array of them.
 *
 * - Q1 A short way gives what the long one gives, takes the same fuel, and never throws.
 * - Q2 Where its operands are not the plain ones it gives undefined and has changed nothing; then
 *   the long way is taken, which waits, or says what is wrong.
 */
import { opcodeNumbers } from '../program/opcodes.ts';
import {
  type Dict,
  dictSet,
  type Iter,
  isDict,
  isPending,
  type Key,
  range,
  settled,
  typeName,
  type Value,
} from '../program/value.ts';
import { operate, unheld } from './instructions.ts';
import type { State } from './state.ts';
import { hashable, hashedMax } from './values/compare.ts';
import { Fault, faults } from './values/fault.ts';
import { need, room } from './values/pendings.ts';
import { endIteration, lengthOf, mutable, nextItem, tryIterate } from './values/sequence.ts';
import type { Surroundings } from './values/surroundings.ts';
import { inShort } from './values/text.ts';

/** x[i] of a list, tuple or dict. */
export function element(x: Value, i: Value): Value | undefined {
  if (typeof x !== 'object' || x === null) return undefined;
  if (x.kind === 'dict') return isPlainKey(i) ? lookUp(x, i) : undefined;
  if (typeof i !== 'number' || (x.kind !== 'list' && x.kind !== 'tuple')) return undefined;
  const at = i < 0 ? i + x.items.length : i;
  return at >= 0 && at < x.items.length ? x.items[at] : undefined;
}

/** x[i] = v for a list or dict that may change; whether it is done. */
export function setElement(x: Value, i: Value, value: Value): boolean {
  if (typeof x !== 'object' || x === null) return false;
  if (x.kind === 'list') {
    if (typeof i !== 'number' || i < 0 || i >= x.items.length) return false;
    if (x.frozen || x.iterating > 0) return false;
    x.items[i] = value;
    return true;
  }
  if (x.kind !== 'dict' || !isPlainKey(i) || x.frozen || x.iterating > 0) return false;
  const at = x.index.get(i);
  const slot = at === undefined ? undefined : x.slots[at];
  if (slot) slot[1] = value;
  else x.index.set(i, x.slots.push([i, value]) - 1);
  return true;
}

/** Whether two texts are equal, where it takes no fuel to see. */
export function sameText(x: Value, y: Value): boolean | undefined {
  if (typeof x !== 'string' || typeof y !== 'string') return undefined;
  if (x.length !== y.length) return false;
  return x.length <= shortMax ? x === y : undefined;
}

const shortMax = 64;

/** Whether a value is its own key; see `keyOf`. */
function isPlainKey(value: Value): value is Value & Key {
  if (typeof value === 'string') return value.length <= hashedMax && value.charCodeAt(0) !== 0;
  return typeof value === 'number';
}

function lookUp(dict: Dict, key: Key): Value | undefined {
  const at = dict.index.get(key);
  return at === undefined ? undefined : dict.slots[at]?.[1];
}

/** The next item of an iterator, or undefined at its end; `nextItem` for the commonest of them. */
export function nextQuick(iterator: Iter): Value | undefined {
  const { items, position, step } = iterator;
  if (items === undefined && step === 0) return nextItem(iterator);
  iterator.position = position + 1;
  if (items !== undefined) return position < items.length ? items[position] : undefined;
  return position < iterator.count ? iterator.start + step * position : undefined;
}

/** `count` arguments from `first` on; of a method, without the receiver. */
type QuickFunction = (
  stack: State['stack'],
  first: number,
  count: number,
  around: Surroundings,
) => Value | undefined;

export const quickFunctions: ReadonlyMap<string, QuickFunction> = new Map<string, QuickFunction>([
  ['len', (stack, first, count) => (count === 1 ? lengthOf(stack[first] as Value) : undefined)],
  ['range', makeRange],
  ['native:min', (stack, first, count) => least(stack, first, count, 1)],
  ['native:max', (stack, first, count) => least(stack, first, count, -1)],
  ['int', (stack, first, count, around) => (count === 1 ? whole(stack[first], around) : undefined)],
  ['str', (stack, first, count, around) => (count === 1 ? text(stack[first], around) : undefined)],
]);

function makeRange(stack: State['stack'], first: number, count: number): Value | undefined {
  if (count === 0 || count > 3) return undefined;
  const a = stack[first];
  const b = count > 1 ? stack[first + 1] : 0;
  const step = count > 2 ? stack[first + 2] : 1;
  if (typeof a !== 'number' || typeof b !== 'number' || typeof step !== 'number') return undefined;
  if (step === 0) return undefined;
  return count === 1 ? range(0, a, 1) : range(a, b, step);
}

/** The first of several ints that no other is below; of their negatives with a sign of -1. */
function least(
  stack: State['stack'],
  first: number,
  count: number,
  sign: number,
): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < count; i++) {
    const one = stack[first + i];
    if (typeof one !== 'number') return undefined;
    if (best === undefined || sign * one < sign * best) best = one;
  }
  return count > 1 ? best : undefined;
}

function whole(value: Value | undefined, around: Surroundings): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) return undefined;
  around.charge?.(value.length);
  return Number(value);
}

function text(value: Value | undefined, around: Surroundings): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  const made = String(value);
  around.charge?.(made.length >> 3);
  return made;
}

/** A method that may change its receiver is only asked where nothing holds it; see `unheld`. */
type QuickMethod = (
  receiver: Value,
  stack: State['stack'],
  first: number,
  count: number,
) => Value | undefined;

export const quickMethods: ReadonlyMap<string, QuickMethod> = new Map<string, QuickMethod>([
  ['append', append],
  ['get', get],
]);

function append(
  target: Value,
  stack: State['stack'],
  first: number,
  count: number,
): Value | undefined {
  if (typeof target !== 'object' || target === null || target.kind !== 'list') return undefined;
  if (count !== 1 || target.frozen || target.iterating > 0) return undefined;
  target.items.push(stack[first] as Value);
  return null;
}

function get(
  target: Value,
  stack: State['stack'],
  first: number,
  count: number,
): Value | undefined {
  if (!isDict(target)) return undefined;
  const key = stack[first] as Value;
  if (count === 0 || count > 2 || !isPlainKey(key)) return undefined;
  const found = lookUp(target, key);
  if (found !== undefined) return found;
  return count === 2 ? stack[first + 1] : null;
}

// Operators that change their left operand where it can: `xs += ys`, `d |= e`.

/** `x += y`. */
export function addInPlace(state: State, left: Value, right: Value): Value {
  const x = leftOperand(left, right);
  if (typeof x !== 'object' || x?.kind !== 'list') {
    return operate(state, opcodeNumbers.ADD, left, right);
  }
  const added = itemsOf(right, state.around);
  if (!added) return operate(state, opcodeNumbers.ADD, left, right);
  unheld(state, x, added);
  mutable(x, 'apply += to', false);
  for (const item of added) x.items.push(item);
  return x;
}

/** `x |= y`. */
export function orInPlace(state: State, left: Value, right: Value): Value {
  const x = leftOperand(left, right);
  const y = typeof x === 'object' && x !== null ? need(right) : null;
  if (typeof x !== 'object' || x === null || y === null || typeof y !== 'object') {
    return operate(state, opcodeNumbers.OR, left, right);
  }
  if (x.kind === 'dict' && y.kind === 'dict') {
    unheld(state, x, [y]);
    mutable(x, 'apply |= to', false);
    room(y.index.size, state.around);
    for (const slot of [...y.slots]) if (slot) dictSet(x, slot[0], slot[1]);
    return x;
  }
  if (x.kind === 'set' && y.kind === 'set') {
    unheld(state, x, [y]);
    mutable(x, 'insert into', false);
    room(y.index.size, state.around);
    for (const [key, at] of [...y.index]) {
      if (!x.index.has(key)) x.index.set(key, x.slots.push(y.slots[at]) - 1);
    }
    return x;
  }
  return operate(state, opcodeNumbers.OR, left, right);
}

/**
 * The left operand as far as it must be known: a pending one may turn out to be a list that has to
 * change in place, unless the right one says that it cannot.
 */
function leftOperand(left: Value, right: Value): Value {
  const x = settled(left);
  if (!isPending(x)) return x;
  const y = settled(right);
  const scalar = y === null || typeof y !== 'object' || y.kind === 'float';
  return scalar ? x : need(x);
}

/** All items of an iterable before anything changes; a list may be added to itself. */
function itemsOf(value: Value, around: Surroundings): Value[] | undefined {
  const iterator = tryIterate(need(value));
  if (!iterator) return undefined;
  room(lengthOf(iterator.over) ?? 0, around);
  const items: Value[] = [];
  for (let item = nextItem(iterator); item !== undefined; item = nextItem(iterator)) {
    items.push(item);
  }
  endIteration(iterator);
  return items;
}

/** Sets a key of a dict display; the same key twice is a mistake of the program. */
export function putNew(target: Value, key: Value, value: Value, around: Surroundings): void {
  const dict = need(target);
  if (!isDict(dict)) {
    throw new Fault(faults.operandTypes, `got ${typeName(dict)}, want a dict`);
  }
  if (dict.index.has(hashable(key, around))) {
    throw new Fault(faults.operandTypes, `duplicate key: ${inShort(key)}`);
  }
  dictSet(dict, settled(key), value);
}
