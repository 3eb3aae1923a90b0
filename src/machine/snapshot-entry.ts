/** The entries of a window in a snapshot, and back. The fibers of a group are written beside it. */
import type { EffectError } from '../program/effect.ts';
import type { Pending, Value } from '../program/value.ts';
import type { HeapReader, HeapWriter, Slot } from './snapshot-heap.ts';
import type {
  EffectWork,
  EmitWork,
  Entry,
  Fan,
  FiberCall,
  FibersWork,
  Race,
  State,
  TaskWork,
  Work,
} from './state.ts';
import type { Emit } from './turn.ts';
import { copyAround } from './values/pendings.ts';
import { missingFor } from './window/hand-over.ts';

/** Channel, value, step. */
export type FrozenEmit = readonly [string, Slot, string];

export interface FrozenEntry {
  readonly entry: Omit<Entry, 'work'>;
  /** What of the work is plain data. */
  readonly work: object;
  readonly args: Slot;
  readonly result: Slot;
  readonly operand: Slot;
  readonly operands: readonly Slot[];
  readonly stream: Slot;
  readonly fibers?: FrozenFibers;
  readonly race?: FrozenRace;
  readonly task?: FrozenTask;
}

interface FrozenTask extends Omit<TaskWork, 'results' | 'fan'> {
  readonly results: readonly Slot[];
  readonly fan?: Fan;
}

interface FrozenRace {
  readonly candidates: readonly Slot[];
  readonly timeoutMs: number | null;
  readonly errors: readonly (readonly [number, EffectError])[];
  readonly proposed: Race['proposed'];
  readonly winner: Race['winner'];
}

interface FrozenFibers {
  readonly callee: Slot;
  readonly calls: readonly (FrozenCall | 0)[];
  readonly globals: readonly (readonly [number, Slot])[];
  readonly alive: readonly number[];
  readonly results: readonly Slot[];
  readonly emits: readonly (readonly [number, readonly FrozenEmit[]])[];
}

type FrozenCall = readonly [
  positional: readonly Slot[],
  named: readonly (readonly [string, Slot])[],
];

export const freezeEmit = ({ channel, value, step }: Emit, { slot }: HeapWriter): FrozenEmit => [
  channel,
  slot(value),
  step,
];

export const thawEmit = ([channel, slot, step]: FrozenEmit, read: HeapReader): Emit => ({
  channel,
  value: read(slot) ?? null,
  step,
});

export function freezeEntry(entry: Entry, writer: HeapWriter): FrozenEntry {
  const { slot } = writer;
  const { work, ...rest } = entry;
  const isSent = work.kind === 'effect' || work.kind === 'emit';
  return {
    entry: { ...rest, dependents: [...rest.dependents] },
    work: plainPart(work),
    args: !isSent || work.args === undefined ? [] : slot(absorbed(work)),
    result: work.kind === 'emit' ? [] : slot(work.result),
    operand: work.kind === 'lift' ? slot(work.operand) : [],
    operands: work.kind === 'lift' ? work.operands.map(slot) : [],
    stream: work.kind === 'effect' ? slot(work.stream) : [],
    ...(work.kind === 'fibers' ? { fibers: freezeFibers(work, writer) } : {}),
    ...(work.kind === 'effect' && work.race ? { race: freezeRace(work.race, writer) } : {}),
    ...(work.kind === 'effect' && work.task ? { task: freezeTask(work.task, writer) } : {}),
  };
}

function plainPart(work: Work): object {
  const { kind } = work;
  switch (kind) {
    case 'effect':
      return {
        kind,
        id: work.id,
        tool: work.tool,
        class: work.class,
        text: work.text,
        tries: work.tries,
        bound: work.bound,
        rounds: work.rounds,
      };
    case 'lift':
      return { kind, op: work.op, held: work.held };
    case 'emit':
      return { kind, channel: work.channel, text: work.text };
    case 'fibers': {
      const { mode, path, first, next, failure } = work;
      return { kind, mode, path, first, next, failure };
    }
  }
}

