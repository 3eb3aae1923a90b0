/**
 * Pending values inside other values: finding them, copying around them, and writing a value down
 * at the moment it is handed over, so that what happens to it later cannot leak in.
 */
import { decode, depthMax, encode, NotData } from '../../program/json.ts';
import { type Pending, settled, type Value } from '../../program/value.ts';
import { Fault, faults, Wait } from './fault.ts';
import { shortMax, shortText } from './short-text.ts';
import type { Surroundings } from './surroundings.ts';
import { digitsCost } from './walk.ts';

/** A value that an instruction needs now; waits for it where it is pending. */
export function need(value: Value): Value {
  const seen = settled(value);
  if (seen !== null && typeof seen === 'object' && seen.kind === 'pending') {
    throw new Wait({ on: 'value', pending: seen });
  }
  return seen;
}

/** Waits until a value and everything inside it is there. */
export function needAll(value: Value): Value {
  if (!isObject(value)) return value;
  for (const pending of pendingsIn([value])) throw new Wait({ on: 'value', pending });
  return settled(value);
}

const none: ReadonlySet<Pending> = new Set();

/** How many containers are looked through before those that were seen are written down. */
const glances = 2 ** 14;
const glanceDepth = 32;

/** The unsettled pendings of some values, at any depth; each shared container is seen once. */
export function pendingsIn(values: readonly Value[]): ReadonlySet<Pending> {
  let left = glances;
  for (let i = 0; i < values.length && left >= 0; i++) left = glance(values[i] as Value, left, 0);
  if (left >= 0) return none;
  const found = new Set<Pending>();
  const seen = new Set<object>();
  const queue = [...values];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const value = settled(item);
    if (value === null || typeof value !== 'object' || seen.has(value)) continue;
    if (value.kind === 'pending') found.add(value);
    const parts = partsOf(value);
    if (parts.length === 0) continue;
    seen.add(value);
    for (const part of parts) queue.push(part);
  }
  return found;
}

/**
 * Looks for pendings in at most `left` containers, none of them deep: how many are left, negative
 * where there is a pending, or may be one.
 */
function glance(value: Value, left: number, depth: number): number {
  if (typeof value !== 'object' || value === null) return left;
  const seen = value.kind === 'pending' ? settled(value) : value;
  if (typeof seen !== 'object' || seen === null) return left;
  if (seen.kind === 'pending' || depth > glanceDepth) return -1;
  let rest = left;
  if (seen.kind === 'dict') {
    for (let i = 0; i < seen.slots.length && rest >= 0; i++) {
      const slot = seen.slots[i];
      if (slot) rest = glance(slot[1], rest, depth + 1);
    }
    return rest - 1;
  }
  const parts = partsOf(seen);
  for (let i = 0; i < parts.length && rest >= 0; i++) {
    rest = glance(parts[i] as Value, rest, depth + 1);
  }
  return parts.length > 0 ? rest - 1 : rest;
}

const nothing: readonly Value[] = [];

/** What a container holds that may be pending: keys and members of sets never are. */
function partsOf(
  value: Exclude<Value, null | boolean | number | bigint | string>,
): readonly Value[] {
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return value.items;
    case 'dict': {
      const parts: Value[] = [];
      for (const slot of value.slots) if (slot) parts.push(slot[1]);
      return parts;
    }
    case 'struct':
      return [...value.fields.values()];
    case 'method':
      return [value.receiver];
    default:
      return nothing;
  }
}

/**
 * A copy that later mutation cannot reach: containers are copied, each once, and pending leaves
 * stay. A pending in `arrived` becomes the value it had on arrival.
 */
export function copyAround(value: Value, arrived?: ReadonlyMap<Pending, string>): Value {
  const copies = new Map<object, Value>();
  let depth = 0;
  const copy = (item: Value): Value => {
    const text = isObject(item) && item.kind === 'pending' ? arrived?.get(item) : undefined;
    if (text !== undefined) return decode(text);
    const seen = settled(item);
    if (!isObject(seen)) return seen;
    const known = copies.get(seen);
    if (known !== undefined) return known;
    if (depth > depthMax) throw nestingFault();
    depth++;
    const made = copyOne(seen, copy, (shell) => copies.set(seen, shell));
    depth--;
    return made;
  };
  return copy(value);
}

const isObject = (
  value: Value,
): value is Exclude<Value, null | boolean | number | bigint | string> =>
  value !== null && typeof value === 'object';

