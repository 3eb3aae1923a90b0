/** Equality (Starlark specification, "Comparisons") of values that may share parts. */
import { depthMax } from '../../program/json.ts';
import {
  type Dict,
  type List,
  rangeLength,
  type SetValue,
  type Struct,
  type Tuple,
  type Value,
} from '../../program/value.ts';
import { faults } from './code-names.ts';
import { Fault } from './fault.ts';
import { need } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { pass, type Walk, walked } from './walk.ts';

/** Whether two values are equal; waits for pendings inside them. Throws PV3012 and PV3017. */
export function equals(left: Value, right: Value, around: Surroundings): boolean {
  const x = need(left);
  const y = need(right);
  if (typeof x === 'string' && (typeof y !== 'string' || x.length !== y.length)) return false;
  return walked(around, (walk) => same(walk, x, y, 0));
}

export function same(walk: Walk, left: Value, right: Value, depth: number): boolean {
  const x = need(left);
  const y = need(right);
  if (typeof x === 'string') return typeof y === 'string' && sameText(walk, x, y);
  pass(walk, 1);
  if (x === y && !isContainer(x)) return true;
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y) === 0;
  if (x === null || y === null || typeof x !== 'object' || typeof y !== 'object') return false;
  if (x.kind !== y.kind) return false;
  if (depth > depthMax) throw endless();
  switch (x.kind) {
    case 'list':
    case 'tuple':
      return sameItems(walk, x.items, (y as List | Tuple).items, depth + 1);
    case 'bytes':
      return y.kind === 'bytes' && compareBytes(walk, x.bytes, y.bytes) === 0;
    case 'dict':
      return y.kind === 'dict' && sameEntries(walk, x, y, depth + 1);
    case 'set':
      return y.kind === 'set' && x.index.size === y.index.size && isSubset(walk, x, y);
    case 'range':
      return y.kind === 'range' && sameRange(x, y);
    case 'struct':
      return y.kind === 'struct' && sameFields(walk, x, y, depth + 1);
    case 'builtin':
    case 'tool':
      return y.kind === x.kind && y.name === x.name;
    default:
      return false;
  }
}

/** Equal to itself only as far as what it holds is: one that holds itself has no end. */
const isContainer = (value: Value): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value.kind === 'list' || value.kind === 'tuple' || value.kind === 'dict');

export const endless = (): Fault =>
  new Fault(
    faults.nesting,
    'comparison exceeded maximum recursion depth',
    `values nest deeper than ${depthMax} levels, or form a cycle`,
  );

function sameText(walk: Walk, x: string, y: string): boolean {
  pass(walk, x.length === y.length ? charactersCompared(x) : 1);
  return x === y;
}

/** The host compares many characters in the time of an instruction. */
export const charactersCompared = (text: string): number => 1 + (text.length >> 6);

function sameItems(walk: Walk, x: readonly Value[], y: readonly Value[], depth: number): boolean {
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) {
    if (!same(walk, x[i] as Value, y[i] as Value, depth)) return false;
  }
  return true;
}

function sameEntries(walk: Walk, x: Dict, y: Dict, depth: number): boolean {
  if (x.index.size !== y.index.size) return false;
  for (const [key, at] of x.index) {
    const mine = x.slots[at];
    const other = y.slots[y.index.get(key) ?? -1];
    if (!mine || !other || !same(walk, mine[1], other[1], depth)) return false;
  }
  return true;
}

function sameFields(walk: Walk, x: Struct, y: Struct, depth: number): boolean {
  if (x.name !== y.name || x.maker !== y.maker || x.fields.size !== y.fields.size) return false;
  for (const [name, value] of x.fields) {
    const other = y.fields.get(name);
    if (other === undefined || !same(walk, value, other, depth)) return false;
  }
  return true;
}

type Range = Extract<Value, { kind: 'range' }>;

function sameRange(x: Range, y: Range): boolean {
  const size = rangeLength(x);
  if (size !== rangeLength(y)) return false;
  return size === 0 || (x.start === y.start && (size === 1 || x.step === y.step));
}

export const isNumber = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && value.kind === 'float');

/** JavaScript compares a number with a bigint exactly; NaN is greatest and equals itself. */
export function compareNumbers(x: Value, y: Value): number {
  const a = plain(x);
  const b = plain(y);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const plain = (value: Value): number | bigint =>
  typeof value === 'object' && value !== null && value.kind === 'float'
    ? value.value
    : (value as number | bigint);

export function compareBytes(walk: Walk, x: Uint8Array, y: Uint8Array): number {
  const length = Math.min(x.length, y.length);
  pass(walk, length >> 3);
  for (let i = 0; i < length; i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

export function isSubset(walk: Walk, x: SetValue, y: SetValue): boolean {
  if (x.index.size > y.index.size) return false;
  pass(walk, x.index.size);
  for (const key of x.index.keys()) if (!y.index.has(key)) return false;
  return true;
}
