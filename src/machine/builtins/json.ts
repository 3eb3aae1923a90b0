/** The module `json`: encode, encode_indent, decode, indent. */
import { depthMax } from '../../program/json.ts';
import { isDict, settled, typeName, type Value } from '../../program/value.ts';
import { digitsCost } from '../values/bits.ts';
import { joinText } from '../values/flat-text.ts';
import { floatText } from '../values/float-text.ts';
import { fits, nestingFault } from '../values/pendings.ts';
import { roomForText } from '../values/room.ts';
import {
  anything,
  aString,
  type Call,
  define,
  failed,
  itemsOf,
  parameters,
  positional,
} from './arguments.ts';
import type { BuiltinSpec, Surroundings } from './builtin.ts';
import { indented } from './json-indent.ts';
import { decodeJson, JsonError } from './json-reader.ts';

const pure = { lifts: true };

export const jsonFunctions: readonly BuiltinSpec[] = [
  define('json.encode', pure, (call) => encode(call, positional(call, [anything])[0])),
  define('json.encode_indent', pure, (call) => {
    const given = parameters(call, { x: anything, 'prefix?': aString, 'indent?': aString });
    return indent(call, encode(call, given.x), given.prefix, given.indent);
  }),
  define('json.decode', pure, decode),
  define('json.indent', pure, (call) => {
    const { prefix, indent: unit } = parameters(
      { ...call, args: [] },
      { 'prefix?': aString, 'indent?': aString },
    );
    const [text] = positional({ ...call, named: new Map() }, [aString]);
    return indent(call, text, prefix, unit);
  }),
];

function decode(call: Call): Value {
  const { x, default: otherwise } = parameters(call, { x: aString, 'default?': anything });
  call.around.charge?.(x.length);
  try {
    return decodeJson(x, call.around);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (otherwise !== undefined) return otherwise;
    throw failed(call, `at offset ${error.offset}, ${error.message}`);
  }
}

function indent(call: Call, text: string, prefix = '', unit = '\t'): string {
  call.around.charge?.(text.length);
  try {
    decodeJson(text, call.around);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw failed(call, `invalid character at offset ${error.offset}: ${error.message}`);
  }
  const made = indented(text, prefix, unit, call.around.valueBytes);
  roomForText(made.length, call.around);
  return made;
}

function encode(call: Call, value: Value): string {
  const out: Output = { text: '', work: 0, around: call.around, path: new Set() };
  try {
    write(out, value);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    throw failed(call, error.message);
  }
  call.around.charge?.(out.work + (out.text.length >> 3));
  return out.text;
}

interface Output {
  text: string;
  /** What writing has cost beyond the length of the text. */
  work: number;
  readonly around: Surroundings;
  readonly path: Set<Value>;
}

/** Why a value has no JSON form, with the way to it: `at list index 0: …`. */
class NoJson extends Error {
  override readonly name = 'NoJson';
}

function put(out: Output, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  out.text = joinText(out.text, text);
}

function write(out: Output, given: Value): void {
  const value = settled(given);
  if (value === null || typeof value !== 'object' || value.kind === 'float') {
    if (typeof value === 'string') fits(out.text.length + value.length, out.around.valueBytes);
    put(out, scalar(out, value));
    return;
  }
  if (out.path.has(value)) throw new NoJson('cycle in JSON structure');
  if (out.path.size > depthMax) throw nestingFault();
  out.work++;
  out.path.add(value);
  writeContainer(out, value);
  out.path.delete(value);
}

function scalar(out: Output, value: Value): string {
  if (typeof value === 'bigint') out.work += digitsCost(value);
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object' || value.kind !== 'float') return String(value);
  if (Number.isFinite(value.value)) return floatText(value.value);
  throw new NoJson(`cannot encode non-finite float ${floatText(value.value)}`);
}

function writeContainer(out: Output, value: Value): void {
  const kind = typeName(value);
  if (isDict(value)) {
    const pairs = value.slots.filter((slot) => slot !== undefined);
    const members = pairs.map(([key, item]): [string, Value] => {
      if (typeof key === 'string') return [key, item];
      throw new NoJson(`${kind} has ${typeName(key)} key, want string`);
    });
    writeMembers(out, members, (key) => `in ${kind} key ${quoted(key)}`);
    return;
  }
  if (typeof value === 'object' && value?.kind === 'struct') {
    writeMembers(out, [...value.fields], (key) => `in field .${key}`);
    return;
  }
  const items = itemsOf(value, out.around);
  if (items === undefined) throw new NoJson(`cannot encode ${kind} as JSON`);
  put(out, '[');
  items.forEach((item, i) => {
    if (i > 0) put(out, ',');
    inside(`at ${kind} index ${i}`, () => write(out, item));
  });
  put(out, ']');
}

function writeMembers(
  out: Output,
  members: readonly [string, Value][],
  where: (key: string) => string,
): void {
  put(out, '{');
  const sorted = [...members].sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0));
  for (const [i, [key, item]] of sorted.entries()) {
    put(out, `${i > 0 ? ',' : ''}${quoted(key)}:`);
    inside(where(key), () => write(out, item));
  }
  put(out, '}');
}

function inside(where: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw error instanceof NoJson ? new NoJson(`${where}: ${error.message}`) : error;
  }
}

/** Half a pair of surrogates is no character: it is written as U+FFFD, as it is read. */
const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed())
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
