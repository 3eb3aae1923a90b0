/** A named part of a value: a field of a struct, a key of a dict. */
import { nearest } from '../program/diagnostic.ts';
import { dictGet, typeName, type Value } from '../program/value.ts';
import { codes } from './codes.ts';
import { Fault } from './fault.ts';

export function fieldOf(value: Value, name: string): Value {
  if (value !== null && typeof value === 'object' && value.kind === 'dict') {
    const found = dictGet(value, name);
    if (found !== undefined) return found;
    const keys = value.slots.flatMap((slot) => (slot ? [String(slot[0])] : []));
    throw noField(name, keys);
  }
  if (value !== null && typeof value === 'object' && value.kind === 'struct') {
    const found = value.fields.get(name);
    if (found !== undefined) return found;
    throw noField(name, [...value.fields.keys()]);
  }
  throw new Fault(codes.noKey, `got ${typeName(value)}, want a dict with the key ${name}`);
}

function noField(name: string, names: readonly string[]): Fault {
  const near = nearest(name, names);
  const hint = near ? `did you mean ${near}?` : `it has ${names.join(', ') || 'no keys'}`;
  return new Fault(codes.noKey, `there is no key ${name}`, hint);
}
