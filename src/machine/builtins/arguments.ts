/**
 * Reading the arguments of a library function: how many, of which types, by which names. The words
 * of the errors are those of starlark-go, which programs and their tests know.
 */
import { settled, typeName, type Value } from '../../program/value.ts';
import { isStream } from '../stream.ts';
import { Fault, faults } from '../values/fault.ts';
import { nearest } from '../values/foreign-attributes.ts';
import { room } from '../values/pendings.ts';
import { endIteration, iterate, lengthOf, nextItem } from '../values/sequence.ts';
import type { BuiltinSpec, Surroundings } from './builtin.ts';

/** One call: what was given, and to whom. */
export interface Call {
  readonly name: string;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly around: Surroundings;
}

interface Traits {
  readonly lifts?: boolean;
  readonly mutates?: boolean;
  readonly stores?: boolean;
}

/** A library function; `body` gets settled arguments. */
export function define(name: string, traits: Traits, body: (call: Call) => Value): BuiltinSpec {
  return {
    name,
    lifts: traits.lifts ?? false,
    mutates: traits.mutates ?? false,
    stores: traits.stores ?? false,
    call: (args, named, around) => body({ name, args: allSettled(args, 0), named, around }),
  };
}

/** A method: `read` says what its receiver must be, `body` gets the call without it. */
export function defineMethod<T extends Value>(
  name: string,
  traits: Traits,
  read: (value: Value) => T,
  body: (receiver: T, call: Call) => Value,
): BuiltinSpec {
  const { lifts = false, mutates = false, stores = false } = traits;
  return {
    name,
    lifts,
    mutates,
    stores,
    call: (args, named, around) =>
      body(read(settled(args[0] ?? null)), { name, args: allSettled(args, 1), named, around }),
  };
}

/** A copy, since most calls have so few arguments that looping over them is the quickest. */
function allSettled(args: readonly Value[], from: number): Value[] {
  const found: Value[] = [];
  for (let i = from; i < args.length; i++) found.push(settled(args[i] as Value));
  return found;
}

/** Reads one argument, or says in a `Mismatch` what it wants instead. */
export type Check<T> = (value: Value, around: Surroundings) => T;

/** Why an argument does not fit: `got int, want string`. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

type Checks<T extends readonly unknown[]> = { readonly [K in keyof T]: Check<T[K]> };

/** Positional arguments: all of `required`, then some of `optional`; no names. */
export function positional<R extends readonly unknown[], O extends readonly unknown[] = []>(
  call: Call,
  required: Checks<readonly [...R]>,
  optional?: Checks<readonly [...O]>,
): [...R, ...Partial<O>] {
  if (call.named.size > 0) {
    const hint = `write ${call.name}(…) without names: its arguments go by their order`;
    throw misused(call, 'unexpected keyword arguments', hint);
  }
  const least = required.length;
  const others: readonly unknown[] = optional ?? [];
  counted(call, least, least + others.length);
  const read: unknown[] = [];
  for (let i = 0; i < call.args.length; i++) {
    const check = (i < least ? required[i] : others[i - least]) as Check<unknown>;
    const arg = call.args[i] as Value;
    read.push(check === anything ? arg : checked(call, check, arg, i + 1));
  }
  return read as [...R, ...Partial<O>];
}

function counted(call: Call, least: number, most: number): void {
  const got = call.args.length;
  if (got < least) {
    throw misused(call, `got ${got} arguments, want ${least < most ? 'at least ' : ''}${least}`);
  }
  if (got > most) {
    throw misused(call, `got ${got} arguments, want ${most > least ? 'at most ' : ''}${most}`);
  }
}

/** Parameters with names, in order; `?` after a name makes it and those after it optional. */
export function parameters<T extends Readonly<Record<string, Check<unknown>>>>(
  call: Call,
  checks: T,
): { [K in keyof T as K extends `${infer N}?` ? N : K]: Read<T, K> } {
  const keys = Object.keys(checks);
  const names = keys.map((key) => key.replace('?', ''));
  if (call.args.length > names.length) {
    throw misused(call, `got ${call.args.length} arguments, want at most ${names.length}`);
  }
  const found = new Map<string, unknown>();
  call.args.forEach((arg, i) => {
    const name = names[i] ?? '';
    found.set(name, checked(call, checks[keys[i] ?? ''], arg, name));
  });
  for (const [name, arg] of call.named) {
    const at = names.indexOf(name);
    const shown = JSON.stringify(name);
    if (at < 0) {
      const near = nearest(name, names);
      const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
      throw misused(call, `unexpected keyword argument ${shown}${hint}`);
    }
    if (found.has(name)) throw misused(call, `got multiple values for keyword argument ${shown}`);
    found.set(name, checked(call, checks[keys[at] ?? ''], settled(arg), shown));
  }
  const missing = keys.find((key) => !key.endsWith('?') && !found.has(key));
  if (missing !== undefined) throw misused(call, `missing argument for ${missing}`);
  return Object.fromEntries(found) as ReturnType<typeof parameters<T>>;
}

