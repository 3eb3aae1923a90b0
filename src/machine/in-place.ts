/** Operators that change their left operand where it can: `xs += ys`, `d |= e`. */
import { opcodeNumbers } from '../program/opcode-numbers.ts';
import { dictSet, isDict, isPending, settled, typeName, type Value } from '../program/value.ts';
import { operate, unheld } from './instructions.ts';
import type { State } from './state.ts';
import { faults } from './values/code-names.ts';
import { hashable } from './values/compare.ts';
import { Fault } from './values/fault.ts';
import { need } from './values/pendings.ts';
import { room } from './values/room.ts';
import { endIteration, lengthOf, mutable, nextItem, tryIterate } from './values/sequence.ts';
import type { Surroundings } from './values/surroundings.ts';
import { inShort } from './values/text.ts';

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
