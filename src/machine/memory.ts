/**
 * About how many bytes of memory the values of a machine take: what the limit `memoryBytes` is held
 * against. Everything that can be reached is counted, each object once.
 *
 * - B1 It is counted again whenever as much may have been made since as the limit is. So a program
 *   that makes little pays nothing, and none ever holds more than twice the limit.
 * - B2 How much may have been made is what was executed and charged, and what came from outside.
 */
import { settled, type Value } from '../program/value.ts';
import type { FibersWork, State, TaskWork, Work } from './state.ts';
import type { Emit } from './turn.ts';

/** What an instruction, or a unit that is charged, can make at most, give or take. */
const bytesPerInstruction = 64;

/** Notes work that may have made something. */
export function worked({ meter }: State, instructions: number): void {
  meter.made += bytesPerInstruction * instructions;
}

/** Notes a text from outside, of which a value is made. */
export function received({ meter }: State, characters: number): void {
  meter.made += 8 * characters;
}

/** Whether the machine holds more than it may; counted only when that can be. */
export function isFull(state: State): boolean {
  const { meter, limits } = state;
  if (meter.made < limits.memoryBytes) return false;
  meter.isFull = memoryOf(state, limits.memoryBytes) > limits.memoryBytes;
  if (!meter.isFull) meter.made = 0;
  return meter.isFull;
}

/** Notes a copy that was made for what runs later; gives it back. */
export function copied({ meter }: State, value: Value): Value {
  const tally = newTally();
  countFixed(tally, value);
  countOpen(tally, Infinity);
  meter.made += tally.bytes;
  return value;
}

interface Tally {
  bytes: number;
  readonly seen: Set<object>;
  /** Containers whose parts are still to be counted. */
  readonly open: Held[];
  readonly texts: TextTally;
}

const newTally = (): Tally => ({ bytes: 0, seen: new Set(), open: [], texts: newTextTally() });

type Held = Exclude<Value, null | boolean | number | bigint | string>;

/** Bytes that a machine's values take; no more than `enough` are counted. */
function memoryOf({ hub, outbox }: State, enough: number): number {
  const tally = newTally();
  for (const state of hub.byPath.values()) countState(tally, state);
  countEmits(tally, outbox.emits);
  for (const { result } of hub.arrived) if (typeof result === 'string') countFixed(tally, result);
  countOpen(tally, enough);
  return tally.bytes;
}

function countOpen(tally: Tally, enough: number): void {
  for (let one = tally.open.pop(); one && tally.bytes <= enough; one = tally.open.pop()) {
    countParts(tally, one);
  }
}

function countState(tally: Tally, state: State): void {
  countAll(tally, state.stack);
  if (state.fiber === undefined || state.globals !== state.fiber.parent.globals) {
    countAll(tally, state.globals);
  }
  for (const { captured } of state.frames) countAll(tally, captured);
  for (const { before } of state.undo.changes) countFixed(tally, before);
  countEmits(tally, state.answers);
  for (const { work, dependents, site } of state.entries.values()) {
    tally.bytes += size.entry + 8 * (dependents.length + site.trace.length);
    countWork(tally, work);
  }
}

function countWork(tally: Tally, work: Work): void {
  if (work.kind !== 'emit') count(tally, work.result);
  if (work.kind === 'lift') countAll(tally, work.operands);
  else if (work.kind === 'fibers') countFibers(tally, work);
  else {
    countFixed(tally, work.args);
    countFixed(tally, work.text);
    if (work.arrived) for (const text of work.arrived.values()) countFixed(tally, text);
    if (work.kind === 'effect') {
      countFixed(tally, work.stream);
      countAll(tally, work.race?.candidates ?? []);
      if (work.task) countTask(tally, work.task);
    }
  }
}

function countTask(tally: Tally, { results, fan }: TaskWork): void {
  countAll(tally, results);
  if (!fan) return;
  countAll(tally, fan.texts);
  countAll(tally, fan.values);
}

function countFibers(tally: Tally, work: FibersWork): void {
  for (const call of work.calls) {
    if (call) countAll(tally, call.positional);
    for (const [, value] of call?.named ?? []) countFixed(tally, value);
  }
  for (const [, value] of work.globals) countFixed(tally, value);
  countAll(tally, work.results);
  for (const emits of work.emits.values()) countEmits(tally, emits);
}

/** Bytes of objects as hosts of today lay them out: about, since none says. */
const size = {
  slot: 8,
  number: 16,
  array: 48,
  object: 56,
  table: 200,
  /** Of a key in a table. */
  member: 40,
  pair: 72,
  entry: 480,
};

