/** Elements: indexing, assignment to an element, iteration, unpacking. */
import {
  bytes,
  dictSet,
  type Frozen,
  type HostObject,
  type Iter,
  iterator,
  list,
  type Range,
  range,
  rangeLength,
  tuple,
  typeName,
  type Value,
  type View,
} from '../../program/value.ts';
import { hashable } from './compare.ts';
import { Fault, faults } from './fault.ts';
import { need, room, roomForText } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { inShort, joinText, partOf } from './text.ts';

/** x[i]. */
export function index(container: Value, position: Value, around: Surroundings): Value {
  const x = need(container);
  if (x !== null && typeof x === 'object') {
    switch (x.kind) {
      case 'dict': {
        const at = x.index.get(hashable(position, around));
        const slot = at === undefined ? undefined : x.slots[at];
        if (slot) return slot[1];
        throw new Fault(faults.noKey, `key ${inShort(position)} not in dict`, keysOf(x));
      }
      case 'list':
      case 'tuple':
        return x.items[offset(x.kind, x.items.length, position)] as Value;
      case 'range':
        return x.start + x.step * offset(x.kind, rangeLength(x), position);
      case 'bytes':
        return bytes(x.bytes.slice(...oneAt(offset(x.kind, x.bytes.length, position))));
      case 'view':
        if (typeof x.of === 'string' && x.parts.startsWith('elem')) {
          return partAt(x, x.of, offset(typeName(x), x.of.length, position));
        }
        break;
      default:
    }
  }
  if (typeof x === 'string') return x.charAt(offset('string', x.length, position));
  throw new Fault(
    faults.operandTypes,
    `unhandled index operation ${typeName(x)}[${typeName(need(position))}]`,
  );
}

const oneAt = (at: number): [number, number] => [at, at + 1];

/** The place that a position means, from the end where it is negative. */
function offset(kind: string, length: number, position: Value): number {
  const i = need(position);
  if (typeof i !== 'number') {
    throw new Fault(faults.operandTypes, `${kind} index: got ${typeName(i)}, want int`);
  }
  const at = i < 0 ? i + length : i;
  if (at >= 0 && at < length) return at;
  throw outOfRange(kind, length, i);
}

export function outOfRange(kind: string, length: number, i: number): Fault {
  const message =
    length === 0
      ? `index ${i} out of range: empty ${kind}`
      : `${kind} index ${i} out of range [${-length}:${length - 1}]`;
  return new Fault(faults.indexRange, message);
}

function keysOf(target: Extract<Value, { kind: 'dict' }>): string | undefined {
  const slots = target.slots.slice(0, 12);
  const keys = slots.flatMap((slot) => (slot ? [inShort(slot[0])] : []));
  return keys.length === 0 ? undefined : `it has the keys ${keys.join(', ')}`;
}

/** x[i] = v. Checks everything before it changes anything. */
export function setIndex(
  container: Value,
  position: Value,
  value: Value,
  around: Surroundings,
): void {
  const x = need(container);
  if (x !== null && typeof x === 'object') {
    if (x.kind === 'dict') {
      hashable(position, around);
      mutable(x, 'insert into');
      dictSet(x, need(position), value);
      return;
    }
    if (x.kind === 'list') {
      const at = offset(x.kind, x.items.length, position);
      mutable(x, 'assign to element of');
      x.items[at] = value;
      return;
    }
  }
  throw new Fault(faults.operandTypes, `${typeName(x)} value does not support item assignment`);
}

/** Refuses to change what is frozen or, unless only a value is replaced, being iterated. */
export function mutable(
  target: { readonly kind: string; frozen: Frozen; iterating: number },
  verb: string,
  whileIterating = false,
): void {
  const kind = target.kind === 'list' ? 'list' : 'hash table';
  if (target.frozen) {
    throw new Fault(
      faults.locked,
      `cannot ${verb} frozen ${kind}`,
      target.frozen === 'parallel' ? handedOver : undefined,
    );
  }
  if (target.iterating > 0 && !whileIterating) {
    throw new Fault(faults.locked, `cannot ${verb} ${kind} during iteration`);
  }
}

const handedOver =
  'it was handed to parallel, whose calls run at the same time; change a copy instead, made with ' +
  'list(x), dict(x) or set(x)';

/** Starts an iteration and locks what can change. */
export function iterate(value: Value): Iter {
  const over = need(value);
  const iterator = tryIterate(over);
  if (iterator) return iterator;
  throw new Fault(
    faults.notIterable,
    `${typeName(over)} value is not iterable`,
    typeof over === 'string' ? 'go over s.elems(), s.split() or s.splitlines()' : undefined,
  );
}

/** The same, or undefined for a value that has no items. */
export function tryIterate(over: Value): Iter | undefined {
  if (over === null || typeof over !== 'object') return undefined;
  switch (over.kind) {
    case 'list':
    case 'dict':
    case 'set':
      over.iterating++;
      return iterator(over);
    case 'tuple':
    case 'range':
    case 'view':
      return iterator(over);
    case 'object':
      return over.type.item && iterator(over);
    default:
      return undefined;
  }
}

export function endIteration(iterator: Iter): void {
  const { over } = iterator;
  if (over.kind === 'list' || over.kind === 'dict' || over.kind === 'set') over.iterating--;
}

