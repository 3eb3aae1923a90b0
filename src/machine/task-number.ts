/**
 * Arithmetic of tasks on results: `("number", tree)`. Exact where ints are, as everywhere; a result
 * has to be a number, or a text that is or holds one as people write it.
 */
import { numberInText, parseNumber, sharedUnit } from '../program/arithmetic/number-text.ts';
import {
  decimalOf,
  functions,
  NoResult,
  type Num,
  negate,
  operate,
  valueOfNumber,
} from '../program/arithmetic/numbers.ts';
import type { NumberTree, RefNode } from '../program/task.ts';
import { settled, typeName, type Value } from '../program/value.ts';
import { readJson, valueOfNode } from '../text/json-text.ts';
import { faults } from './values/code-names.ts';
import { Fault } from './values/fault.ts';
import { obviousPart } from './values/obvious.ts';

/** What references stand for, and what to call them. */
export interface References {
  valueOf(ref: RefNode): Value;
  nameOf(ref: RefNode): string;
  warn?: ((message: string) => void) | undefined;
}

interface Computation extends References {
  /** Of the numbers so far. */
  unit: string;
}

/** Throws PV3704 where a result is no number, or the arithmetic has no result. */
export function numberOfTree(tree: NumberTree, references: References): Value {
  try {
    return valueOfNumber(compute(tree, { ...references, unit: '' }));
  } catch (thrown) {
    if (!(thrown instanceof NoResult)) throw thrown;
    throw new Fault(faults.taskNumber, thrown.message);
  }
}

function compute(tree: NumberTree, references: Computation): Num {
  switch (tree.kind) {
    case 'literal':
      return plain(tree.value) ?? 0n;
    case 'ref':
      return numberIn(references.valueOf(tree), references.nameOf(tree), references);
    case 'negation':
      return negate(compute(tree.of, references));
    case 'operation':
      return operate(tree.op, compute(tree.left, references), compute(tree.right, references), 1);
    case 'call':
      return call(
        tree.name,
        tree.args.flatMap((arg) => numbersIn(arg, references)),
      );
  }
}

/** Of a list that a call is given, its elements: `max($1)`. */
function numbersIn(tree: NumberTree, references: Computation): Num[] {
  if (tree.kind !== 'ref') return [compute(tree, references)];
  const value = listIn(references.valueOf(tree));
  const name = references.nameOf(tree);
  const isList = typeof value === 'object' && (value?.kind === 'list' || value?.kind === 'tuple');
  if (!isList) return [numberIn(value, name, references)];
  return value.items.map((item, i) => numberIn(item, `${name}[${i}]`, references));
}

/** A list that is JSON in a text, or the value itself. */
function listIn(value: Value): Value {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  const { node } = readJson(value);
  return node?.kind === 'array' ? valueOfNode(node) : value;
}

function call(name: string, args: readonly Num[]): Num {
  const found = functions.get(name);
  if (!found || args.length < found.least || args.length > found.most) {
    throw new Fault(faults.taskNumber, `${name}: got ${args.length} numbers`);
  }
  return found.call(args, 1);
}

function numberIn(given: Value, name: string, computation: Computation): Num {
  const value = settled(given);
  const number = plain(value);
  if (number !== undefined) return number;
  const whole = typeof value === 'string' ? parseNumber(value) : undefined;
  const part = whole ? undefined : obviousPart(value, 'number');
  if (part) {
    computation.warn?.(`${name}: its ${part.name} was taken; write ${name}.${part.name}`);
    return numberIn(part.value, `${name}.${part.name}`, computation);
  }
  const read = typeof value === 'string' ? (whole ?? numberInText(value)) : undefined;
  if (read && 'value' in read) {
    computation.unit = sharedUnit(computation.unit, read.unit, 1);
    if (read.note !== undefined) computation.warn?.(`${name}: ${read.note}`);
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

function plain(value: Value): Num | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  if (typeof value !== 'object' || value?.kind !== 'float') return undefined;
  return decimalOf(String(value.value)) ?? { float: value.value };
}

/** Longest text that is quoted. */
const quotedMax = 60;

function describe(value: Value): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeName(value);
  const short = value.length > quotedMax ? `${value.slice(0, quotedMax)}…` : value;
  return `the text ${JSON.stringify(short)}`;
}