function countAll(tally: Tally, values: readonly (Value | undefined)[]): void {
  tally.bytes += size.array + size.slot * values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const known = count(tally, value);
    // Not a change of the list: the same value in another place of the host's memory.
    if (known !== undefined) (values as (Value | undefined)[])[i] = known;
  }
}

function countEmits(tally: Tally, emits: readonly Emit[]): void {
  for (const emit of emits) {
    const known = count(tally, emit.value);
    if (known !== undefined) Object.assign(emit, { value: known });
  }
}

/**
 * Counts a value, whose slot has been counted, without its parts. Gives the text that should stand
 * in its place, since it has been counted; one that stays where it is counts again.
 */
function count(tally: Tally, given: Value | undefined): string | undefined {
  if (given === undefined || given === null || typeof given === 'boolean') return undefined;
  if (typeof given === 'string') {
    const known = knownText(tally.texts, given);
    if (known === undefined) tally.bytes += textBytes(given);
    return known;
  }
  if (typeof given === 'number') {
    if (given > smallMax || given < -smallMax) tally.bytes += size.number;
  } else if (typeof given === 'bigint') tally.bytes += size.number + bytesOf(given);
  else countHeld(tally, given);
  return undefined;
}

/** Counts a value in a place that cannot be given another text. */
function countFixed(tally: Tally, given: Value | undefined): void {
  if (typeof given === 'string') tally.bytes += textBytes(given);
  else count(tally, given);
}

/** The host keeps larger ones in boxes. */
const smallMax = 2 ** 31;

const bytesOf = (value: bigint): number => (isModest(value) ? 32 : value.toString(16).length / 2);

const isModest = (value: bigint): boolean => value < 1n << 256n && value > -(1n << 256n);

function countHeld(tally: Tally, given: Held): void {
  const one = settled(given);
  if (one === null || typeof one !== 'object') {
    tally.bytes += size.object;
    countFixed(tally, one);
    return;
  }
  // Small ones are cheaper to count twice than to remember.
  if (one.kind === 'float') {
    tally.bytes += size.object;
    return;
  }
  if (tally.seen.has(one)) return;
  tally.seen.add(one);
  tally.bytes += size.object;
  tally.open.push(one);
}

function countParts(tally: Tally, one: Held): void {
  switch (one.kind) {
    case 'list':
    case 'tuple':
      countAll(tally, one.items);
      return;
    case 'dict':
      tally.bytes += size.table + (size.member + size.pair) * one.slots.length;
      for (const slot of one.slots) {
        if (!slot) continue;
        countFixed(tally, slot[0]);
        slot[1] = count(tally, slot[1]) ?? slot[1];
      }
      return;
    case 'set':
      tally.bytes += size.table + size.member * one.slots.length;
      for (const member of one.slots) countFixed(tally, member);
      return;
    case 'struct':
    case 'object':
      tally.bytes += size.table + size.member * one.fields.size;
      for (const [name, value] of one.fields) {
        const known = count(tally, value);
        if (known !== undefined) (one.fields as Map<string, Value>).set(name, known);
      }
      return;
    case 'bytes':
      tally.bytes += one.bytes.length;
      return;
    case 'function':
      countAll(tally, one.defaults);
      countAll(tally, one.cells);
      return;
    case 'cell':
      one.value = count(tally, one.value) ?? one.value;
      return;
    case 'method':
      countFixed(tally, one.receiver);
      return;
    case 'view':
      countFixed(tally, one.of);
      return;
    case 'iterator':
      count(tally, one.over);
      return;
    default:
      return;
  }
}

// Bytes of texts. A text has no identity: whether two places hold one or two equal ones cannot be
// asked. So long ones are told apart by some of their characters and are then compared, and the
// places of equal ones are given one and the same, which counts once.

/** Longer texts are counted once. */
const shortMax = 1000;
/** Texts that look alike and are compared at most; more of them count each time. */
const alikeMax = 4;

type TextTally = Map<string, string[]>;

const newTextTally = (): TextTally => new Map();

/** What a text takes at most. */
const textBytes = (text: string): number => 48 + 2 * text.length;

/** A text that is equal and has been counted, if there is one; or notes this one. */
function knownText(known: TextTally, text: string): string | undefined {
  if (text.length <= shortMax) return undefined;
  const look = lookOf(text);
  const alike = known.get(look);
  const found = alike?.find((one) => one === text);
  if (found !== undefined) return found;
  if (!alike) known.set(look, [text]);
  else if (alike.length < alikeMax) alike.push(text);
  return undefined;
}

function lookOf(text: string): string {
  let look = `${text.length}`;
  for (let i = 0; i < 8; i++) look += text.charAt(Math.floor((i * (text.length - 1)) / 7));
  return look;
}
