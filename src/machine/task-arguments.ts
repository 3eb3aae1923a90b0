/**
 * The arguments of a task: what its nodes stand for is put in their places, once. What is put there
 * is never looked into for nodes, so no observation can ask for another. Whatever is wrong with it
 * is the failure of the task, not of the program.
 */
import { numberInText, parseNumber, sharedUnit } from '../program/arithmetic/number-text.ts';
import { type Num, numberOf } from '../program/arithmetic/numbers.ts';
import { evaluateWith } from '../program/arithmetic.ts';
import type { EffectError } from '../program/effect.ts';
import { depthMax } from '../program/json.ts';
import {
  everyElement,
  isNode,
  type PathKey,
  type RefNode,
  readNode,
  type TaskNode,
} from '../program/task.ts';
import {
  type Dict,
  list,
  type Struct,
  settled,
  type Tuple,
  tuple,
  typeName,
  type Value,
} from '../program/value.ts';
import { readJson, valueOfNode } from '../text/json-text.ts';
import { readResult } from './result-struct.ts';
import type { TaskWork } from './state.ts';
import { bareError, Fault, faultOf, faults } from './values/fault.ts';
import { elementsOf, fieldOf, obviousPart } from './values/field.ts';
import { template } from './values/format.ts';
import { copyAround, nestingFault, writeDown } from './values/pendings.ts';
import type { Surroundings } from './values/surroundings.ts';
import { certain } from './values/uncertain.ts';

/** What a task is asked for with: the arguments of one call, or of one for each element. */
export type Filled =
  | { readonly text: string }
  | { readonly texts: string[] }
  | { readonly error: EffectError };

/** Fills in the arguments of a task all of whose results are there. */
export function fill(args: Value, task: TaskWork, around: Surroundings): Filled {
  const values: Value[] = [];
  for (let index = 0; index < task.results.length; index++) {
    const given = settled(task.results[index] ?? null);
    const result = readResult(given);
    if (result?.error) return { error: skipped(task, index, result.error) };
    values.push(result ? result.value : given);
  }
  const filler: Filler = { values, names: task.needs, around, element: 0, lists: undefined };
  try {
    return fillWith(args, filler, task.starred);
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (!fault) throw thrown;
    return { error: bareError(fault) };
  }
}

/** A value whose nodes name the given ones. Throws `Fault`. */
export function fillValue(
  value: Value,
  names: readonly string[],
  values: readonly Value[],
  around: Surroundings,
): Value {
  // What has no nodes is shared, and this is the guest's to change.
  const own = copyAround(value);
  return filled(own, { values, names, around, element: undefined, lists: undefined });
}

/** The failure of a task that needs one that has failed: that at the root, not the next one. */
function skipped({ needs }: TaskWork, index: number, { fields }: Struct): EffectError {
  const message = String(settled(fields.get('message') ?? null));
  if (fields.get('code') === faults.taskSkipped) return { code: faults.taskSkipped, message };
  const name = needs[index];
  const which = name === undefined ? `result ${index} of those it needs` : `task ${name}`;
  return { code: faults.taskSkipped, message: `skipped: ${which} failed: ${message}` };
}

interface Filler {
  readonly values: readonly Value[];
  readonly names: readonly string[];
  readonly around: Surroundings;
  /** Which element a star stands for; undefined for the list of all. */
  element: number | undefined;
  /** The elements that starred references go through, by what they name. */
  lists: Map<string, readonly Value[]> | undefined;
}

function fillWith(args: Value, filler: Filler, starred: boolean): Filled {
  const { around } = filler;
  const count = starred ? elementCount(args, filler) : undefined;
  if (count === undefined) return { text: certain(writeDown(filled(args, filler), around)) };
  const texts: string[] = [];
  for (let element = 0; element < count; element++) {
    filler.element = element;
    texts.push(certain(writeDown(filled(args, filler), around)));
  }
  return { texts };
}

/** For how many elements it is performed; undefined where none of its references has a star. */
function elementCount(args: Value, filler: Filler): number | undefined {
  let first: { readonly name: string; readonly length: number } | undefined;
  for (const ref of refsIn(args)) {
    if (!ref.path.includes(everyElement)) continue;
    const { length } = elements(ref, filler);
    const name = nameOf(ref, filler);
    first ??= { name, length };
    if (first.length === length) continue;
    throw new Fault(
      faults.taskElements,
      `got ${first.length} elements of ${first.name} and ${length} of ${name}, want as many`,
    );
  }
  return first?.length;
}

function elements(ref: RefNode, filler: Filler): readonly Value[] {
  const before = ref.path.slice(0, ref.path.indexOf(everyElement));
  const key = JSON.stringify([ref.index, ...before]);
  const known = filler.lists?.get(key);
  if (known) return known;
  const found = elementsOf(part(ref, before, filler), filler.around);
  if (typeof found === 'string') {
    throw new Fault(faults.taskElements, `${nameOf(ref, filler)}: got ${found}, want a list`);
  }
  filler.lists ??= new Map();
  filler.lists.set(key, found);
  return found;
}

