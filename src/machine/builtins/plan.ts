/**
 * What JSON plans need and their tools do not give: keys of a tool's response, arithmetic inside a
 * template, the truth of an answer, the type that a parameter wants. A response counts as an object
 * when it is one or when it is the text of one, as models write it.
 */
import { evaluate } from '../../program/arithmetic.ts';
import { NotData } from '../../program/json.ts';
import { wordsOf } from '../../program/retrieved-text.ts';
import { isUncertain, uncertainOf } from '../../program/uncertain.ts';
import { settled, typeName, type Value } from '../../program/value.ts';
import { type Repair, readJson, readModelJson, valueOfNode } from '../../text/json-text.ts';
import { readTruth, readVerdict, verdictKeys } from '../../text/model-text.ts';
import { Fault, faults } from '../values/fault.ts';
import { fieldLike, fieldsOf, likeIn, warnOf } from '../values/field.ts';
import { fits } from '../values/pendings.ts';
import { anything, aString, define, positional } from './arguments.ts';
import type { BuiltinSpec, Surroundings } from './builtin.ts';

/** None of these changes anything, so all of them may run on results that are still to come. */
export const plan: readonly BuiltinSpec[] = [
  spec('pick', 2, ([value = null, key = null], around) =>
    fieldLike(value, keyArgument(key), around),
  ),
  spec('pick_or_whole', 2, ([value = null, key = null], around) =>
    pickOrWhole(value, textArgument('pick_or_whole', key), around),
  ),
  spec('arithmetic', Infinity, ([text = null, ...values], around) =>
    arithmetic(textArgument('arithmetic', text), values, around),
  ),
  spec('truth', 1, ([value = null]) => truth(value)),
  spec('conform', 2, ([value = null, types = null], around) =>
    conform(value, textArgument('conform', types), around),
  ),
];

function spec(
  name: string,
  count: number,
  body: (args: readonly Value[], around: Surroundings) => Value,
): BuiltinSpec {
  return {
    name,
    lifts: true,
    mutates: false,
    stores: false,
    call(args, named, around) {
      if (named.size > 0) throw new Fault('PV3101', `${name}: got named arguments, want none`);
      const isRight = count === Infinity ? args.length > 0 : args.length === count;
      for (const arg of args) if (typeof arg === 'string') around.charge?.(arg.length);
      if (isRight) return body(args.map(settled), around);
      const want = count === Infinity ? 'at least 1' : count;
      throw new Fault('PV3101', `${name}: got ${args.length} arguments, want ${want}`);
    },
  };
}

function textArgument(name: string, value: Value): string {
  if (typeof value === 'string') return value;
  throw new Fault('PV3101', `${name}: got ${typeName(value)}, want a string`);
}

/** A key, or the position of an element. */
function keyArgument(key: Value): string {
  if (typeof key === 'string') return key;
  const isNumber = typeof key === 'number' || typeof key === 'bigint';
  if (isNumber) return String(key);
  const isFloat = typeof key === 'object' && key?.kind === 'float';
  if (isFloat && Number.isInteger(key.value)) return String(key.value);
  throw new Fault('PV3101', `got ${typeName(key)}, want a key or the position of an element`);
}

/** The key's value where there is an object with the key, else the value itself. */
function pickOrWhole(value: Value, key: string, around: Surroundings): Value {
  return likeIn(value, key, around) ?? value;
}

/**
 * The value of an expression in which `$0`, `$1`, … stand for values and `$$` for a dollar sign,
 * if all values are numbers (or the texts of numbers); otherwise, and for a text that is no
 * arithmetic, the text with the values in their places.
 */
function arithmetic(text: string, values: readonly Value[], around: Surroundings): Value {
  const only = /^\$(\d+)$/.exec(text)?.[1];
  if (only !== undefined) return values[Number(only)] ?? text;
  const joined = (): string => {
    let length = text.length;
    return text.replace(/\$(\d+|\$)/g, (whole, index: string) => {
      const value = values[Number(index)];
      const part = index === '$' ? '$' : value === undefined ? whole : textFor(value);
      length += part.length;
      fits(length, around.valueBytes);
      return part;
    });
  };
  const numbers = values.map(numberIn);
  if (!numbers.every((number) => number !== undefined)) return joined();
  const result = evaluate(text, numbers);
  if ('value' in result) return isDate(joined()) ? joined() : result.value;
  if (result.error.syntax) return joined();
  const whole = joined();
  const { message } = result.error;
  throw new Fault('PV3102', message.endsWith(whole) ? message : `${message}, in ${whole}`);
}

