/** Elements: indexing, assignment to an element, iteration, unpacking. */
import { dictSet, type Iter, settled, typeName, type Value } from '../program/value.ts';
import { faults } from './codes.ts';
import { hashable, rangeLength } from './compare.ts';
import { Fault } from './fault.ts';
import { need } from './pendings.ts';

/** x[i]. */
export function index(container: Value, position: Value): Value {
  const x = need(container);
  if (x !== null && typeof x === 'object') {
    switch (x.kind) {
      case 'dict': {
        const at = x.index.get(hashable(position));
        const slot = at === undefined ? undefined : x.slots[at];
        if (slot) return slot[1];
        throw new Fault(faults.noKey, `key ${shown(position)} not in dict`, keysOf(x));
      }
      case 'list':
      case 'tuple':
        return x.items[offset(x.kind, x.items.length, position)] as Value;
      case 'range':
        return x.start + x.step * offset(x.kind, rangeLength(x), position);
      case 'bytes':
        return x.bytes[offset(x.kind, x.bytes.length, position)] as number;
      default:
    }
  }
  if (typeof x === 'string') return x.charAt(offset('string', x.length, position));
  throw new Fault(faults.operandTypes, `${typeName(x)} value has no elements to index`);
}

function offset(kind: string, length: number, position: Value): number {
  const i = need(position);
  if (typeof i !== 'number') {
    throw new Fault(faults.operandTypes, `${kind} index: got ${typeName(i)}, want int`);
  }
  const at = i < 0 ? i + length : i;
  if (at >= 0 && at < length) return at;
  const bounds = length === 0 ? `empty ${kind}` : `[${-length}:${length - 1}]`;
  throw new Fault(faults.indexRange, `${kind} index ${i} out of range ${bounds}`);
}

function shown(key: Value): string {
  const seen = settled(key);
  return typeof seen === 'string' ? JSON.stringify(seen) : String(typeName(seen));
}

function keysOf(target: Extract<Value, { kind: 'dict' }>): string | undefined {
  const keys = target.slots.flatMap((slot) => (slot ? [shown(slot[0])] : [])).slice(0, 12);
  return keys.length === 0 ? undefined : `it has the keys ${keys.join(', ')}`;
}

/** x[i] = v. Checks everything before it changes anything. */
export function setIndex(container: Value, position: Value, value: Value): void {
  const x = need(container);
  if (x !== null && typeof x === 'object') {
    if (x.kind === 'dict') {
      const known = x.index.has(hashable(position));
      mutable(x, known ? 'assign to element of' : 'insert into', known);
      dictSet(x, settled(position), value);
      return;
    }
    if (x.kind === 'list') {
      const at = offset(x.kind, x.items.length, position);
      mutable(x, 'assign to element of', false);
      x.items[at] = value;
      return;
    }
  }
  throw new Fault(faults.operandTypes, `${typeName(x)} value does not support item assignment`);
}

/** Refuses to change what is frozen or, unless only a value is replaced, being iterated. */
export function mutable(
  target: { readonly kind: string; frozen: boolean; iterating: number },
  verb: string,
  whileIterating: boolean,
): void {
  const kind = target.kind === 'dict' ? 'hash table' : target.kind;
  if (target.frozen) throw new Fault(faults.locked, `cannot ${verb} frozen ${kind}`);
  if (target.iterating > 0 && !whileIterating) {
    throw new Fault(faults.locked, `cannot ${verb} ${kind} during iteration`);
  }
}

/** Starts an iteration and locks what can change. */
export function iterate(value: Value): Iter {
  const over = need(value);
  if (over !== null && typeof over === 'object') {
    switch (over.kind) {
      case 'list':
      case 'dict':
      case 'set':
        over.iterating++;
        return { kind: 'iterator', over, position: 0 };
      case 'tuple':
      case 'range':
      case 'bytes':
        return { kind: 'iterator', over, position: 0 };
      default:
    }
  }
  throw new Fault(faults.notIterable, `${typeName(over)} value is not iterable`);
}

export function endIteration(iterator: Iter): void {
  const { over } = iterator;
  if (over.kind === 'list' || over.kind === 'dict' || over.kind === 'set') over.iterating--;
}

/** The next item, or undefined at the end. Moves the iterator. */
export function nextItem(iterator: Iter): Value | undefined {
  const { over } = iterator;
  switch (over.kind) {
    case 'list':
    case 'tuple':
      return over.items[iterator.position++];
    case 'range': {
      const value = over.start + over.step * iterator.position++;
      return over.step > 0
        ? value < over.stop
          ? value
          : undefined
        : value > over.stop
          ? value
          : undefined;
    }
    case 'bytes':
      return over.bytes[iterator.position++];
    case 'dict':
      while (iterator.position < over.slots.length) {
        const slot = over.slots[iterator.position++];
        if (slot) return slot[0];
      }
      return undefined;
    case 'set':
      while (iterator.position < over.slots.length) {
        const item = over.slots[iterator.position++];
        if (item !== undefined) return item;
      }
      return undefined;
  }
}

/** Exactly `count` items of an iterable. */
export function unpack(value: Value, count: number): Value[] {
  const iterator = iterate(value);
  const items: Value[] = [];
  for (let item = nextItem(iterator); item !== undefined; item = nextItem(iterator)) {
    items.push(item);
    if (items.length > count) break;
  }
  endIteration(iterator);
  if (items.length === count) return items;
  const found = items.length > count ? 'too many' : `got ${items.length}`;
  throw new Fault(faults.unpackCount, `${found} values to unpack, want ${count}`);
}
