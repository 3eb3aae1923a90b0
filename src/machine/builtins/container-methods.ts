/** Methods of lists, dicts and bytes. They check everything before they change anything. */
import {
  type Dict,
  dict,
  dictGet,
  dictSet,
  isDict,
  type List,
  list,
  settled,
  tuple,
  type Value,
} from '../../program/value.ts';
import { hashable } from '../values/compare.ts';
import { same } from '../values/equality.ts';
import { room } from '../values/room.ts';
import { mutable, outOfRange } from '../values/sequence.ts';
import { walked } from '../values/walk.ts';
import {
  anInt,
  anything,
  bounds,
  type Call,
  defineMethod,
  failed,
  items,
  naming,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { updateDict } from './dict-update.ts';

const changes = { mutates: true };
const reads = {};

const listMethod = (
  name: string,
  traits: { mutates?: boolean; stores?: boolean },
  body: (target: List, call: Call) => Value,
): BuiltinSpec =>
  defineMethod(
    name,
    traits,
    (value) => (typeof value === 'object' && value?.kind === 'list' ? value : list([])),
    body,
  );

export const listMethods: readonly BuiltinSpec[] = [
  listMethod('append', { ...changes, stores: true }, (target, call) => {
    const [item] = positional(call, [anything]);
    changing(call, target, 'append to');
    target.items.push(item);
    return null;
  }),
  listMethod('clear', changes, (target, call) => {
    positional(call, []);
    changing(call, target, 'clear');
    target.items.length = 0;
    return null;
  }),
  listMethod('extend', changes, (target, call) => {
    const [added] = positional(call, [items]);
    changing(call, target, 'extend');
    room(target.items.length + added.length, call.around);
    for (const item of added) target.items.push(item);
    return null;
  }),
  listMethod('index', reads, (target, call) => {
    const [value, from = null, to = null] = positional(call, [anything], [anything, anything]);
    const [start, end] = bounds(call, from, to, target.items.length);
    const at = place(target, value, call, start, end);
    if (at < 0) throw failed(call, 'value not in list');
    return at;
  }),
  listMethod('insert', changes, (target, call) => {
    const [at, item] = positional(call, [anInt, anything]);
    changing(call, target, 'insert into');
    call.around.charge?.(moved(target));
    target.items.splice(at, 0, item);
    return null;
  }),
  listMethod('pop', changes, (target, call) => {
    const length = target.items.length;
    const [given = length - 1] = positional(call, [], [anInt]);
    const at = given < 0 ? given + length : given;
    if (at < 0 || at >= length) {
      return naming(call, () => {
        throw outOfRange('list', length, given);
      });
    }
    changing(call, target, 'pop from');
    if (at < length - 1) call.around.charge?.(moved(target));
    return settled(target.items.splice(at, 1)[0] ?? null);
  }),
  listMethod('remove', changes, (target, call) => {
    const [value] = positional(call, [anything]);
    changing(call, target, 'remove from');
    const at = place(target, value, call, 0, target.items.length);
    if (at < 0) throw failed(call, 'element not found');
    target.items.splice(at, 1);
    return null;
  }),
];

/** Where a value stands between two places of a list, or -1. */
function place(target: List, value: Value, call: Call, start: number, end: number): number {
  return walked(call.around, (walk) => {
    for (let i = start; i < end; i++) if (same(walk, target.items[i] ?? null, value, 0)) return i;
    return -1;
  });
}

/** Items move many at a time. */
const moved = ({ items }: List): number => items.length >> 4;

function changing(call: Call, target: List | Dict, verb: string): void {
  naming(call, () => mutable(target, verb));
}

const dictMethod = (
  name: string,
  traits: { mutates?: boolean },
  body: (target: Dict, call: Call) => Value,
): BuiltinSpec => defineMethod(name, traits, (value) => (isDict(value) ? value : dict()), body);

export const dictMethods: readonly BuiltinSpec[] = [
  dictMethod('clear', changes, (target, call) => {
    positional(call, []);
    changing(call, target, 'clear');
    target.index.clear();
    target.slots = [];
    return null;
  }),
  dictMethod('get', reads, (target, call) => {
    const [key, otherwise = null] = positional(call, [anything], [anything]);
    naming(call, () => hashable(key, call.around));
    const found = dictGet(target, key);
    return settled(found === undefined ? otherwise : found);
  }),
  dictMethod('items', reads, (target, call) => {
    positional(call, []);
    call.around.charge?.(2 * target.index.size);
    const found: Value[] = [];
    eachPair(target, call, (key, value) => found.push(tuple([key, settled(value)])));
    return list(found);
  }),
  dictMethod('keys', reads, (target, call) => {
    positional(call, []);
    const found: Value[] = [];
    eachPair(target, call, (key) => found.push(key));
    return list(found);
  }),
  dictMethod('values', reads, (target, call) => {
    positional(call, []);
    const found: Value[] = [];
    eachPair(target, call, (_, value) => found.push(settled(value)));
    return list(found);
  }),
  dictMethod('pop', changes, (target, call) => {
    const [key, otherwise] = positional(call, [anything], [anything]);
    changing(call, target, 'delete from');
    const found = remove(call, target, key);
    const value = found === undefined ? otherwise : found;
    if (value === undefined) throw failed(call, 'missing key');
    return settled(value);
  }),
  dictMethod('popitem', changes, (target, call) => {
    positional(call, []);
    const at = target.slots.findIndex((slot) => slot !== undefined);
    const first = target.slots[at];
    if (first === undefined) throw failed(call, 'empty dict');
    call.around.charge?.(at);
    changing(call, target, 'delete from');
    remove(call, target, first[0]);
    return tuple([first[0], settled(first[1])]);
  }),
  dictMethod('setdefault', changes, (target, call) => {
    const [key, otherwise = null] = positional(call, [anything], [anything]);
    naming(call, () => hashable(key, call.around));
    const known = dictGet(target, key);
    if (known !== undefined) return settled(known);
    changing(call, target, 'insert into');
    dictSet(target, key, otherwise);
    return otherwise;
  }),
  dictMethod('update', changes, (target, call) => {
    updateDict(call, target);
    return null;
  }),
];

function eachPair(target: Dict, call: Call, body: (key: Value, value: Value) => void): void {
  room(target.index.size, call.around);
  for (const slot of target.slots) if (slot) body(slot[0], slot[1]);
}

/** Takes a key out; its slot stays empty until there are more empty ones than keys. */
function remove(call: Call, target: Dict, key: Value): Value | undefined {
  const canonical = naming(call, () => hashable(key, call.around));
  const at = target.index.get(canonical);
  if (at === undefined) return undefined;
  const value = target.slots[at]?.[1];
  target.index.delete(canonical);
  target.slots[at] = undefined;
  closeGaps(target);
  return value;
}

/** Keeps the order of what is there and drops the empty slots, where they are most of all. */
export function closeGaps<T>(target: {
  index: Map<unknown, number>;
  slots: (T | undefined)[];
}): void {
  if (target.slots.length < 2 * target.index.size + 8) return;
  target.slots = target.slots.filter((slot) => slot !== undefined);
  let at = 0;
  for (const key of target.index.keys()) target.index.set(key, at++);
}

export const bytesMethods: readonly BuiltinSpec[] = [
  defineMethod(
    'elems',
    { lifts: true },
    (value) => (typeof value === 'object' && value?.kind === 'bytes' ? value : null),
    (of, call): Value => {
      positional(call, []);
      return of === null ? null : { kind: 'view', of, parts: 'elems' };
    },
  ),
];
