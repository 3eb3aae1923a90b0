/**
 * The values of a snapshot: one table, each object once, so that identity, sharing and cycles
 * survive; a pending that has settled is written as its value.
 */
import {
  builtin,
  bytes,
  type Cell,
  cell,
  dict,
  type Frozen,
  float,
  type Iter,
  iterator,
  keyOf,
  list,
  method,
  range,
  set,
  settled,
  tool,
  type Value,
  type View,
} from '../program/value.ts';
import type { HostLibrary } from './machine.ts';
import { streamType } from './stream.ts';
import { faults, MachineError } from './values/fault.ts';

/**
 * A slot in a snapshot: scalars as themselves, `[n]` an object of the table, `['i', digits]` a big
 * int, `[]` nothing.
 */
export type Slot =
  | null
  | boolean
  | number
  | string
  | readonly []
  | readonly [number]
  | readonly ['i', string];

type HeapValue = Exclude<Value, null | boolean | number | bigint | string>;

export type Node = readonly [kind: string, ...parts: unknown[]];

/** Gives a value its slot; the table is whole after `rest`. */
export interface HeapWriter {
  readonly heap: readonly Node[];
  slot(value: Value | undefined): Slot;
  /** Writes what the objects that have a slot hold. */
  rest(): void;
}

export function heapWriter(): HeapWriter {
  const table = new Map<object, number>();
  const heap: Node[] = [];
  const queue: [number, HeapValue][] = [];
  const slot = (value: Value | undefined): Slot => {
    if (value === undefined) return [];
    const seen = settled(value);
    if (typeof seen === 'bigint') return ['i', String(seen)];
    if (seen === null || typeof seen !== 'object') return seen;
    const known = table.get(seen);
    if (known !== undefined) return [known];
    const at = heap.length;
    table.set(seen, at);
    heap.push(['']);
    queue.push([at, seen]);
    return [at];
  };
  const rest = (): void => {
    for (let item = queue.pop(); item; item = queue.pop()) heap[item[0]] = node(item[1], slot);
  };
  return { heap, slot, rest };
}

export type HeapReader = (slot: Slot) => Value | undefined;

/** Makes the objects of a table again. */
export function heapReader(heap: readonly Node[], host: HostLibrary): HeapReader {
  const shells = heap.map((data) => shell(data, host));
  const value: HeapReader = (slot) => {
    if (!Array.isArray(slot)) return slot as Value;
    const [at, digits] = slot as readonly [number | 'i' | undefined, string?];
    if (at === undefined) return undefined;
    return at === 'i' ? BigInt(digits ?? '0') : (shells[at] as Value);
  };
  heap.forEach((data, i) => {
    fill(shells[i] as HeapValue, data, value);
  });
  for (const made of shells) rehash(made);
  return value;
}

function node(value: HeapValue, slot: (value: Value | undefined) => Slot): Node {
  switch (value.kind) {
    case 'float':
      return ['float', String(Object.is(value.value, -0) ? '-0' : value.value)];
    case 'bytes':
      return ['bytes', [...value.bytes]];
    case 'list':
      return ['list', value.items.map(slot), value.frozen, value.iterating];
    case 'tuple':
      return ['tuple', value.items.map(slot)];
    case 'dict':
      return [
        'dict',
        value.slots.map((pair) => (pair ? pair.map(slot) : 0)),
        value.frozen,
        value.iterating,
      ];
    case 'set':
      return ['set', value.slots.map(slot), value.frozen, value.iterating];
    case 'range':
      return ['range', value.start, value.stop, value.step];
    case 'struct':
      return [
        'struct',
        value.name,
        [...value.fields].map(([name, item]) => [name, slot(item)]),
        ...(value.maker === undefined ? [] : [slot(value.maker)]),
      ];
    case 'object':
      return [
        'object',
        value.type.name,
        [...value.fields].map(([name, item]) => [name, slot(item)]),
        value.frozen,
      ];
    case 'function':
      return ['function', value.chunk, value.defaults.map(slot), value.cells.map(slot)];
    case 'method':
      return ['method', slot(value.receiver), value.name];
    case 'module':
      return ['module', value.name, [...value.members].map(([name, item]) => [name, slot(item)])];
    case 'view':
      return ['view', slot(value.of), value.parts];
    case 'builtin':
    case 'tool':
      return [value.kind, value.name];
    case 'pending':
      return ['pending', value.entry];
    case 'cell':
      return ['cell', slot(value.value)];
    case 'iterator':
      return ['iterator', slot(value.over), value.position];
  }
}

