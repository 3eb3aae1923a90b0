/**
 * The values of guest programs: plain data, no host object and no closure, so that a snapshot can
 * write every one of them down.
 *
 * Invariants:
 * - V1 An int is a `number` while it is a safe integer and a `bigint` beyond; never both forms.
 * - V2 A float is always boxed, so 1 and 1.0 stay apart; `number` never holds a fraction or -0.
 * - V3 A `Pending` stands for one result. Once settled, every alias sees the same value.
 * - V4 Containers carry their own iteration lock and frozen flag; nothing else guards mutation.
 */

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Bytes
  | List
  | Tuple
  | Dict
  | SetValue
  | Range
  | Struct
  | Func
  | Builtin
  | Method
  | Module
  | HostObject
  | View
  | Tool
  | Pending
  | Cell
  | Iter;

export interface Float {
  readonly kind: 'float';
  readonly value: number;
}

export interface Bytes {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** Whether a container can no longer change; `parallel` says what it was frozen for. */
export type Frozen = boolean | 'parallel';

export interface List {
  readonly kind: 'list';
  readonly items: Value[];
  frozen: Frozen;
  /** Iterations under way; mutation is an error while there is one. */
  iterating: number;
}

export interface Tuple {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
}

/** Insertion-ordered. `slots[i]` is undefined where a key was removed. */
export interface Dict {
  readonly kind: 'dict';
  readonly index: Map<Key, number>;
  slots: ([Value, Value] | undefined)[];
  frozen: Frozen;
  iterating: number;
}

export interface SetValue {
  readonly kind: 'set';
  readonly index: Map<Key, number>;
  slots: (Value | undefined)[];
  frozen: Frozen;
  iterating: number;
}

export interface Range {
  readonly kind: 'range';
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

export interface Struct {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: ReadonlyMap<string, Value>;
  /** What made it, where that is no plain `struct`: structs of two makers never are equal. */
  readonly maker?: HostObject;
}

/** A guest function: a chunk of the program, its default values and the cells it captured. */
export interface Func {
  readonly kind: 'function';
  readonly chunk: number;
  readonly defaults: readonly Value[];
  readonly cells: readonly Cell[];
}

/** A pure library function, found by name in the machine's table. */
export interface Builtin {
  readonly kind: 'builtin';
  readonly name: string;
}

/** A method taken from its receiver and not yet called, such as `xs.append`. */
export interface Method {
  readonly kind: 'method';
  readonly receiver: Value;
  readonly name: string;
}

/** Values that a library or a host gives together under one name, such as `json`. */
export interface Module {
  readonly kind: 'module';
  readonly name: string;
  readonly members: ReadonlyMap<string, Value>;
}

/** A value whose behaviour its host defines. All that can change of it is in `fields`. */
export interface HostObject {
  readonly kind: 'object';
  /** Immutable, and found again by its name: a snapshot writes the name alone. */
  readonly type: ObjectType;
  readonly fields: Map<string, Value>;
  frozen: boolean;
}

/**
 * How the objects of one type behave. No function keeps state, and none calls guest code; errors
 * of the guest they throw as the machine does.
 */
export interface ObjectType {
  readonly name: string;
  /** Whether its fields are its own matter, and no attributes for the program. */
  readonly isOpaque?: boolean;
  /** What `str` and `repr` show. Default: `<name>`. */
  readonly text?: (self: HostObject) => string;
  /** Allows a field to be set, or says why not. Where it is absent no field can be set. */
  readonly setField?: (self: HostObject, field: string, value: Value) => string | undefined;
  /** Makes it iterable: the item at an index, undefined at the end. */
  readonly item?: (self: HostObject, index: number) => Value | undefined;
  /** An operator with it on one side; undefined where there is none. */
  readonly binary?: (operator: string, left: Value, right: Value) => Value | undefined;
  /** Makes it callable. */
  readonly call?: (
    self: HostObject,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ) => Value;
}

/** The parts of a string or of bytes, made one by one as they are iterated. */
export interface View {
  readonly kind: 'view';
  readonly of: string | Bytes;
  /** The method that gave it. */
  readonly parts: 'elems' | 'elem_ords' | 'codepoints' | 'codepoint_ords';
}

/** A function of the world: calling it requests an effect. The class comes from its declaration. */
export interface Tool {
  readonly kind: 'tool';
  readonly name: string;
}

/** The result of an effect or of a lifted operation that may not have settled yet. */
export interface Pending {
  readonly kind: 'pending';
  /** The entry in the window that settles it. */
  readonly entry: number;
  /** Undefined until settled. Never itself an unsettled pending. */
  value: Value | undefined;
}

/** A variable shared between a function and the closures it made. */
export interface Cell {
  readonly kind: 'cell';
  value: Value | undefined;
}

/** An iteration on the operand stack: what is iterated and how far it has come. */
export interface Iter {
  readonly kind: 'iterator';
  readonly over: List | Tuple | Dict | SetValue | Range | View | HostObject;
  position: number;
  /** Of a list or tuple; like what follows, taken from `over`, so that each item is soon there. */
  readonly items: readonly Value[] | undefined;
  /** Of a range; a step of 0 stands for anything else. */
  readonly start: number;
  readonly step: number;
  /** How many numbers a range has. */
  readonly count: number;
}

/** What a `Map` can use as key so that equal guest values meet: see `keyOf`. */
export type Key = string | number | bigint | boolean | null | object;

export const float = (value: number): Float => ({ kind: 'float', value });
export const bytes = (value: Uint8Array): Bytes => ({ kind: 'bytes', bytes: value });
export const list = (items: Value[]): List => ({
  kind: 'list',
  items,
  frozen: false,
  iterating: 0,
});
export const tuple = (items: readonly Value[]): Tuple => ({ kind: 'tuple', items });
export const range = (start: number, stop: number, step: number): Range => ({
  kind: 'range',
  start,
  stop,
  step,
});
export const builtin = (name: string): Builtin => ({ kind: 'builtin', name });
/** Stands among default values for a parameter that has none. */
export const mandatory: Builtin = { kind: 'builtin', name: '' };

export const isMandatory = (value: Value): boolean =>
  typeof value === 'object' && value?.kind === 'builtin' && value.name === mandatory.name;

export const method = (receiver: Value, name: string): Method => ({
  kind: 'method',
  receiver,
  name,
});
export const tool = (name: string): Tool => ({ kind: 'tool', name });
export function iterator(over: Iter['over'], position = 0): Iter {
  const isRange = over.kind === 'range';
  return {
    kind: 'iterator',
    over,
    position,
    items: over.kind === 'list' || over.kind === 'tuple' ? over.items : undefined,
    start: isRange ? over.start : 0,
    step: isRange ? over.step : 0,
    count: isRange ? rangeLength(over) : 0,
  };
}

export function rangeLength({ start, stop, step }: Range): number {
  return Math.max(0, Math.ceil((stop - start) / step));
}

export const cell = (value: Value | undefined): Cell => ({ kind: 'cell', value });

const most = BigInt(Number.MAX_SAFE_INTEGER);
const least = -most;

/** An integer of any size in its one form (V1). */
export function int(value: bigint): number | bigint {
  return value > most || value < least ? value : Number(value);
}

export function dict(pairs?: Iterable<readonly [Value, Value]>): Dict {
  const made: Dict = { kind: 'dict', index: new Map(), slots: [], frozen: false, iterating: 0 };
  if (pairs) for (const [key, value] of pairs) dictSet(made, key, value);
  return made;
}

export function set(members: Iterable<Value> = []): SetValue {
  const made: SetValue = { kind: 'set', index: new Map(), slots: [], frozen: false, iterating: 0 };
  for (const member of members) {
    const key = keyOf(member);
    if (key === undefined) throw new TypeError(`unhashable: ${typeName(member)}`);
    if (made.index.has(key)) continue;
    made.index.set(key, made.slots.push(member) - 1);
  }
  return made;
}

export function dictGet(target: Dict, key: Value): Value | undefined {
  const canonical = keyOf(key);
  if (canonical === undefined) return undefined;
  const at = target.index.get(canonical);
  return at === undefined ? undefined : target.slots[at]?.[1];
}

/** Sets a key that is hashable; the caller has checked locks and hashability. */
export function dictSet(target: Dict, key: Value, value: Value): void {
  const canonical = keyOf(key);
  if (canonical === undefined) throw new TypeError(`unhashable: ${typeName(key)}`);
  const at = target.index.get(canonical);
  const slot = at === undefined ? undefined : target.slots[at];
  if (slot) slot[1] = value;
  else target.index.set(canonical, target.slots.push([key, value]) - 1);
}

export function* dictEntries(target: Dict): Generator<[Value, Value]> {
  for (const slot of target.slots) if (slot) yield slot;
}

/**
 * The key under which a value is found in a dict or set; undefined when it is not hashable.
 * Equal values share one: 1 and 1.0 do, True and 1 do not (Starlark specification, "Equality").
 * A container of a pending value has no key yet; the machine waits for it before it asks.
 */
export function keyOf(value: Value): Key | undefined {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value;
  if (value === null || typeof value !== 'object') return value;
  switch (value.kind) {
    case 'float':
      return Number.isInteger(value.value) ? int(BigInt(value.value)) : value.value;
    case 'bytes':
      return `\0b${value.bytes.join(',')}`;
    case 'tuple':
      return keyOfParts('\0t', value.items);
    case 'function':
    case 'method':
    case 'object':
    case 'builtin':
    case 'tool':
      return value.kind !== 'builtin' && value.kind !== 'tool'
        ? value
        : `\0${value.kind}:${value.name}`;
    case 'struct': {
      if (value.maker) return undefined;
      const fields = [...value.fields].sort(([a], [b]) => (a < b ? -1 : 1));
      return keyOfParts('\0u', [value.name, ...fields.flat()]);
    }
    case 'pending':
      return value.value === undefined ? undefined : keyOf(value.value);
    case 'list':
    case 'dict':
    case 'set':
    case 'range':
    case 'module':
    case 'view':
    case 'cell':
    case 'iterator':
      return undefined;
  }
}

/** One text for several parts, none of which runs into the next. */
function keyOfParts(start: string, parts: readonly Value[]): Key | undefined {
  let text = start;
  for (const one of parts) {
    const key = keyOf(one);
    if (key === undefined) return undefined;
    if (key !== null && typeof key === 'object') return undefined;
    const part = typeof key === 'string' ? key : String(key);
    text += `${typeof key}${part.length}:${part}`;
  }
  return text;
}

/** The word that messages use for a value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    case 'string':
      return 'string';
    default:
      break;
  }
  switch (value.kind) {
    case 'builtin':
    case 'method':
      return 'builtin_function_or_method';
    case 'object':
      return value.type.name;
    case 'view':
      if (typeof value.of !== 'string') return 'bytes.elems';
      return value.parts.startsWith('elem') ? 'string.elems' : 'string.codepoints';
    default:
      return value.kind;
  }
}

/** A value as seen through any chain of settled pendings; an unsettled pending is itself. */
export function settled(value: Value): Value {
  let seen = value;
  while (seen !== null && typeof seen === 'object' && seen.kind === 'pending') {
    if (seen.value === undefined) return seen;
    seen = seen.value;
  }
  return seen;
}

export const isDict = (value: Value | undefined): value is Dict =>
  typeof value === 'object' && value !== null && value.kind === 'dict';

/** The value of a variable in whose place there is this: a cell, where closures share it. */
export const unshared = (held: Value | undefined): Value | undefined =>
  typeof held === 'object' && held !== null && held.kind === 'cell' ? held.value : held;

export function isPending(value: Value): value is Pending {
  return (
    typeof value === 'object' &&
    value !== null &&
    value.kind === 'pending' &&
    value.value === undefined
  );
}
