/**
 * Pending values inside other values: finding them, copying around them, and writing a value down
 * at the moment it is handed over, so that what happens to it later cannot leak in.
 */
import { decode, depthMax, encode, NotData } from '../program/json.ts';
import { type Pending, settled, type Value } from '../program/value.ts';
import { codes } from './codes.ts';
import { Fault } from './fault.ts';
import { Wait } from './state.ts';

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
  const open = new Set<Pending>();
  findPending(value, open, 0);
  for (const pending of open) throw new Wait({ on: 'value', pending });
  return settled(value);
}

/** Adds the unsettled pendings of a value, at any depth. */
export function findPending(value: Value, found: Set<Pending>, depth: number): void {
  if (value === null || typeof value !== 'object') return;
  if (depth > depthMax) return;
  switch (value.kind) {
    case 'pending':
      if (value.value === undefined) found.add(value);
      else findPending(value.value, found, depth);
      return;
    case 'list':
    case 'tuple':
      for (const item of value.items) findPending(item, found, depth + 1);
      return;
    case 'dict':
      for (const slot of value.slots) if (slot) findPending(slot[1], found, depth + 1);
      return;
    case 'struct':
      for (const item of value.fields.values()) findPending(item, found, depth + 1);
      return;
    default:
      return;
  }
}

/**
 * A copy that later mutation cannot reach: containers are copied, pending leaves stay. A pending in
 * `arrived` becomes the value it had on arrival.
 */
export function copyAround(value: Value, depth = 0, arrived?: ReadonlyMap<Pending, string>): Value {
  if (arrived && value !== null && typeof value === 'object' && value.kind === 'pending') {
    const text = arrived.get(value);
    if (text !== undefined) return decode(text);
  }
  const seen = settled(value);
  if (seen === null || typeof seen !== 'object') return seen;
  if (depth > depthMax) throw nestingFault();
  const copy = (item: Value): Value => copyAround(item, depth + 1, arrived);
  switch (seen.kind) {
    case 'list':
      return { ...seen, items: seen.items.map(copy) };
    case 'tuple':
      return { kind: 'tuple', items: seen.items.map(copy) };
    case 'dict': {
      const slots = seen.slots.map((slot): [Value, Value] | undefined =>
        slot ? [slot[0], copy(slot[1])] : undefined,
      );
      return { ...seen, index: new Map(seen.index), slots };
    }
    case 'set':
      return { ...seen, index: new Map(seen.index), slots: [...seen.slots] };
    case 'struct': {
      const fields = [...seen.fields].map(([name, item]): [string, Value] => [name, copy(item)]);
      return { ...seen, fields: new Map(fields) };
    }
    default:
      return seen;
  }
}

/**
 * Canonical text of a value. Pendings in `arrived` stand for the text they had on arrival.
 * A value that is no data (a function, a cycle) is a guest error.
 */
export function writeDown(value: Value, arrived?: ReadonlyMap<Pending, string>): string {
  try {
    return encode(arrived?.size ? copyAround(value, 0, arrived) : value);
  } catch (error) {
    if (error instanceof NotData) throw dataFault(error.message);
    throw error;
  }
}

const dataFault = (found: string): Fault =>
  new Fault(codes.notData, `got ${found}, want data: null, bool, number, string, list or dict`);

export const nestingFault = (): Fault =>
  new Fault(codes.nesting, `values nest deeper than ${depthMax} levels, or form a cycle`);

/** Whether a later mutation could change what the value says. */
export function isMutable(value: Value): boolean {
  if (value === null || typeof value !== 'object') return false;
  switch (value.kind) {
    case 'list':
    case 'dict':
    case 'set':
      return true;
    case 'tuple':
      return value.items.some((item) => isMutable(settled(item)));
    case 'struct':
      return [...value.fields.values()].some((item) => isMutable(settled(item)));
    default:
      return false;
  }
}