/**
 * A value with its nodes replaced; what has none in it is shared, since it is only read. What is
 * pending in it has settled, and is data.
 */
function filled(value: Value, filler: Filler): Value {
  if (value === null || typeof value !== 'object') return value;
  switch (value.kind) {
    case 'list': {
      const items = filledItems(value.items, filler);
      return items === value.items ? value : list([...items]);
    }
    case 'dict':
      return filledDict(value, filler);
    case 'tuple': {
      if (isNode(value)) return valueOfTaskNode(nodeOf(value), filler);
      const items = filledItems(value.items, filler);
      return items === value.items ? value : tuple(items);
    }
    default:
      return settled(value);
  }
}

function filledItems(items: readonly Value[], filler: Filler): readonly Value[] {
  let made: Value[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    const found = filled(item, filler);
    if (found === item) continue;
    made ??= [...items];
    made[i] = found;
  }
  return made ?? items;
}

/** Its keys are those of the other: it shares their index, which nobody changes here. */
function filledDict(value: Dict, filler: Filler): Dict {
  let slots: Dict['slots'] | undefined;
  for (let i = 0; i < value.slots.length; i++) {
    const slot = value.slots[i];
    if (!slot) continue;
    const found = filled(slot[1], filler);
    if (found === slot[1]) continue;
    slots ??= [...value.slots];
    slots[i] = [slot[0], found];
  }
  return slots ? { ...value, slots } : value;
}

function valueOfTaskNode(node: TaskNode, filler: Filler): Value {
  switch (node.kind) {
    case 'ref':
      return referred(node, filler);
    case 'text':
      return textOfPieces(node.pieces, filler);
    case 'list':
      return listOf(referred(node.of, filler), node.texts, filler, () => nameOf(node.of, filler));
    case 'number':
      return computed(node.pieces, filler);
  }
}

/** A result that is nothing stays that, unless there is text around it. */
function textOfPieces(pieces: readonly (string | RefNode)[], filler: Filler): Value {
  const values = pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece, filler)));
  return values.length === 1 && values[0] === null ? null : template(values, filler.around);
}

/** Of an object, the text that is meant. */
function textOf(ref: RefNode, filler: Filler): Value {
  const value = referred(ref, filler);
  const part = obviousPart(value, 'text');
  if (!part) return value;
  const name = nameOf(ref, filler);
  filler.around.warn?.(`${name}: its ${part.name} was taken; write ${name}.${part.name}`);
  return part.value;
}

/** What is no list is taken for the one element of one, with a warning; nothing stays nothing. */
function listOf(value: Value, texts: boolean, { around }: Filler, name: () => string): Value {
  if (value === null) return null;
  const items = isListText(value) ? elementsOf(value, around) : 'no list';
  if (typeof items === 'string') {
    around.warn?.(`${name()}: got ${typeName(value)}, want a list; a list of it alone was taken`);
  }
  const all = typeof items === 'string' ? [value] : items;
  const asText = (item: Value): Value => (settled(item) === null ? null : template([item], around));
  return list(texts ? all.map(asText) : [...all]);
}

/** A list, or a text that may hold one. */
const isListText = (value: Value): boolean =>
  typeof value === 'string' ? /^\s*\[/.test(value) && /\]\s*$/.test(value) : true;

function referred(ref: RefNode, filler: Filler): Value {
  const star = ref.path.indexOf(everyElement);
  if (star < 0) return part(ref, ref.path, filler);
  const after = ref.path.slice(star + 1);
  const all = elements(ref, filler);
  if (filler.element === undefined) return list(all.map((one) => follow(one, after, ref, filler)));
  return follow(all[filler.element] ?? null, after, ref, filler);
}

const part = (ref: RefNode, path: readonly PathKey[], filler: Filler): Value =>
  follow(filler.values[ref.index] ?? null, path, ref, filler);

/** A part of a value by its path; an error names the reference. */
function follow(value: Value, path: readonly PathKey[], ref: RefNode, filler: Filler): Value {
  let found = value;
  try {
    for (const key of path) found = settled(fieldOf(found, String(key), filler.around));
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (!fault) throw thrown;
    throw new Fault(fault.code, `${nameOf(ref, filler)}: ${fault.message}`, fault.hint);
  }
  return found;
}

/** A reference as plans write it: `$3`, `$3.rows[0]`. */
function nameOf({ index, path }: RefNode, { names }: Filler): string {
  const keys = path.map((key) =>
    typeof key === 'number' || key === everyElement ? `[${key}]` : `.${key}`,
  );
  const id = names[index];
  return (id === undefined ? `result ${index}` : `$${id}`) + keys.join('');
}

// The nodes among the arguments of a task: found, taken apart, and refused where they are none.

/**
 * Refuses what has the head of a node and is none, or names a result that was not given. True where
 * a reference goes through all elements of a list.
 */
