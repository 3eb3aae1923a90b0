/** Elements: indexing, assignment to an element, iteration, unpacking. */
import {
  bytes,
  dictSet,
  type Iter,
  list,
  type Range,
  range,
  settled,
  tuple,
  typeName,
  type Value,
} from '../program/value.ts';
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
  const iterator = tryIterate(over);
  if (iterator) return iterator;
  throw new Fault(faults.notIterable, `${typeName(over)} value is not iterable`);
}

/** The same, or undefined for a value that has no items. */
export function tryIterate(over: Value): Iter | undefined {
  if (over === null || typeof over !== 'object') return undefined;
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
      return undefined;
  }
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
      const within = over.step > 0 ? value < over.stop : value > over.stop;
      return within ? value : undefined;
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

/** x[lo:hi:step]; None stands for a bound that is not given. */
export function slice(container: Value, bounds: readonly Value[]): Value {
  const x = need(container);
  const [lo = null, hi = null, by = null] = bounds.map(need);
  if (typeof x === 'string') return picked(x.length, lo, hi, by, (i) => x.charAt(i)).join('');
  if (x !== null && typeof x === 'object') {
    switch (x.kind) {
      case 'list':
        return list(picked(x.items.length, lo, hi, by, (i) => x.items[i] as Value));
      case 'tuple':
        return tuple(picked(x.items.length, lo, hi, by, (i) => x.items[i] as Value));
      case 'bytes': {
        const items = picked(x.bytes.length, lo, hi, by, (i) => x.bytes[i] ?? 0);
        return bytes(Uint8Array.from(items));
      }
      case 'range': {
        const { start, stop, step } = indices(rangeLength(x), lo, hi, by);
        return range(x.start + x.step * start, x.start + x.step * stop, x.step * step);
      }
      default:
    }
  }
  throw new Fault(faults.operandTypes, `invalid slice operand ${typeName(x)}`);
}

function picked<T>(length: number, lo: Value, hi: Value, by: Value, at: (i: number) => T): T[] {
  const { start, stop, step } = indices(length, lo, hi, by);
  const items: T[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) items.push(at(i));
  return items;
}

/** Bounds of a slice brought into the sequence (Starlark specification, "Slice expressions"). */
function indices(length: number, lo: Value, hi: Value, by: Value): Omit<Range, 'kind'> {
  const step = bound('slice step', by) ?? 1;
  if (step === 0) throw new Fault(faults.indexRange, 'zero is not a valid slice step');
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: number | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    return Math.max(least, Math.min(most, value < 0 ? value + length : value));
  };
  const start = clamp(bound('start index', lo), step > 0 ? 0 : length - 1);
  const stop = clamp(bound('end index', hi), step > 0 ? length : -1);
  return { start, stop, step };
}

function bound(what: string, value: Value): number | undefined {
  if (value === null) return undefined;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint')
    return value > 0 ? Number.MAX_SAFE_INTEGER : -Number.MAX_SAFE_INTEGER;
  throw new Fault(faults.operandTypes, `invalid ${what}: got ${typeName(value)}, want int`);
}

/** Freezes a value and everything that can be reached from it. */
export function freezeDeep(value: Value): void {
  const seen = new Set<object>();
  const queue: Value[] = [value];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const one = need(item);
    if (one === null || typeof one !== 'object' || seen.has(one)) continue;
    seen.add(one);
    switch (one.kind) {
      case 'list':
        one.frozen = true;
        queue.push(...one.items);
        break;
      case 'tuple':
        queue.push(...one.items);
        break;
      case 'dict':
        one.frozen = true;
        for (const slot of one.slots) if (slot) queue.push(slot[1]);
        break;
      case 'set':
        one.frozen = true;
        break;
      case 'struct':
        queue.push(...one.fields.values());
        break;
      case 'function':
        queue.push(...one.defaults);
        for (const { value: held } of one.cells) if (held !== undefined) queue.push(held);
        break;
      default:
    }
  }
}
