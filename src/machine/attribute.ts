/** `x.name` in Starlark: a field of a struct or module, else a method bound to its receiver. */
import { method, settled, typeName, type Value } from '../program/value.ts';
import { methodsOf } from './builtins/methods.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
import { nearest } from './spelling.ts';

/** Undefined where the value has no such attribute. */
export function attributeOf(value: Value, name: string): Value | undefined {
  const seen = settled(value);
  if (seen !== null && typeof seen === 'object') {
    if (seen.kind === 'struct') return seen.fields.get(name);
    if (seen.kind === 'module') return seen.members.get(name);
  }
  return methodsOf(seen).has(name) ? method(seen, name) : undefined;
}

/** The names after the point, sorted. */
export function attributeNames(value: Value): string[] {
  const seen = settled(value);
  if (seen !== null && typeof seen === 'object') {
    if (seen.kind === 'struct') return [...seen.fields.keys()].sort();
    if (seen.kind === 'module') return [...seen.members.keys()].sort();
  }
  return [...methodsOf(seen).keys()].sort();
}

/** PV3005: the value has no such field or method; with the nearest that it has. */
export function noAttribute(value: Value, name: string): Fault {
  const seen = settled(value);
  const names = attributeNames(seen);
  const near = nearest(name, names);
  const slip = near === undefined ? '' : ` (did you mean .${near}?)`;
  const message =
    typeof seen === 'object' && seen?.kind === 'struct'
      ? `${seen.name === 'struct' ? '' : `${seen.name} `}struct has no .${name} attribute`
      : `${typeName(seen)} has no .${name} field or method`;
  const shown = names.slice(0, 40).join(', ');
  const hint = names.length === 0 || near !== undefined ? undefined : `it has ${shown}`;
  return new Fault(faults.noKey, message + slip, hint);
}
