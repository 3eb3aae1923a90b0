/** What `dict()` and `dict.update()` share: pairs from a dict or an iterable, then the names. */
import { type Dict, dictSet, isDict, settled, typeName, type Value } from '../../program/value.ts';
import { hashable } from '../values/compare.ts';
import { room } from '../values/room.ts';
import { lengthOf, mutable } from '../values/sequence.ts';
import { type Call, isIterable, itemsOf, misused, naming } from './arguments.ts';

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
