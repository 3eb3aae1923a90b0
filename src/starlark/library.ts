/** What a host can give to programs besides data: modules, structs, functions, objects. */
import { modules } from '../machine/builtins/starlark.ts';
import { freezeDeep } from '../machine/values/sequence.ts';
import {
  builtin,
  float,
  type HostObject,
  type ObjectType,
  tuple,
  type Value,
} from '../program/value.ts';
import { Guest, type HostInput, HostValue, toGuest, type ValueRegistry } from './host-value.ts';
import { guarded } from './registry.ts';

/** Arguments of a call as the program's own values. */
export type NativeFunction = (
  args: readonly Guest[],
  named: ReadonlyMap<string, Guest>,
) => HostInput;

/** How an object of the host behaves. Functions are called at once and keep no state. */
export interface ObjectBehaviour {
  /** The word that `type()` says. */
  readonly type: string;
  /** What `str()` says. Default: `<type>`. */
  readonly text?: string;
  readonly fields?: Readonly<Record<string, HostInput>>;
  /** Allows a field to be set; returns a sentence to refuse it. Absent: no field can be set. */
  readonly setField?: (name: string, value: Guest) => string | undefined;
  /** Makes it iterable: the item at an index from 0, undefined at the end. */
  readonly item?: (index: number) => HostInput;
  /** `left operator right` with the object on one side; undefined where there is no such thing. */
  readonly binary?: (operator: string, left: Guest, right: Guest) => HostInput;
  /** Makes it callable. */
  readonly call?: NativeFunction;
}

/** A function that takes values as they are and arguments by name. What it throws is the error. */
const native = (name: string, run: NativeFunction): HostValue =>
  new HostValue((registry) => registry.define(name, calling(run, registry)));

function calling(
  run: NativeFunction,
  registry: ValueRegistry,
): (args: readonly Value[], named: ReadonlyMap<string, Value>) => HostInput {
  const guest = (value: Value): Guest => new Guest(value, registry);
  return (args, named) =>
    run(args.map(guest), new Map([...named].map(([name, value]) => [name, guest(value)])));
}

const record = (
  fields: Readonly<Record<string, HostInput>>,
  registry: ValueRegistry,
): Map<string, Value> =>
  new Map(Object.entries(fields).map(([name, item]) => [name, toGuest(item, registry)]));

/** `module` values, such as `json`. */
const module = (name: string, members: Readonly<Record<string, HostInput>>): HostValue =>
  new HostValue((registry) => ({ kind: 'module', name, members: record(members, registry) }));

/**
 * `struct(…)`. One with a `maker`, an object of the host, shows as its text and equals only those
 * of the same maker.
 */
const struct = (fields: Readonly<Record<string, HostInput>>, maker?: HostValue): HostValue =>
  new HostValue((registry) => {
    const made = maker && registry.made(maker);
    const by = typeof made === 'object' && made?.kind === 'object' ? made : undefined;
    const name = by ? (by.type.text?.(by) ?? by.type.name) : 'struct';
    return { kind: 'struct', name, fields: record(fields, registry), ...(by && { maker: by }) };
  });

function object(behaviour: ObjectBehaviour): HostValue {
  return new HostValue((registry) => {
    const made: HostObject = {
      kind: 'object',
      type: typeOf(behaviour, registry),
      fields: record(behaviour.fields ?? {}, registry),
      frozen: false,
    };
    return made;
  });
}

function typeOf(behaviour: ObjectBehaviour, registry: ValueRegistry): ObjectType {
  const { type: name, text, setField, item, binary, call } = behaviour;
  const guest = (value: Value): Guest => new Guest(value, registry);
  const optional = (input: HostInput): Value | undefined =>
    input === undefined ? undefined : toGuest(input, registry);
  const type: ObjectType = {
    name,
    ...(text !== undefined && { text: () => text }),
    ...(setField && {
      setField: (_, field, value) => guarded(() => setField(field, guest(value))),
    }),
    ...(item && { item: (_, index) => guarded(() => optional(item(index))) }),
    ...(binary && {
      binary: (operator, left, right) =>
        guarded(() => optional(binary(operator, guest(left), guest(right)))),
    }),
    ...(call && {
      call: (_, args, named) =>
        guarded(() => toGuest(calling(call, registry)(args, named), registry)),
    }),
  };
  registry.types.set(name, type);
  return type;
}

/** A host value of values that a program could write itself. */
const plain = (make: () => Value): HostValue => new HostValue(make);

/** What `starlark` offers besides `evaluate`. */
export interface Library {
  readonly native: typeof native;
  readonly module: typeof module;
  readonly struct: typeof struct;
  readonly object: typeof object;
  /** A float also where the number is whole. */
  readonly float: (value: number) => HostValue;
  readonly tuple: (items: readonly HostInput[]) => HostValue;
  /** Anything, and nothing in it can change. */
  readonly frozen: (input: HostInput) => HostValue;
  /** A built-in function by its name, such as `struct` where the profile has none. */
  readonly builtin: (name: string) => HostValue;
  readonly json: HostValue;
  readonly math: HostValue;
  /** `catch(f)` calls f: the message of its error, or None. */
  readonly catch: HostValue;
}

export const library: Library = {
  native,
  module,
  struct,
  object,
  float: (value) => plain(() => float(value)),
  tuple: (items) =>
    new HostValue((registry) => tuple(items.map((item) => toGuest(item, registry)))),
  frozen: (input) =>
    new HostValue((registry) => {
      const value = toGuest(input, registry);
      freezeDeep(value);
      return value;
    }),
  builtin: (name) => plain(() => builtin(name)),
  json: plain(() => modules.get('json') ?? null),
  math: plain(() => modules.get('math') ?? null),
  catch: plain(() => builtin('catch')),
};