/** The item may be one to wait for: the iterator moves when it is there (M2). */
function nextOf(over: HostObject, iterator: Iter): Value | undefined {
  const item = over.type.item?.(over, iterator.position);
  if (item !== undefined) iterator.position++;
  return item;
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
    case 'view':
      return nextPart(over, iterator);
    case 'object':
      return nextOf(over, iterator);
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

function nextPart(over: View, iterator: Iter): Value | undefined {
  const { of } = over;
  if (typeof of !== 'string') return of.bytes[iterator.position++];
  if (iterator.position >= of.length) return undefined;
  const part = partAt(over, of, iterator.position);
  iterator.position += typeof part === 'string' ? part.length : Number(part) > 0xffff ? 2 : 1;
  return part;
}

/** Half of a pair of surrogates stands for no code point of its own: it is U+FFFD. */
function partAt(over: View, of: string, at: number): string | number {
  switch (over.parts) {
    case 'elems':
      return of.charAt(at);
    case 'elem_ords':
      return of.charCodeAt(at);
    case 'codepoints':
      return String.fromCodePoint(codePointAt(of, at));
    case 'codepoint_ords':
      return codePointAt(of, at);
  }
}

function codePointAt(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

/** Exactly `count` items of an iterable. */
export function unpack(value: Value, count: number): readonly Value[] {
  if (typeof value === 'object' && (value?.kind === 'tuple' || value?.kind === 'list')) {
    if (value.items.length === count) return value.items;
  }
  const all = need(value);
  const iterator = tryIterate(all);
  if (!iterator) {
    const message = `got ${typeName(all)} in sequence assignment`;
    throw new Fault(faults.notIterable, message, `want an iterable of ${count} items`);
  }
  const { over } = iterator;
  const items: Value[] = [];
  for (let item = nextItem(iterator); item !== undefined; item = nextItem(iterator)) {
    items.push(item);
    if (items.length > count) break;
  }
  endIteration(iterator);
  if (items.length === count) return items;
  const found = items.length > count ? 'many' : 'few';
  const got = items.length > count ? lengthOf(over) : items.length;
  const message = `too ${found} values to unpack (got ${got ?? 'more'}, want ${count})`;
  throw new Fault(faults.unpackCount, message);
}

/** How many items a value has; undefined where that is not known, or it has none. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return undefined;
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return value.items.length;
    case 'dict':
    case 'set':
      return value.index.size;
    case 'range':
      return rangeLength(value);
    case 'bytes':
      return value.bytes.length;
    case 'view':
      if (typeof value.of !== 'string' || !value.parts.startsWith('elem')) return undefined;
      return value.of.length;
    default:
      return undefined;
  }
}

/** x[lo:hi:step]; None stands for a bound that is not given. */
export function slice(container: Value, bounds: readonly Value[], around: Surroundings): Value {
  const x = need(container);
  const [lo = null, hi = null, by = null] = bounds.map(need);
  if (typeof x === 'string') return sliceText(x, indices(x.length, lo, hi, by), around);
  if (x !== null && typeof x === 'object') {
    switch (x.kind) {
      case 'list':
      case 'tuple': {
        const items = picked(x.items, indices(x.items.length, lo, hi, by), around);
        return x.kind === 'list' ? list(items) : tuple(items);
      }
      case 'bytes': {
        const places = indices(x.bytes.length, lo, hi, by);
        roomForText(rangeLength(places), around);
        if (places.step === 1) return bytes(x.bytes.slice(places.start, places.stop));
        return bytes(Uint8Array.from(positions(places), (i) => x.bytes[i] ?? 0));
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

function picked(items: readonly Value[], places: Range, around: Surroundings): Value[] {
  room(rangeLength(places), around);
  if (places.step === 1) return items.slice(places.start, Math.max(places.start, places.stop));
  return Array.from(positions(places), (i) => items[i] as Value);
}

function sliceText(text: string, places: Range, around: Surroundings): string {
  if (places.step === 1) {
    const stop = Math.max(places.start, places.stop);
    around.charge?.((stop - places.start) >> 3);
    return partOf(text, places.start, stop);
  }
  around.charge?.(rangeLength(places));
  let picked = '';
  for (const i of positions(places)) picked = joinText(picked, text.charAt(i));
  return picked;
}

function* positions({ start, stop, step }: Range): Generator<number> {
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) yield i;
}

/** Bounds of a slice brought into the sequence (Starlark specification, "Slice expressions"). */
function indices(length: number, lo: Value, hi: Value, by: Value): Range {
  const step = bound('slice step', by) ?? 1;
  if (step === 0) throw new Fault(faults.indexRange, 'zero is not a valid slice step');
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: number | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    return Math.max(least, Math.min(most, value < 0 ? value + length : value));
  };
  const start = clamp(bound('start index', lo), step > 0 ? 0 : length - 1);
  const stop = clamp(bound('end index', hi), step > 0 ? length : -1);
  return range(start, stop, step);
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
  if (value === null || typeof value !== 'object') return;
  const seen = new Set<object>();
  const queue: Value[] = [value];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const one = need(item);
    if (one === null || typeof one !== 'object' || seen.has(one)) continue;
    seen.add(one);
    switch (one.kind) {
      case 'list':
        one.frozen = true;
        for (const part of one.items) queue.push(part);
        break;
      case 'tuple':
        for (const part of one.items) queue.push(part);
        break;
      case 'dict':
        one.frozen = true;
        for (const slot of one.slots) if (slot) queue.push(slot[1]);
        break;
      case 'set':
        one.frozen = true;
        break;
      case 'struct':
        for (const part of one.fields.values()) queue.push(part);
        break;
      case 'method':
        queue.push(one.receiver);
        break;
      case 'object':
        one.frozen = true;
        for (const part of one.fields.values()) queue.push(part);
        break;
      case 'module':
        for (const part of one.members.values()) queue.push(part);
        break;
      case 'function':
        for (const part of one.defaults) queue.push(part);
        for (const { value: held } of one.cells) if (held !== undefined) queue.push(held);
        break;
      default:
    }
  }
}