type Read<
  T extends Readonly<Record<string, Check<unknown>>>,
  K extends keyof T,
> = K extends `${string}?` ? ReturnType<T[K]> | undefined : ReturnType<T[K]>;

function checked(
  call: Call,
  check: Check<unknown> | undefined,
  value: Value,
  place: string | number,
): unknown {
  try {
    return check?.(value, call.around);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw misused(call, `for parameter ${place}: ${error.message}`);
  }
}

/** The call has other arguments than the function takes. */
export const misused = (call: Pick<Call, 'name'>, message: string, hint?: string): Fault =>
  new Fault('PV3101', `${call.name}: ${message}`, hint);

/** The arguments are right, but there is no result for them. */
export const failed = (call: Pick<Call, 'name'>, message: string): Fault =>
  new Fault('PV3104', `${call.name}: ${message}`);

/** An error of a part of a call under the name of the call: `set: unhashable type: list`. */
export function naming<T>(call: Pick<Call, 'name'>, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${call.name}: ${error.message}`, error.hint);
  }
}

const want = (value: Value, wanted: string): Mismatch =>
  new Mismatch(`got ${typeName(value)}, want ${wanted}`);

export const anything: Check<Value> = (value) => value;

export const aString: Check<string> = (value) => {
  if (typeof value !== 'string') throw want(value, 'string');
  return value;
};

export const aBool: Check<boolean> = (value) => {
  if (typeof value !== 'boolean') throw want(value, 'bool');
  return value;
};

export const anInt: Check<number> = (value) => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') throw want(value, 'int');
  throw new Mismatch(`${value} out of range (want value in signed 64-bit range)`);
};

/** Whether a value can be called. */
const isCallable = (value: Value): boolean =>
  value !== null &&
  typeof value === 'object' &&
  ['function', 'builtin', 'method', 'tool'].includes(value.kind);

export const aCallable: Check<Value> = (value) => {
  if (!isCallable(value)) throw want(value, 'callable');
  return value;
};

/** The items of an iterable, in an array of the caller's own. */
export const items: Check<Value[]> = (value, around) => {
  const found = itemsOf(value, around);
  if (found !== undefined) return found;
  const isWaiting = typeof value === 'object' && value !== null && isStream(value);
  throw want(value, isWaiting ? 'iterable: take [part for part in stream(…)]' : 'iterable');
};

export const isIterable = (value: Value): boolean =>
  value !== null &&
  typeof value === 'object' &&
  ['list', 'tuple', 'dict', 'set', 'range', 'view'].includes(value.kind);

/** The items of a value, settled; undefined if it is not iterable. Throws PV3012. */
export function itemsOf(value: Value, around: Surroundings): Value[] | undefined {
  if (!isIterable(value)) return undefined;
  const count = lengthOf(value);
  if (count !== undefined) room(count, around);
  if (typeof value === 'object' && (value?.kind === 'list' || value?.kind === 'tuple')) {
    return value.items.map(settled);
  }
  const iterator = iterate(value);
  const found: Value[] = [];
  for (let item = nextItem(iterator); item !== undefined; item = nextItem(iterator)) {
    found.push(settled(item));
  }
  endIteration(iterator);
  if (count === undefined) room(found.length, around);
  return found;
}

/** Two optional positions within `length` items; the second may be before the first. */
export function bounds(call: Call, start: Value, end: Value, length: number): [number, number] {
  return [place(call, 'start', start, length, 0), place(call, 'end', end, length, length)];
}

function place(call: Call, which: string, at: Value, length: number, otherwise: number): number {
  const seen = settled(at);
  if (seen === null) return otherwise;
  if (typeof seen !== 'number') {
    const why =
      typeof seen === 'bigint' ? `${seen} out of range` : `got ${typeName(seen)}, want int`;
    throw new Fault(faults.operandTypes, `${call.name}: invalid ${which} index: ${why}`);
  }
  return Math.max(0, Math.min(length, seen < 0 ? seen + length : seen));
}
