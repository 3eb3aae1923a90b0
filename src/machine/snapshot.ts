/**
 * A machine's state as JSON-able data, and back. Values go into one table, each object once, so
 * that identity, sharing and cycles survive; a pending that has settled is written as its value.
 */
import type { Program } from '../program/program.ts';
import {
  builtin,
  bytes,
  type Cell,
  cell,
  dict,
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
import { faults } from './codes.ts';
import { MachineError } from './fault.ts';
import type { Emit, HostLibrary, Snapshot, StepVisit } from './machine.ts';
import { copyAround } from './pendings.ts';
import type { EffectWork, EmitWork, Entry, State, Work } from './state.ts';
import { undoOf } from './undo.ts';

/**
 * A slot in a snapshot: scalars as themselves, `[n]` an object of the table, `['i', digits]` a big
 * int, `[]` nothing.
 */
type Slot =
  | null
  | boolean
  | number
  | string
  | readonly []
  | readonly [number]
  | readonly ['i', string];

type HeapValue = Exclude<Value, null | boolean | number | bigint | string>;

type Node = readonly [kind: string, ...parts: unknown[]];

interface Frozen {
  readonly heap: readonly Node[];
  readonly stack: readonly Slot[];
  readonly globals: readonly Slot[];
  readonly frames: readonly (readonly [number, number, number, readonly Slot[]])[];
  readonly entries: readonly FrozenEntry[];
  /** Slot, value before, sequence number of the next entry; see `Undo`. */
  readonly changes: readonly (readonly [number, Slot, number])[];
  /** Sequence numbers. */
  readonly effects: readonly number[];
  readonly gated: readonly number[];
  readonly answers: readonly FrozenEmit[];
  /** What the next turn will report, but for the requests: those that are open are made again. */
  readonly outbox: {
    readonly cancels: readonly string[];
    readonly emits: readonly FrozenEmit[];
    readonly steps: readonly StepVisit[];
  };
  readonly plain: PlainState;
}

/** Channel, value, step. */
type FrozenEmit = readonly [string, Slot, string];

interface FrozenEntry {
  readonly entry: Omit<Entry, 'work'>;
  readonly work: Omit<Work, 'args' | 'arrived' | 'result' | 'operand' | 'operands'>;
  readonly args: Slot;
  readonly result: Slot;
  readonly operand: Slot;
  readonly operands: readonly Slot[];
}

type PlainState = Pick<
  State,
  | 'step'
  | 'visits'
  | 'issued'
  | 'generation'
  | 'instructions'
  | 'next'
  | 'writes'
  | 'failed'
  | 'lifts'
  | 'held'
  | 'ending'
  | 'ended'
  | 'error'
>;

export function freeze(state: State): Snapshot {
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
  const emit = ({ channel, value, step }: Emit): FrozenEmit => [channel, slot(value), step];
  const entries = [...state.entries.values()].map((entry) => frozenEntry(entry, slot));
  const rest = {
    stack: state.stack.map(slot),
    globals: state.program.globals.map((_, i) => slot(state.globals[i])),
    frames: state.frames.map(
      (frame) => [frame.chunk, frame.pc, frame.base, frame.captured.map(slot)] as const,
    ),
    entries,
    changes: state.undo.changes.map((one) => [one.slot, slot(one.before), one.next] as const),
    effects: [...state.effects.values()].map((entry) => entry.seq),
    gated: state.gated.map((entry) => entry.seq),
    answers: state.answers.map(emit),
    outbox: {
      cancels: [...state.outbox.cancels],
      emits: state.outbox.emits.map(emit),
      steps: [...state.outbox.steps],
    },
    plain: plain(state),
  };
  for (let item = queue.pop(); item; item = queue.pop()) heap[item[0]] = node(item[1], slot);
  const frozen: Frozen = { heap, ...rest };
  return {
    version: 1,
    chunks: state.program.chunks.map((chunk) => chunk.hash),
    globals: [...state.program.globals],
    state: frozen,
  };
}

function plain(state: State): PlainState {
  const { step, visits, issued, generation, instructions, next, writes } = state;
  const { failed, lifts, held, ending, ended, error } = state;
  const counters = { step, visits: [...visits], issued, generation, instructions, next };
  return { ...counters, writes: [...writes], failed, lifts, held, ending, ended, error };
}

function frozenEntry(entry: Entry, slot: (value: Value | undefined) => Slot): FrozenEntry {
  const { work, ...rest } = entry;
  const { kind } = work;
  const kept =
    kind === 'effect'
      ? {
          kind,
          id: work.id,
          tool: work.tool,
          class: work.class,
          text: work.text,
          tries: work.tries,
        }
      : kind === 'lift'
        ? { kind, op: work.op, held: work.held }
        : { kind, channel: work.channel, text: work.text };
  return {
    entry: { ...rest, dependents: [...rest.dependents] },
    work: kept,
    args: work.kind === 'lift' || work.args === undefined ? [] : slot(absorbed(work)),
    result: work.kind === 'emit' ? [] : slot(work.result),
    operand: work.kind === 'lift' ? slot(work.operand) : [],
    operands: work.kind === 'lift' ? work.operands.map(slot) : [],
  };
}

/** Arguments with what has arrived put in place, as it was on arrival. */
const absorbed = (work: EffectWork | EmitWork): Value =>
  copyAround(work.args ?? null, work.arrived);

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

/** The state that `freeze` wrote. Effects that were open are requested again. */
export function thaw(
  program: Program,
  given: Pick<State, 'tools' | 'limits' | 'host' | 'around' | 'meter' | 'library'>,
  snapshot: Snapshot,
): State {
  // Only `freeze` makes snapshots, and their chunk hashes have been checked.
  const frozen = snapshot.state as Frozen;
  const shells = frozen.heap.map((data) => shell(data, given.host));
  const value = (slot: Slot): Value | undefined => {
    if (!Array.isArray(slot)) return slot as Value;
    const [at, digits] = slot as readonly [number | 'i' | undefined, string?];
    if (at === undefined) return undefined;
    return at === 'i' ? BigInt(digits ?? '0') : (shells[at] as Value);
  };
  frozen.heap.forEach((data, i) => {
    fill(shells[i] as HeapValue, data, value);
  });
  for (const made of shells) rehash(made);
  const emit = ([channel, slot, step]: FrozenEmit): Emit => ({
    channel,
    value: value(slot) ?? null,
    step,
  });
  const entries = new Map(
    frozen.entries.map((entry) => [entry.entry.seq, thawEntry(entry, value)] as const),
  );
  const entriesOf = (seqs: readonly number[]): Entry[] =>
    seqs.map((seq) => entries.get(seq)).filter((entry) => entry !== undefined);
  return {
    program,
    ...given,
    stack: frozen.stack.map(value),
    globals: program.globals.map((_, i) =>
      value(frozen.globals[i] === undefined ? [] : frozen.globals[i]),
    ),
    frames: frozen.frames.map(([chunk, pc, base, captured]) => ({
      chunk,
      pc,
      base,
      captured: captured.map((slot) => value(slot) as Cell),
    })),
    ...frozen.plain,
    failed: frozen.plain.failed ?? undefined,
    ending: frozen.plain.ending ?? undefined,
    ended: frozen.plain.ended ?? undefined,
    error: frozen.plain.error ?? undefined,
    visits: [...frozen.plain.visits],
    writes: [...frozen.plain.writes],
    entries,
    undo: undoOf(
      frozen.changes.map(([slot, before, next]) => ({ slot, before: value(before), next })),
    ),
    effects: new Map(entriesOf(frozen.effects).map((entry) => [effectId(entry), entry])),
    gated: entriesOf(frozen.gated),
    blocked: undefined,
    answers: frozen.answers.map(emit),
    outbox: {
      requests: [...entries.values()].filter((entry) => entry.state === 'open'),
      cancels: [...frozen.outbox.cancels],
      emits: frozen.outbox.emits.map(emit),
      steps: [...frozen.outbox.steps],
    },
  };
}

const effectId = ({ work }: Entry): string => (work.kind === 'effect' ? work.id : '');

function thawEntry(frozen: FrozenEntry, value: (slot: Slot) => Value | undefined): Entry {
  const result = value(frozen.result);
  const work = {
    ...frozen.work,
    args: value(frozen.args),
    arrived: new Map(),
    result,
    operand: value(frozen.operand) ?? null,
    operands: frozen.operands.map((slot) => value(slot) ?? null),
  } as unknown as Work;
  return { ...frozen.entry, error: frozen.entry.error ?? undefined, work };
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
      return { ...list([]), frozen: Boolean(second), iterating: Number(third) };
    case 'tuple':
      return { kind: 'tuple', items: [] };
    case 'dict':
      return { ...dict(), frozen: Boolean(second), iterating: Number(third) };
    case 'set':
      return { ...set(), frozen: Boolean(second), iterating: Number(third) };
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
  const type = types.get(name);
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
      (made.items as Value[]).push(...slots.map(read));
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
      (made.defaults as Value[]).push(...(data[2] as Slot[]).map(read));
      (made.cells as Cell[]).push(...(data[3] as Slot[]).map((slot) => value(slot) as Cell));
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