/** An object of the right shape whose references are still to be filled in. */
function shell(data: Node, host: HostLibrary): HeapValue {
  const [kind, first, second, third] = data;
  switch (kind) {
    case 'float':
      return float(Number(first));
    case 'bytes':
      return bytes(Uint8Array.from(first as number[]));
    case 'list':
      return { ...list([]), frozen: second as Frozen, iterating: Number(third) };
    case 'tuple':
      return { kind: 'tuple', items: [] };
    case 'dict':
      return { ...dict(), frozen: second as Frozen, iterating: Number(third) };
    case 'set':
      return { ...set(), frozen: second as Frozen, iterating: Number(third) };
    case 'range':
      return range(Number(first), Number(second), Number(third));
    case 'struct':
      return { kind: 'struct', name: String(first), fields: new Map() };
    case 'function':
      return { kind: 'function', chunk: Number(first), defaults: [], cells: [] };
    case 'method':
      return method(null, String(second));
    case 'module':
      return { kind: 'module', name: String(first), members: new Map() };
    case 'object':
      return hostObject(String(first), host);
    case 'view':
      return { kind: 'view', of: '', parts: second as View['parts'] };
    case 'builtin':
      return builtin(String(first));
    case 'tool':
      return tool(String(first));
    case 'pending':
      return { kind: 'pending', entry: Number(first), value: undefined };
    case 'cell':
      return cell(undefined);
    case 'iterator':
      return iterator(list([]), Number(second));
    default:
      throw new MachineError(
        faults.damagedSnapshot,
        `got ${kind} in a snapshot, want a kind of value; take another snapshot`,
      );
  }
}

function hostObject(name: string, { types }: HostLibrary): HeapValue {
  const type = name === streamType.name ? streamType : types.get(name);
  if (type) return { kind: 'object', type, fields: new Map(), frozen: false };
  throw new MachineError(
    faults.damagedSnapshot,
    `got an object of type ${name}, which the host does not define; restore it as it was made`,
  );
}

function fill(made: HeapValue, data: Node, value: (slot: Slot) => Value | undefined): void {
  const slots = (Array.isArray(data[1]) ? data[1] : []) as Slot[];
  const read = (slot: Slot): Value => value(slot) ?? null;
  switch (made.kind) {
    case 'list':
    case 'tuple':
      for (const slot of slots) (made.items as Value[]).push(read(slot));
      return;
    case 'dict':
      made.slots = slots.map((pair): [Value, Value] | undefined => {
        if (!Array.isArray(pair)) return undefined;
        return [read(pair[0] as unknown as Slot), read(pair[1] as unknown as Slot)];
      });
      return;
    case 'set':
      made.slots = slots.map(value);
      return;
    case 'struct':
      for (const [name, slot] of data[2] as [string, Slot][]) {
        (made.fields as Map<string, Value>).set(name, read(slot));
      }
      if (data[3] !== undefined) Object.assign(made, { maker: read(data[3] as Slot) });
      return;
    case 'object':
      for (const [name, slot] of data[2] as [string, Slot][]) made.fields.set(name, read(slot));
      made.frozen = Boolean(data[3]);
      return;
    case 'module':
      for (const [name, slot] of data[2] as [string, Slot][]) {
        (made.members as Map<string, Value>).set(name, read(slot));
      }
      return;
    case 'method':
      Object.assign(made, { receiver: read(data[1] as Slot) });
      return;
    case 'view':
      Object.assign(made, { of: read(data[1] as Slot) });
      return;
    case 'function':
      for (const slot of data[2] as Slot[]) (made.defaults as Value[]).push(read(slot));
      for (const slot of data[3] as Slot[]) (made.cells as Cell[]).push(value(slot) as Cell);
      return;
    case 'cell':
      made.value = value(data[1] as Slot);
      return;
    case 'iterator':
      Object.assign(made, iterator(value(data[1] as Slot) as Iter['over'], made.position));
      return;
    default:
      return;
  }
}

/** Keys of dicts and sets, once every object is whole. */
function rehash(made: HeapValue): void {
  if (made.kind !== 'dict' && made.kind !== 'set') return;
  made.slots.forEach((slot, i) => {
    const key = slot === undefined ? undefined : Array.isArray(slot) ? slot[0] : (slot as Value);
    const canonical = key === undefined ? undefined : keyOf(key);
    if (canonical !== undefined) made.index.set(canonical, i);
  });
}
