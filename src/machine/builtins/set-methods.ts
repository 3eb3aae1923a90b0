/** Methods of sets. They check everything before they change anything. */
import {
  type Key,
  type SetValue,
  set,
  settled,
  typeName,
  type Value,
} from '../../program/value.ts';
import { hashable } from '../values/compare.ts';
import { room } from '../values/room.ts';
import { mutable } from '../values/sequence.ts';
import {
  anything,
  type Call,
  defineMethod,
  failed,
  items,
  itemsOf,
  misused,
  naming,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { closeGaps } from './container-methods.ts';

const changes = { mutates: true };
const reads = {};

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
    remove(call, target, member);
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
    remove(call, target, first);
    return first;
  }),
  setMethod('remove', changes, (target, call) => {
    const [member] = positional(call, [anything]);
    changing(call, target, 'delete from');
    if (!remove(call, target, member)) throw failed(call, 'missing key');
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

function changing(call: Call, target: SetValue, verb: string): void {
  naming(call, () => mutable(target, verb));
}

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
function remove(call: Call, target: SetValue, member: Value): boolean {
  const key = naming(call, () => hashable(member, call.around));
  const at = target.index.get(key);
  if (at === undefined) return false;
  target.index.delete(key);
  target.slots[at] = undefined;
  closeGaps(target);
  return true;
}
