/** `x.name` in Starlark: a field of a struct or module, else a method bound to its receiver. */
import { type HostObject, method, settled, typeName, type Value } from '../program/value.ts';
import { type Builtins, type MethodTables, methodsOf } from './builtins/builtins.ts';
import { Fault, faults } from './values/fault.ts';
import { nearest } from './values/foreign-attributes.ts';
import { need } from './values/pendings.ts';

/** Undefined where the value has no such attribute. */
export function attributeOf(value: Value, name: string, methods: MethodTables): Value | undefined {
  const seen = settled(value);
  if (seen !== null && typeof seen === 'object') {
    if (seen.kind === 'struct') return seen.fields.get(name);
    if (seen.kind === 'module') return seen.members.get(name);
    if (seen.kind === 'object') return seen.type.isOpaque ? undefined : seen.fields.get(name);
  }
  return methodsOf(seen, methods).has(name) ? method(seen, name) : undefined;
}

/** The names after the point, sorted. */
export function attributeNames(value: Value, methods: MethodTables): string[] {
  const seen = settled(value);
  if (seen !== null && typeof seen === 'object') {
    if (seen.kind === 'struct') return [...seen.fields.keys()].sort();
    if (seen.kind === 'module') return [...seen.members.keys()].sort();
    if (seen.kind === 'object') return fieldNames(seen);
  }
  return [...methodsOf(seen, methods).keys()].sort();
}

const fieldNames = ({ type, fields }: HostObject): string[] =>
  type.isOpaque ? [] : [...fields.keys()].sort();

/** x.name = value: only values of the host may have fields that can be set. */
export function setField(target: Value, name: string, value: Value): void {
  const x = need(target);
  const setter = typeof x === 'object' && x?.kind === 'object' ? x.type.setField : undefined;
  if (typeof x !== 'object' || x?.kind !== 'object' || !setter) {
    const hint = 'fields are set when the value is made: struct(name=value); a dict can change';
    const message = `can't assign to .${name} field of ${typeName(x)}`;
    throw new Fault(faults.operandTypes, message, hint);
  }
  if (x.frozen) {
    throw new Fault(faults.locked, `cannot set field on a frozen ${typeName(x)}`);
  }
  const refusal = setter(x, name, value);
  if (refusal === undefined) {
    x.fields.set(name, value);
    return;
  }
  const near = nearest(name, fieldNames(x));
  throw new Fault(faults.noKey, refusal + (near === undefined ? '' : ` (did you mean .${near}?)`));
}

type NamedParts = Pick<Builtins, 'methods' | 'foreignAttribute'>;

/** PV3005: the value has no such field or method; with the nearest that it has. */
export function noAttribute(value: Value, name: string, builtins: NamedParts): Fault {
  const seen = settled(value);
  const names = attributeNames(seen, builtins.methods);
  const near = nearest(name, names);
  const slip = near === undefined ? '' : ` (did you mean .${near}?)`;
  const message =
    typeof seen === 'object' && seen?.kind === 'struct'
      ? `${seen.name === 'struct' ? '' : `${seen.name} `}struct has no .${name} attribute`
      : `${typeName(seen)} has no .${name} field or method`;
  const shown = names.slice(0, 40).join(', ');
  const listed = names.length === 0 || near !== undefined ? undefined : `it has ${shown}`;
  const hint = builtins.foreignAttribute(seen, name) ?? listed;
  return new Fault(faults.noKey, message + slip, hint);
}