/** The text of a value; a function has none. */
function textFor(value: Value): string {
  try {
    return wordsOf(value);
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    throw new Fault(faults.notData, `got ${error.message}, want data`);
  }
}

/** What looks like a date stays one: 2024-10-15 is not 1999. */
const isDate = (text: string): boolean => /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/.test(text);

/** Longest text that is looked at as a number. */
const numberTextMax = 400;

/** A number, or the number that a text is in JSON's notation; so `007` stays text. */
function numberIn(value: Value): Value | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'object') return value?.kind === 'float' ? value : undefined;
  if (typeof value !== 'string' || value.length > numberTextMax) return undefined;
  const { node, repairs } = readJson(value);
  const strict = (node?.kind === 'int' || node?.kind === 'float') && repairs.length === 0;
  return strict ? valueOfNode(node) : undefined;
}

/**
 * The value as one of the JSON types that are named, where it is that but for the notation: text
 * that holds such a value, as models write it, or a value where text is wanted. Anything else stays
 * as it is, for the tool to judge.
 */
function conform(value: Value, types: string, around: Surroundings): Value {
  const wanted = types.split(' ');
  const has = (one: Value): boolean => wanted.some((type) => isOfType(one, type));
  if (has(value)) return value;
  if (typeof value === 'string') {
    const held = heldBy(value);
    if (held === undefined || !has(held.value)) return value;
    warnOf(held.repairs, around);
    return held.value;
  }
  return value !== null && wanted.includes('string') ? textFor(value) : value;
}

function isOfType(value: Value, type: string): boolean {
  if (value === null) return type === 'null';
  if (typeof value === 'number' || typeof value === 'bigint')
    return /^(integer|number)$/.test(type);
  if (typeof value !== 'object') return type === typeof value;
  switch (value.kind) {
    case 'float':
      return type === 'number' || (type === 'integer' && Number.isInteger(value.value));
    case 'list':
    case 'tuple':
      return type === 'array';
    case 'dict':
    case 'struct':
      return type === 'object';
    default:
      return false;
  }
}

interface Held {
  readonly value: Value;
  readonly repairs: readonly Repair[];
}

/** A number in JSON's notation, a boolean in any, or a list or object with whatever around it. */
function heldBy(text: string): Held | undefined {
  const number = numberIn(text.trim());
  if (number !== undefined) return { value: number, repairs: [] };
  const whole = readJson(text).node;
  if (whole?.kind === 'bool' || whole?.kind === 'null') return { value: whole.value, repairs: [] };
  const { node, repairs } = readModelJson(text, 'any', { bytesMax: Infinity });
  return node === undefined ? undefined : { value: valueOfNode(node), repairs };
}

/** Whether a value says yes: a boolean, 1 or 0, an object with a `result`, or a text of these. */
function truth(value: Value): boolean {
  const found = truthOf(value);
  if (found !== undefined) return found;
  const shown = textFor(value);
  const got = shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
  throw new Fault(
    'PV3103',
    `got ${typeof value === 'string' ? JSON.stringify(got) : got}, want true or false`,
    'answer with {"result": true} or {"result": false}',
  );
}

function truthOf(value: Value): boolean | undefined {
  if (typeof value === 'string') return readVerdict(value)?.result;
  if (value === null || typeof value !== 'object') return readTruth(value);
  if (value.kind !== 'dict' && value.kind !== 'struct') return undefined;
  const fields = fieldsOf(value);
  if ('lack' in fields) return undefined;
  for (const key of verdictKeys) {
    const name = fields.names.find((one) => one.toLowerCase() === key);
    const inner = settled((name === undefined ? undefined : fields.get(name)) ?? null);
    const truth = typeof inner === 'object' ? undefined : readTruth(inner);
    if (truth !== undefined) return truth;
  }
  return undefined;
}

/** What programs say of values that nobody could find out. */
export const uncertainty: readonly BuiltinSpec[] = [
  define('uncertain', {}, (call) => uncertainOf(positional(call, [aString])[0])),
  define('is_uncertain', {}, (call) => isUncertain(positional(call, [anything])[0])),
];
