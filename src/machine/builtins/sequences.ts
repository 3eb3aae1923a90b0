/** The functions over iterables. None calls guest code: a `key=` is worked out by the caller. */
import {
  dict,
  list,
  range,
  set,
  settled,
  tuple,
  typeName,
  type Value,
} from '../../program/value.ts';
import { hashable, ordered, truth } from '../values/compare.ts';
import { Fault, faults } from '../values/fault.ts';
import { binary } from '../values/operators.ts';
import { orderOf } from '../values/order.ts';
import { room } from '../values/pendings.ts';
import { endIteration, iterate, lengthOf, nextItem } from '../values/sequence.ts';
import { str } from '../values/text.ts';
import { type Walk, walked } from '../values/walk.ts';
import {
  aBool,
  aCallable,
  anInt,
  anything,
  aString,
  type Call,
  define,
  failed,
  isIterable,
  items,
  itemsOf,
  misused,
  naming,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { updateDict } from './container-methods.ts';

const pure = { lifts: true };
const fresh = {};

export const sequences: readonly BuiltinSpec[] = [
  define('all', pure, (call) => positional(call, [items])[0].every((item) => truth(item))),
  define('any', pure, (call) => positional(call, [items])[0].some((item) => truth(item))),
  define('dict', fresh, (call) => {
    const made = dict();
    updateDict(call, made);
    return made;
  }),
  define('enumerate', fresh, (call) => {
    const [all, start = 0] = positional(call, [items], [anInt]);
    call.around.charge?.(2 * all.length);
    return list(all.map((item, i) => tuple([start + i, item])));
  }),
  define('fail', fresh, fail),
  define('len', pure, (call) => {
    const [value] = positional(call, [anything]);
    const length = lengthOf(value);
    if (length !== undefined) return length;
    throw misused(call, `value of type ${typeName(value)} has no len`);
  }),
  define('list', fresh, (call) => list(positional(call, [], [items])[0] ?? [])),
  define('max', pure, (call) => extreme(call, 1)),
  define('min', pure, (call) => extreme(call, -1)),
  // The text alone: the compiler releases it.
  define('print', pure, spaced),
  define('range', pure, makeRange),
  define('reversed', fresh, (call) => list(positional(call, [items])[0].reverse())),
  define('set', fresh, (call) => makeSet(call, positional(call, [], [items])[0] ?? [])),
  define('sorted', fresh, sorted),
  define('sum', pure, sum),
  define('tuple', pure, (call) => tuple(positional(call, [], [items])[0] ?? [])),
  define('zip', fresh, zip),
  define('_sorted_by', fresh, (call) => {
    const [all, keys, reverse] = positional(call, [items, items, aBool]);
    return list(sortedBy(call, all, keys, reverse));
  }),
  define('_items_for', fresh, (call) => {
    const [name, all, key] = positional(call, [aString, anything, anything]);
    const given = { iterable: items, key: aCallable };
    const named = new Map([
      ['iterable', all],
      ['key', key],
    ]);
    return list(parameters({ ...call, name, args: [], named }, given).iterable);
  }),
  define('_max_by', pure, (call) => extremeBy(call, 'max', ...positional(call, [items, items]))),
  define('_min_by', pure, (call) => extremeBy(call, 'min', ...positional(call, [items, items]))),
];

function fail(call: Call): Value {
  throw new Fault('PV3105', `fail: ${spaced(call)}`);
}

/** The texts of all arguments, with `sep` between them. */
function spaced(call: Call): string {
  if (call.named.has('end')) {
    const hint = 'each print is a line of its own: join the parts before';
    throw misused(call, 'unexpected keyword argument "end"', hint);
  }
  const { sep = ' ' } = parameters({ ...call, args: [] }, { 'sep?': aString });
  return call.args.map((arg) => str(arg, call.around)).join(sep);
}

function makeRange(call: Call): Value {
  const [first, second, step = 1] = positional(call, [anInt], [anInt, anInt]);
  if (step === 0) throw misused(call, 'step argument must not be zero');
  return second === undefined ? range(0, first, step) : range(first, second, step);
}

function makeSet(call: Call, members: readonly Value[]): Value {
  naming(call, () => {
    for (const member of members) hashable(member, call.around);
  });
  return set(members);
}

/** A list in order; `key` is for the library in Starlark, which calls it before. */
function sorted(call: Call): Value {
  const given = parameters(call, { iterable: items, 'key?': aCallable, 'reverse?': aBool });
  refuseKey(call, given.key);
  return list(sortedBy(call, given.iterable, given.iterable, given.reverse ?? false));
}

function refuseKey(call: Call, key: Value | undefined): void {
  if (key === undefined) return;
  throw misused(call, 'a key function is called by the program, never by the machine');
}

/** Stable both ways: equal keys keep their order when reversed, too. */
function sortedBy(
  call: Call,
  values: readonly Value[],
  keys: readonly Value[],
  reverse: boolean,
): Value[] {
  if (keys.length !== values.length) {
    throw misused(call, `got ${keys.length} keys, want ${values.length}`);
  }
  room(values.length * Math.ceil(Math.log2(values.length + 2)), call.around);
  const { around } = call;
  try {
    return orderOf(keys, reverse, around).map((i) => values[i] ?? null);
  } catch (error) {
    throw walked(around, (walk) => lastFault(walk, keys)) ?? error;
  }
}

/**
 * The fault of two keys without an order. Which two are compared is the business of the host's
 * sorting; the ones named are those that an insertion sort of the first few meets last.
 */
function lastFault(walk: Walk, all: readonly Value[]): unknown {
  const keys = all.slice(0, 20);
  let last: unknown;
  const isLess = (x: Value, y: Value): boolean => {
    try {
      return ordered(walk, '<', x, y, 0) < 0;
    } catch (error) {
      if (error instanceof Fault && error.code === faults.valueSize) throw error;
      last = error;
      return false;
    }
  };
  for (let i = 1; i < keys.length; i++) {
    for (let j = i; j > 0 && isLess(keys[j] ?? null, keys[j - 1] ?? null); j--) {
      [keys[j - 1], keys[j]] = [keys[j] ?? null, keys[j - 1] ?? null];
    }
  }
  return last;
}

function extreme(call: Call, sign: number): Value {
  const { name, args } = call;
  if (args.length === 0) {
    throw new Fault('PV3101', `${name} requires at least one positional argument`);
  }
  refuseKey(call, parameters({ ...call, args: [] }, { 'key?': aCallable }).key);
  const [only = null] = args;
  const all = args.length > 1 ? args : itemsOf(only, call.around);
  if (all === undefined) throw misused(call, `${typeName(only)} value is not iterable`);
  return extremeOf(call, all, all, sign);
}

const extremeBy = (call: Call, name: string, values: Value[], keys: Value[]): Value =>
  extremeOf({ ...call, name }, values, keys, name === 'max' ? 1 : -1);

/** The first value whose key no other is beyond. */
function extremeOf(
  call: Call,
  values: readonly Value[],
  keys: readonly Value[],
  sign: number,
): Value {
  const [first] = values;
  if (first === undefined) throw failed(call, 'argument is an empty sequence');
  const op = sign > 0 ? '>' : '<';
  let best = 0;
  naming(call, () =>
    walked(call.around, (walk) => {
      for (let i = 1; i < values.length; i++) {
        if (sign * ordered(walk, op, keys[i] ?? null, keys[best] ?? null, 0) > 0) best = i;
      }
    }),
  );
  return settled(values[best] ?? null);
}

/** Adds numbers; what else `+` joins has functions of its own. */
function sum(call: Call): Value {
  const { iterable, start = 0 } = parameters(call, { iterable: items, 'start?': anything });
  let total: Value = start;
  for (const item of [start, ...iterable]) {
    const isFloat = typeof item === 'object' && item?.kind === 'float';
    if (typeof item !== 'number' && typeof item !== 'bigint' && !isFloat) {
      const hint = typeof item === 'string' ? 'join strings with "".join(strings)' : undefined;
      throw new Fault('PV3101', `sum: got ${typeName(item)}, want int or float`, hint);
    }
  }
  for (const item of iterable) total = binary(13, total, item, call.around);
  return total;
}

/** The most items that an iterable can have: code points are no more than characters. */
function longest(value: Value): number {
  const of = typeof value === 'object' && value?.kind === 'view' ? value.of : value;
  return lengthOf(value) ?? lengthOf(of) ?? Infinity;
}

/** Row by row: of columns that differ in length no more is looked at than the shortest has. */
function zip(call: Call): Value {
  const { args, named, around } = call;
  if (named.size > 0) throw misused(call, 'unexpected keyword arguments');
  args.forEach((arg, i) => {
    if (isIterable(arg)) return;
    throw misused(call, `argument #${i + 1} is not iterable: ${typeName(arg)}`);
  });
  const most = args.length === 0 ? 0 : Math.min(...args.map(longest));
  room(most * args.length, around);
  const columns = args.map(iterate);
  const rows: Value[] = [];
  while (rows.length < most) {
    const row: Value[] = [];
    for (const column of columns) {
      const item = nextItem(column);
      if (item !== undefined) row.push(settled(item));
    }
    if (row.length < columns.length) break;
    rows.push(tuple(row));
  }
  for (const column of columns) endIteration(column);
  return list(rows);
}
