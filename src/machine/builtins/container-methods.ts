/** Methods of lists, dicts, sets and bytes. They check everything before they change anything. */
import {
  type Dict,
  dict,
  dictGet,
  dictSet,
  isDict,
  type Key,
  type List,
  list,
  type SetValue,
  set,
  settled,
  tuple,
  typeName,
  type Value,
} from '../../program/value.ts';
import { hashable, same } from '../values/compare.ts';
import { room } from '../values/pendings.ts';
import { lengthOf, mutable, outOfRange } from '../values/sequence.ts';
import { walked } from '../values/walk.ts';
import {
  anInt,
  anything,
  bounds,
  type Call,
  defineMethod,
  failed,
  isIterable,
  items,
  itemsOf,
  misused,
  naming,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

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

function changing(call: Call, target: List | Dict | SetValue, verb: string): void {
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
function closeGaps<T>(target: { index: Map<unknown, number>; slots: (T | undefined)[] }): void {
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

// Sets.

const setMethod = (
  name: string,
  traits: { mutates?: boolean },
  body: (target: SetValue, call: Call) => Value,
): BuiltinSpec =>
  defineMethod(
    name,
    traits,
    (value) => (typeof value === 'object' && value?.kind === 'set' ? value : set()),
    body,
  );

/** Members by key, in order. */
type Members = Map<Key, Value>;

export const setMethods: readonly BuiltinSpec[] = [
  setMethod('add', changes, (target, call) => {
    const [member] = positional(call, [anything]);
    changing(call, target, 'insert into');
    const key = naming(call, () => hashable(member, call.around));
    if (!target.index.has(key)) target.index.set(key, target.slots.push(member) - 1);
    return null;
  }),
  setMethod('clear', changes, (target, call) => {
    positional(call, []);
    if (target.index.size === 0) return null;
    changing(call, target, 'clear');
    target.index.clear();
    target.slots = [];
    return null;
  }),
  setMethod('difference', reads, (target, call) => {
    const other = membersOf(call);
    return made([...own(target)].filter(([key]) => !other.has(key)));
  }),
  setMethod('discard', changes, (target, call) => {
    const [member] = positional(call, [anything]);
    changing(call, target, 'delete from');
    removeMember(call, target, member);
    return null;
  }),
  setMethod('intersection', reads, (target, call) =>
    made([...membersOf(call)].filter(([key]) => target.index.has(key))),
  ),
  setMethod('issubset', reads, (target, call) => {
    const other = membersOf(call);
    return [...target.index.keys()].every((key) => other.has(key));
  }),
  setMethod('issuperset', reads, (target, call) =>
    [...membersOf(call).keys()].every((key) => target.index.has(key)),
  ),
  setMethod('pop', changes, (target, call) => {
    positional(call, []);
    const at = target.slots.findIndex((slot) => slot !== undefined);
    const first = target.slots[at];
    if (first === undefined) throw failed(call, 'empty set');
    call.around.charge?.(at);
    changing(call, target, 'delete from');
    removeMember(call, target, first);
    return first;
  }),
  setMethod('remove', changes, (target, call) => {
    const [member] = positional(call, [anything]);
    changing(call, target, 'delete from');
    if (!removeMember(call, target, member)) throw failed(call, 'missing key');
    return null;
  }),
  setMethod('symmetric_difference', reads, (target, call) => {
    const other = membersOf(call);
    const mine = [...own(target)].filter(([key]) => !other.has(key));
    return made([...mine, ...[...other].filter(([key]) => !target.index.has(key))]);
  }),
  setMethod('union', reads, (target, call) => made([...own(target), ...added(call)])),
  setMethod('update', changes, (target, call) => {
    const all = added(call);
    if (all.some(([key]) => !target.index.has(key))) changing(call, target, 'insert into');
    for (const [key, member] of all) {
      if (!target.index.has(key)) target.index.set(key, target.slots.push(member) - 1);
    }
    return null;
  }),
];

function* own(target: SetValue): Generator<readonly [Key, Value]> {
  for (const [key, at] of target.index) yield [key, target.slots[at] ?? null];
}

function made(members: readonly (readonly [Key, Value])[]): SetValue {
  return set(members.map(([, member]) => member));
}

/** The one argument of a method, as members. */
function membersOf(call: Call): Members {
  const [other] = positional(call, [items]);
  return naming(call, () => new Map(other.map((item) => [hashable(item, call.around), item])));
}

/** The members of all arguments. */
function added(call: Call): (readonly [Key, Value])[] {
  if (call.named.size > 0) throw misused(call, 'does not accept keyword arguments');
  const all = call.args.flatMap((arg, i) => {
    const found = itemsOf(arg, call.around);
    if (found !== undefined) return found;
    throw misused(call, `argument #${i + 1} is not iterable: ${typeName(arg)}`);
  });
  room(all.length, call.around);
  return naming(call, () =>
    all.map((item) => [hashable(item, call.around), settled(item)] as const),
  );
}

/** Whether the member was there. */
function removeMember(call: Call, target: SetValue, member: Value): boolean {
  const key = naming(call, () => hashable(member, call.around));
  const at = target.index.get(key);
  if (at === undefined) return false;
  target.index.delete(key);
  target.slots[at] = undefined;
  closeGaps(target);
  return true;
}

// What `dict()` and `dict.update()` share: pairs from a dict or an iterable, then the names.

/** Reads and checks everything before it changes the dict. */
export function updateDict(call: Call, target: Dict): void {
  if (call.args.length > 1)
    throw misused(call, `got ${call.args.length} arguments, want at most 1`);
  const [from] = call.args;
  const pairs: (readonly [Value, Value])[] = from === undefined ? [] : pairsOf(call, from);
  for (const pair of call.named) pairs.push(pair);
  if (pairs.length === 0) return;
  naming(call, () => {
    mutable(target, 'insert into');
    for (const [key] of pairs) hashable(key, call.around);
  });
  room(target.index.size + pairs.length, call.around);
  for (const [key, value] of pairs) dictSet(target, key, settled(value));
}

function pairsOf(call: Call, from: Value): (readonly [Value, Value])[] {
  if (isDict(from)) {
    return from.slots.filter((slot) => slot !== undefined);
  }
  const items = itemsOf(from, call.around);
  if (items === undefined) throw misused(call, `got ${typeName(from)}, want iterable`);
  return items.map((item, i) => pairOf(call, item, i));
}

function pairOf(call: Call, item: Value, at: number): readonly [Value, Value] {
  const which = `dictionary update sequence element #${at}`;
  if (!isIterable(item)) throw misused(call, `${which} is not iterable (${typeName(item)})`);
  const length = lengthOf(item);
  if (length === undefined) {
    throw misused(call, `${which} has unknown length (${typeName(item)})`);
  }
  if (length !== 2) throw misused(call, `${which} has length ${length}, want 2`);
  const [key = null, value = null] = itemsOf(item, call.around) ?? [];
  return [key, value];
}