export function checkNodes(args: Value, results: number): boolean {
  let isStarred = false;
  for (const ref of refsIn(args)) {
    if (ref.index >= results) {
      throw new Fault(
        faults.taskNode,
        `task: got a reference to result ${ref.index}, but ${results} results`,
        'results are counted from 0: task(tool, {"x": ("ref", 0)}, first)',
      );
    }
    const stars = ref.path.filter((key) => key === everyElement).length;
    isStarred ||= stars > 0;
    if (stars > 1) {
      throw new Fault(
        faults.taskNode,
        'task: got a reference with several *, want one at most',
        'let another task make one list of them',
      );
    }
  }
  return isStarred;
}

/** Every reference in a value, in its order, also those within nodes. Refuses a circle. */
function refsIn(value: Value): RefNode[] {
  const found: RefNode[] = [];
  gather(value, found, 0);
  return found;
}

function gather(value: Value, found: RefNode[], depth: number): void {
  if (value === null || typeof value !== 'object') return;
  if (depth > depthMax) throw nestingFault();
  if (value.kind === 'dict') {
    for (const slot of value.slots) if (slot) gather(slot[1], found, depth + 1);
  } else if (isNode(value)) refsOfNode(nodeOf(value), found);
  else if (value.kind === 'list' || value.kind === 'tuple') {
    for (const item of value.items) gather(item, found, depth + 1);
  }
}

/** A node taken apart. Throws PV3703. */
function nodeOf(value: Tuple): TaskNode {
  const node = readNode(value);
  if (node) return node;
  throw new Fault(
    faults.taskNode,
    `task: got a malformed ${JSON.stringify(value.items[0])} node among the arguments`,
    'a node is ("ref", index, key…), ("text", piece…), ("number", piece…) or ("list", ref, texts)',
  );
}

function refsOfNode(node: TaskNode, found: RefNode[]): void {
  if (node.kind === 'ref') found.push(node);
  else if (node.kind === 'list') found.push(node.of);
  else for (const piece of node.pieces) if (typeof piece !== 'string') found.push(piece);
}

// Arithmetic on results: `("number", piece…)`. Exact where ints are, as everywhere; a result has to
// be a number, or a text that is or holds one as people write it.

/** Throws PV3704 where a result is no number, or the arithmetic has no result. */
function computed(pieces: readonly (string | RefNode)[], filler: Filler): Value {
  const refs: RefNode[] = [];
  const text = pieces.map((piece) =>
    typeof piece === 'string' ? piece : `$${refs.push(piece) - 1} `,
  );
  const reading: Reading = { filler, unit: '' };
  const numbers = (index: number, isArgument: boolean): readonly Num[] => {
    const ref = refs[index];
    return ref ? numbersOf(ref, isArgument, reading) : [];
  };
  const found = evaluateWith(text.join(''), { count: refs.length, numbers });
  if ('value' in found) return found.value;
  throw new Fault(faults.taskNumber, found.error.message);
}

interface Reading {
  readonly filler: Filler;
  /** Of the numbers so far. */
  unit: string;
}

/** Of a list that a function is given, its elements: `max($1)`. */
function numbersOf(ref: RefNode, isArgument: boolean, reading: Reading): readonly Num[] {
  const { filler } = reading;
  const given = referred(ref, filler);
  const name = nameOf(ref, filler);
  const value = isArgument ? listIn(given) : given;
  const isList = typeof value === 'object' && (value?.kind === 'list' || value?.kind === 'tuple');
  if (!isArgument || !isList) return [numberIn(value, name, reading)];
  return value.items.map((item, i) => numberIn(item, `${name}[${i}]`, reading));
}

/** A list that is JSON in a text, or the value itself. */
function listIn(value: Value): Value {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const { node } = readJson(value);
  return node?.kind === 'array' ? valueOfNode(node) : value;
}

function numberIn(given: Value, name: string, reading: Reading): Num {
  const { warn } = reading.filler.around;
  const value = settled(given);
  const number = numberOf(value);
  if (number !== undefined) return number;
  const whole = typeof value === 'string' ? parseNumber(value) : undefined;
  const part = whole ? undefined : obviousPart(value, 'number');
  if (part) {
    warn?.(`${name}: its ${part.name} was taken; write ${name}.${part.name}`);
    return numberIn(part.value, `${name}.${part.name}`, reading);
  }
  const read = typeof value === 'string' ? (whole ?? numberInText(value)) : undefined;
  if (read && 'value' in read) {
    reading.unit = sharedUnit(reading.unit, read.unit, 1);
    if (read.note !== undefined) warn?.(`${name}: ${read.note}`);
    return read.value;
  }
  throw new Fault(
    faults.taskNumber,
    `${name}: got ${describe(value)}, want a number${read ? `: ${read.doubt}` : ''}`,
    typeof value === 'string' && /\d/.test(value)
      ? 'name the field that has the number alone, or ask a tool for it'
      : undefined,
  );
}

/** Longest text that is quoted. */
const quotedMax = 60;

function describe(value: Value): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeName(value);
  const short = value.length > quotedMax ? `${value.slice(0, quotedMax)}…` : value;
  return `the text ${JSON.stringify(short)}`;
}
