/**
 * Conditions that nothing can meet: `x > 5 and x < 3`, `not (x == 1 or x != 1)`, `x in []`. Each
 * is tried with all that its variables can be to it: what they are compared with, what lies
 * between, and what is of another kind.
 */
import { GuestValue, toJson } from '../../../program/json.ts';
import { type Filling, fillingsIn, readFilling } from './filling.ts';
import type { Fit } from './value-types.ts';

/** Beyond so many ways for its variables to be, nothing is said of a condition. */
const triesMax = 1000;

/**
 * `condition`: an expression in Starlark, variables of the agent with their dollar or without.
 * `types`: what those can be of which that is known, by names without dollars.
 */
export function isNever(
  condition: string,
  types: ReadonlyMap<string, readonly Fit[]> = new Map(),
): boolean {
  // An empty dict is to a condition what an empty list is.
  const read = readFilling(condition.replaceAll('{}', '[]'));
  if (!read || 'problem' in read) return false;
  const joined = anded(read.filling).filter((one) => fillingsIn(one).every(isCompared));
  const all = joined.flatMap(fillingsIn);
  const names = [...new Set(all.flatMap((one) => nameOf(one) ?? []))];
  const constants = [...types.values()].flat().flatMap((fit) => constantOf(fit));
  const written = all.flatMap((one) => (one.is === 'value' ? [one.value] : []));
  const samples = samplesAround([...written, ...constants]);
  if (joined.length === 0 || samples.length ** names.length > triesMax) return false;
  let tries: ReadonlyMap<string, unknown>[] = [new Map()];
  for (const name of names) {
    const fits = types.get(name.replace('$', ''));
    const own = fits ? samples.filter((value) => fits.some((fit) => isOf(value, fit))) : samples;
    tries = tries.flatMap((one) => own.map((value) => new Map([...one, [name, value]])));
  }
  return tries.every((values) => joined.some((one) => !isTrue(outcome(one, values))));
}

const constantOf = (fit: Fit): readonly unknown[] =>
  typeof fit === 'object' && 'is' in fit ? [fit.is] : [];

/** Samples have no dicts: to a condition, lists are what these are. */
function isOf(value: unknown, fit: Fit): boolean {
  if (typeof fit === 'object') return 'is' in fit ? value === fit.is : Array.isArray(value);
  if (fit === 'NoneType') return value === null;
  if (fit === 'list' || fit === 'dict') return Array.isArray(value);
  if (fit === 'int' || fit === 'float') {
    return typeof value === 'number' && Number.isInteger(value) === (fit === 'int');
  }
  return typeof value === (fit === 'bool' ? 'boolean' : 'string');
}

/** What all has to hold. */
const anded = (of: Filling): readonly Filling[] =>
  of.is === 'operation' && of.op === 'and' ? of.of.flatMap(anded) : [of];

const operators: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'in', 'not in', '==', '!=', '<', '<=', '>', '>='],
]);

/**
 * What is in a text is not tried: others are in it than one that is made up. Nor is a text that
 * something is filled into.
 */
function isCompared(of: Filling): boolean {
  if (of.is === 'value') return typeof of.value !== 'string' || !of.value.includes('{');
  if (of.is !== 'operation') return true;
  return operators.has(of.op) && (!/\bin$/.test(of.op) || of.of[1]?.is === 'list');
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...[['true', true] as const, ['false', false] as const],
  ...[['null', null] as const, ['none', null] as const],
]);

/** Of a variable, or a part of one. */
function nameOf(of: Filling): string | undefined {
  if (of.is !== 'ref' || words.has(of.to.name)) return undefined;
  return [of.to.name, ...of.path].join('.');
}

function samplesAround(given: readonly unknown[]): readonly unknown[] {
  const values = given.map(plain);
  const numbers = [0, 1, ...values.filter((one) => typeof one === 'number')].toSorted(
    (one, other) => one - other,
  );
  const between = numbers.map((one, at) => (one + (numbers[at + 1] ?? one + 2)) / 2);
  const texts = ['', ...values.filter((one) => typeof one === 'string')];
  const below = (numbers[0] ?? 0) - 1;
  const all = [below, ...numbers, ...between, ...texts, ...texts.map((one) => `${one} `)];
  return [...new Set(all), null, true, false, [], [0]];
}

const plain = (value: unknown): unknown =>
  value instanceof GuestValue ? toJson(value.value) : value;

/** Undefined for what has no value, such as `None > 2`. */
function outcome(of: Filling, values: ReadonlyMap<string, unknown>): unknown {
  switch (of.is) {
    case 'value':
      return plain(of.value);
    case 'ref':
      return values.get(nameOf(of) ?? '') ?? words.get(of.to.name) ?? null;
    case 'list':
      return of.items.map((one) => outcome(one, values));
    case 'operation': {
      const [first, second] = of.of;
      const a = first && outcome(first, values);
      if (a === undefined) return undefined;
      if (of.op === 'not') return !isTrue(a);
      if (of.op === 'and' ? !isTrue(a) : of.op === 'or' && isTrue(a)) return a;
      const b = second && outcome(second, values);
      return of.op === 'and' || of.op === 'or' || b === undefined ? b : compared(of.op, a, b);
    }
  }
}

const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

function compared(operator: string, a: unknown, b: unknown): boolean | undefined {
  const isSame = (one: unknown): boolean => JSON.stringify(one) === JSON.stringify(a);
  if (operator === '==' || operator === '!=') return isSame(b) === (operator === '==');
  if (operator === 'in' || operator === 'not in') {
    const isIn = Array.isArray(b) ? b.some(isSame) : undefined;
    return isIn === undefined ? undefined : isIn === (operator === 'in');
  }
  const isOrdered = (typeof a === 'number' || typeof a === 'string') && typeof a === typeof b;
  if (!isOrdered) return undefined;
  const [one, other] = [a as number, b as number];
  if (operator === '<') return one < other;
  if (operator === '>') return one > other;
  return operator === '<=' ? one <= other : one >= other;
}