const freezeRace = (race: Race, { slot }: HeapWriter): FrozenRace => ({
  ...race,
  candidates: race.candidates.map(slot),
  errors: [...race.errors],
});

const thawRace = ({ candidates, errors, ...rest }: FrozenRace, read: HeapReader): Race => ({
  ...rest,
  candidates: candidates.map((slot) => read(slot) ?? null),
  errors: new Map(errors),
});

const freezeTask = ({ results, fan, ...plain }: TaskWork, { slot }: HeapWriter): FrozenTask => ({
  ...plain,
  needs: [...plain.needs],
  results: results.map(slot),
  ...(fan ? { fan: copyFan(fan) } : {}),
});

const thawTask = ({ results, fan, ...plain }: FrozenTask, read: HeapReader): TaskWork => ({
  ...plain,
  results: results.map((slot) => read(slot) ?? null),
  fan: fan && copyFan(fan),
});

/** Holes and undefined come back as null from a text. */
const copyFan = ({ texts, values, failure, ...rest }: Fan): Fan => ({
  ...rest,
  texts: Array.from(texts, (text) => text ?? undefined),
  values: Array.from(values, (value) => value ?? undefined),
  failure: failure ?? undefined,
});

/** Arguments with what has arrived put in place, as it was on arrival. */
const absorbed = (work: EffectWork | EmitWork): Value =>
  copyAround(work.args ?? null, work.arrived);

function freezeFibers(work: FibersWork, writer: HeapWriter): FrozenFibers {
  const { slot } = writer;
  return {
    callee: slot(work.callee),
    calls: work.calls.map((call) =>
      call
        ? [
            call.positional.map(slot),
            call.named.map(([name, value]) => [name, slot(value)] as const),
          ]
        : 0,
    ),
    globals: work.globals.map(([at, value]) => [at, slot(value)] as const),
    alive: [...work.alive.keys()],
    results: work.results.map(slot),
    emits: [...work.emits].map(
      ([index, emits]) => [index, emits.map((emit) => freezeEmit(emit, writer))] as const,
    ),
  };
}

/** An entry of a state; the fibers of a group are still to be made. */
export function thawEntry(frozen: FrozenEntry, state: State, read: HeapReader): Entry {
  const { fibers } = frozen;
  const work = {
    ...frozen.work,
    args: read(frozen.args),
    arrived: undefined,
    result: read(frozen.result) as Pending,
    operand: read(frozen.operand) ?? null,
    operands: frozen.operands.map((slot) => read(slot) ?? null),
    stream: read(frozen.stream),
    race: frozen.race && thawRace(frozen.race, read),
    task: frozen.task && thawTask(frozen.task, read),
    ...(fibers ? thawFibers(fibers, state, read) : {}),
  } as unknown as Work;
  if (work.kind === 'fibers') {
    Object.assign(work, { missing: missingFor(state, work), failure: work.failure ?? undefined });
  }
  return { ...frozen.entry, error: frozen.entry.error ?? undefined, work };
}

function thawFibers(
  frozen: FrozenFibers,
  { hub }: State,
  read: HeapReader,
): Pick<FibersWork, 'callee' | 'calls' | 'globals' | 'alive' | 'idle' | 'results' | 'emits'> {
  hub.alive += frozen.alive.length;
  const value = (slot: Slot): Value => read(slot) ?? null;
  const call = ([positional, named]: FrozenCall): FiberCall => ({
    positional: positional.map(value),
    named: named.map(([name, slot]) => [name, value(slot)] as const),
  });
  return {
    callee: value(frozen.callee),
    calls: frozen.calls.map((one) => (one === 0 ? undefined : call(one))),
    globals: frozen.globals.map(([at, slot]) => [at, value(slot)] as const),
    alive: new Map(frozen.alive.map((index) => [index, undefined])),
    idle: frozen.alive.length,
    results: frozen.results.map(read),
    emits: new Map(
      frozen.emits.map(([index, emits]) => [index, emits.map((emit) => thawEmit(emit, read))]),
    ),
  };
}