/** Copies one container; `note` learns of the copy before its parts are copied, for cycles. */
function copyOne(
  value: Exclude<Value, null | boolean | number | bigint | string>,
  copy: (item: Value) => Value,
  note: (shell: Value) => void,
): Value {
  switch (value.kind) {
    case 'list':
    case 'tuple': {
      const items: Value[] = [];
      const made: Value = value.kind === 'list' ? { ...value, items } : { kind: 'tuple', items };
      note(made);
      for (const item of value.items) items.push(copy(item));
      return made;
    }
    case 'dict': {
      const made: Value = { ...value, index: new Map(value.index), slots: [] };
      note(made);
      for (const slot of value.slots) made.slots.push(slot ? [slot[0], copy(slot[1])] : undefined);
      return made;
    }
    case 'set':
      return { ...value, index: new Map(value.index), slots: [...value.slots] };
    case 'struct': {
      const fields = [...value.fields].map(([name, item]): [string, Value] => [name, copy(item)]);
      return { ...value, fields: new Map(fields) };
    }
    default:
      return value;
  }
}

/**
 * Canonical text of a value; a pending in `arrived` stands for the text it had on arrival. A value
 * that is no data (a function, a cycle) or that is larger than a value may be is a guest error.
 */
export function writeDown(
  value: Value,
  around: Surroundings,
  arrived?: ReadonlyMap<Pending, string>,
): string {
  const whole = arrived?.size ? copyAround(value, arrived) : value;
  const work = { units: 0 };
  const short = shortText(whole, work);
  if (short !== undefined && short.length <= Math.min(shortMax, around.valueBytes)) {
    around.charge?.(work.units + (short.length >> 3));
    return short;
  }
  const text = asData(whole, around, encode);
  // Long ones are worth counting: they are hashed, stored and shown.
  if (text.length > shortMax) around.charge?.(text.length);
  return text;
}

/** Text of a value, once it is known to be data of a bounded size; takes fuel for both. */
export function asData(
  value: Value,
  around: Surroundings,
  write: (value: Value) => string,
): string {
  const work = measure(value, around.valueBytes);
  try {
    const text = write(value);
    if (text.length > around.valueBytes) fits(text.length, around.valueBytes);
    around.charge?.(work + (text.length >> 3));
    return text;
  } catch (error) {
    if (error instanceof NotData) throw dataFault(error.message);
    throw error;
  }
}

/**
 * Refuses a value whose text would be over `bytesMax`, before it is written: a few containers that
 * share parts can stand for more text than fits anywhere. Counts at least a byte for each part.
 * Gives what it costs to write it beyond its length.
 */
function measure(value: Value, bytesMax: number): number {
  if (typeof value === 'string') return 0;
  const tally: Tally = { bytes: 0, work: 0, bytesMax };
  weigh(value, tally, 0);
  return tally.work;
}

interface Tally {
  bytes: number;
  work: number;
  readonly bytesMax: number;
}

function weigh(part: Value, tally: Tally, depth: number): void {
  tally.bytes += typeof part === 'string' ? part.length + 2 : 1;
  if (tally.bytes > tally.bytesMax) fits(tally.bytes, tally.bytesMax);
  if (typeof part !== 'object' || part === null) {
    if (typeof part === 'bigint') tally.work += digitsCost(part);
    return;
  }
  const seen = part.kind === 'pending' ? settled(part) : part;
  if (typeof seen === 'bigint') tally.work += digitsCost(seen);
  if (!isObject(seen)) return;
  tally.work++;
  if (depth > depthMax) throw nestingFault();
  for (const inner of partsOf(seen)) weigh(inner, tally, depth + 1);
}

/** Refuses a value that is, or would be, larger than a value may be. */
export function fits(bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return;
  throw new Fault(
    faults.valueSize,
    `a value of ${bytes} bytes or more is over the limit of ${bytesMax}`,
    'raise the limit valueBytes, or keep the data in a tool and pass what is needed',
  );
}

const dataFault = (found: string): Fault =>
  new Fault(faults.notData, `got ${found}, want data: null, bool, number, string, list or dict`);

export const nestingFault = (): Fault =>
  new Fault(faults.nesting, `values nest deeper than ${depthMax} levels, or form a cycle`);

/** What is frozen is so with all that it holds. */
const mayChange = (value: Value): boolean =>
  isObject(value) && !('frozen' in value && value.kind !== 'object' && value.frozen === true);

/** Whether a later mutation could change what the value says; errs towards yes. */
export function isMutable(value: Value): boolean {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case 'list':
    case 'dict':
    case 'set':
      return value.frozen !== true;
    case 'tuple':
      return value.items.some(mayChange);
    case 'struct':
      return [...value.fields.values()].some(mayChange);
    case 'method':
      return isMutable(value.receiver);
    default:
      return false;
  }
}

// Room for what is about to be made: within the size of a value, and paid for in fuel.

/** Takes fuel for `count` items, and refuses more than a value may have. Throws PV3012. */
export function room(count: number, around: Surroundings): void {
  fits(8 * count, around.valueBytes);
  around.charge?.(count);
}

/** Refuses a text that would be too long, before it is made. Throws PV3012. */
export function roomForText(length: number, around: Surroundings): void {
  fits(length, around.valueBytes);
  around.charge?.(length >> 3);
}
