/**
 * Values on their way between a host and a program. A host gives data or a `HostValue`; it gets
 * `Guest`s, which stand for values of one evaluation.
 */
import { attributeOf } from '../machine/attribute.ts';
import { methods } from '../machine/builtins/starlark.ts';
import { equals } from '../machine/values/compare.ts';
import { Fault } from '../machine/values/fault.ts';
import { freezeDeep } from '../machine/values/sequence.ts';
import type { Surroundings } from '../machine/values/surroundings.ts';
import { repr, str } from '../machine/values/text.ts';
import { NotData, toJson } from '../program/json.ts';
import { limitDefaults } from '../program/limit-defaults.ts';
import {
  bytes,
  dict,
  float,
  int,
  list,
  type ObjectType,
  set,
  settled,
  typeName,
  type Value,
} from '../program/value.ts';

/**
 * What a host can hand to a program: data (null, booleans, numbers, big ints, strings, arrays,
 * Maps, Sets, Uint8Arrays, plain objects as dicts), functions on such data, and host values. A
 * number that is a safe integer is an int, any other a float.
 */
export type HostInput = unknown;

/** What values need of the registry of the evaluation that they are in. */
export interface ValueRegistry {
  readonly types: Map<string, ObjectType>;
  around(): Surroundings;
  /** A value of another evaluation. Throws `TypeError` where it cannot come in any more. */
  adopt(value: Value, from: ValueRegistry): Value;
  /** The same value whenever the host gives the same thing. */
  made(given: HostValue): Value;
  /** A function on data: arguments come by position, as data where they are data. */
  plainFunction(run: (...args: unknown[]) => unknown): Value;
  /** A function of the host under a name of its own. What it throws is an error of the guest. */
  define(name: string, call: HostCall): Value;
}

export type HostCall = (args: readonly Value[], named: ReadonlyMap<string, Value>) => unknown;

/** A value that a host gives to programs; made anew for each evaluation. */
export class HostValue {
  readonly make: (registry: ValueRegistry) => Value;

  constructor(make: (registry: ValueRegistry) => Value) {
    this.make = make;
  }
}

/** A value of a program. Methods throw no errors of the guest but `TypeError`. */
export class Guest extends HostValue {
  readonly #value: Value;
  readonly #registry: ValueRegistry;
  readonly #around: Surroundings;

  constructor(value: Value, registry: ValueRegistry) {
    super((other) =>
      other === registry || !isBound(value) ? value : other.adopt(value, registry),
    );
    this.#value = settled(value);
    this.#registry = registry;
    this.#around = registry.around();
  }

  /** The word that `type()` says. */
  get type(): string {
    return typeName(this.#value);
  }

  /** What `str()` says. */
  override toString(): string {
    return plainly(() => str(this.#value, this.#around));
  }

  /** What `repr()` says. */
  repr(): string {
    return plainly(() => repr(this.#value, this.#around));
  }

  /**
   * Data: lists, tuples, sets and ranges as arrays, dicts and structs as objects, floats as
   * numbers. Throws `TypeError` for what is no data, such as a function.
   */
  data(): unknown {
    try {
      return toJson(this.#value);
    } catch (error) {
      if (error instanceof NotData) throw new TypeError(`got ${error.message}, want data`);
      throw error;
    }
  }

  /** As `==` says. */
  equals(other: Guest): boolean {
    return plainly(() => equals(this.#value, other.#value, defaultAround));
  }

  /** The field of that name; undefined where there is none. */
  attribute(name: string): Guest | undefined {
    const found = attributeOf(this.#value, name, methods);
    return found === undefined ? undefined : new Guest(found, this.#registry);
  }

  /** Makes it immutable, with everything in it. */
  freeze(): this {
    freezeDeep(this.#value);
    return this;
  }
}

/** What a program would fail with, such as a text over the limit, is a mistake of the host here. */
function plainly<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) throw new TypeError(error.message);
    throw error;
  }
}

/** Whether a value holds a function, which means something in its own program alone. */
function isBound(value: Value, seen: Set<object> = new Set()): boolean {
  const one = settled(value);
  if (one === null || typeof one !== 'object' || seen.has(one)) return false;
  seen.add(one);
  const inside = (all: Iterable<Value>): boolean => [...all].some((item) => isBound(item, seen));
  switch (one.kind) {
    case 'function':
    case 'object':
      return true;
    case 'builtin':
      return one.name.includes(':');
    case 'method':
      return isBound(one.receiver, seen);
    case 'list':
    case 'tuple':
      return inside(one.items);
    case 'dict':
      return one.slots.some((slot) => slot !== undefined && inside(slot));
    case 'set':
      return inside(one.slots.filter((slot) => slot !== undefined));
    case 'struct':
      return inside(one.fields.values());
    case 'module':
      return inside(one.members.values());
    default:
      return false;
  }
}

/** Deeper data is taken for a cycle. */
const depthMax = 500;

/** Throws `TypeError` for what no guest value stands for. */
export function toGuest(input: HostInput, registry: ValueRegistry, depth = 0): Value {
  if (depth > depthMax) throw new TypeError(`data nests deeper than ${depthMax}, or is a cycle`);
  switch (typeof input) {
    case 'undefined':
      return null;
    case 'boolean':
    case 'string':
      return input;
    case 'number':
      return Number.isSafeInteger(input) && !Object.is(input, -0) ? input : float(input);
    case 'bigint':
      return int(input);
    case 'function':
      return registry.plainFunction(input as (...args: unknown[]) => unknown);
    case 'symbol':
      throw new TypeError('got a symbol, want data, a function or a host value');
    case 'object':
      return input === null ? null : objectToGuest(input, registry, depth + 1);
  }
}

function objectToGuest(input: object, registry: ValueRegistry, depth: number): Value {
  const inner = (item: unknown): Value => toGuest(item, registry, depth);
  if (input instanceof HostValue) return registry.made(input);
  if (input instanceof Uint8Array) return bytes(input);
  if (Array.isArray(input)) return list(input.map(inner));
  if (input instanceof Set) return set([...input].map(inner));
  if (input instanceof Map) return dict([...input].map(([key, item]) => [inner(key), inner(item)]));
  if (input instanceof Promise) throw new TypeError('got a promise, want a result at once');
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype === null || prototype === Object.prototype) {
    return dict(Object.entries(input).map(([key, item]) => [key, inner(item)]));
  }
  throw new TypeError(`got an object of ${input.constructor.name}, want data or a host value`);
}

/** Data where the value is data, else the `Guest`. */
export function toHost(value: Value, registry: ValueRegistry): unknown {
  const guest = new Guest(value, registry);
  try {
    return toJson(value);
  } catch (error) {
    if (error instanceof NotData) return guest;
    throw error;
  }
}

/** For texts that a host asks for. */
export const defaultAround: Surroundings = { valueBytes: limitDefaults.valueBytes };
