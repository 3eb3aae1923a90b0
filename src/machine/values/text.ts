/**
 * `str` and `repr` of every value (Starlark specification, "str", "repr"). A container that holds
 * itself shows as `[...]` there; nesting and size are bounded, since a few lists that share parts
 * can stand for more text than fits anywhere.
 */
import { depthMax } from '../../program/json.ts';
import { settled, typeName, type Value } from '../../program/value.ts';
import { digitsCost } from './bits.ts';
import { Fault } from './fault.ts';
import { joinText } from './flat-text.ts';
import { floatText } from './float-text.ts';
import { fits, need, nestingFault } from './pendings.ts';
import { quote, quoteBytes } from './quote.ts';
import type { Surroundings } from './surroundings.ts';
import { decodeText } from './utf8.ts';

type Held = Exclude<Value, null | boolean | number | bigint | string>;

/** A string is itself, bytes are their text; the rest is as `repr` shows it. Throws PV3012. */
export function str(value: Value, around: Surroundings): string {
  const seen = need(value);
  if (typeof seen === 'string') return seen;
  if (typeof seen === 'object' && seen?.kind === 'bytes') return decodeText(seen.bytes);
  return repr(seen, around);
}

/** The text of a value as a program would write it, where it could. Throws PV3012 and PV3017. */
export function repr(value: Value, around: Surroundings): string {
  const out: Writer = { text: '', work: 0, around, path: new Set() };
  write(out, value);
  around.charge?.(out.work + (out.text.length >> 3));
  return out.text;
}

/** A few words of a value, for messages. */
export function inShort(value: Value): string {
  const seen = settled(value);
  try {
    return repr(seen, { valueBytes: 200 });
  } catch (error) {
    if (error instanceof Fault) return '…';
    throw error;
  }
}

interface Writer {
  text: string;
  /** What writing has cost beyond the length of the text. */
  work: number;
  readonly around: Pick<Surroundings, 'valueBytes' | 'functionName'>;
  /** Containers that are being written. */
  readonly path: Set<Held>;
}

function put(out: Writer, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  out.text = joinText(out.text, text);
}

/** Refuses a string that is too long before it looks at each of its characters. */
function putQuoted(out: Writer, text: string): void {
  fits(out.text.length + text.length, out.around.valueBytes);
  put(out, quote(text));
}

function putInt(out: Writer, value: number | bigint): void {
  out.work += digitsCost(value);
  put(out, String(value));
}

function write(out: Writer, value: Value): void {
  const seen = need(value);
  if (seen === null) put(out, 'None');
  else if (typeof seen === 'string') putQuoted(out, seen);
  else if (typeof seen === 'boolean') put(out, seen ? 'True' : 'False');
  else if (typeof seen !== 'object') putInt(out, seen);
  else writeHeld(out, seen);
}

function writeHeld(out: Writer, value: Held): void {
  switch (value.kind) {
    case 'float':
      put(out, floatText(value.value));
      return;
    case 'bytes':
      put(out, quoteBytes(value.bytes));
      return;
    case 'list':
      within(out, value, '[', ']', () => writeAll(out, value.items));
      return;
    case 'tuple':
      within(out, value, '(', value.items.length === 1 ? ',)' : ')', () =>
        writeAll(out, value.items),
      );
      return;
    case 'set':
      within(out, value, 'set([', '])', () => writeAll(out, present(value.slots)));
      return;
    case 'dict':
      within(out, value, '{', '}', () => writePairs(out, present(value.slots)));
      return;
    case 'struct':
      within(out, value, `${value.name}(`, ')', () => writeFields(out, value.fields));
      return;
    case 'view':
      write(out, value.of);
      put(out, `.${value.parts}()`);
      return;
    case 'range':
      put(out, rangeText(value.start, value.stop, value.step));
      return;
    default:
      put(out, named(out, value));
      return;
  }
}

function named(out: Writer, value: Held): string {
  switch (value.kind) {
    case 'function':
      return `<function ${out.around.functionName?.(value.chunk) ?? `#${value.chunk}`}>`;
    case 'builtin':
      return `<built-in function ${bare(value.name)}>`;
    case 'object':
      return value.type.text?.(value) ?? `<${value.type.name}>`;
    case 'method':
      return `<built-in method ${value.name} of ${typeName(value.receiver)} value>`;
    case 'module':
      return `<module ${quote(value.name)}>`;
    case 'tool':
      return `<tool ${value.name}>`;
    default:
      return `<${value.kind}>`;
  }
}

/** Without what a host has put before a colon to keep names apart. */
export const bare = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Writes a container between its brackets, or that it is inside itself. */
function within(out: Writer, value: Held, open: string, close: string, body: () => void): void {
  if (out.path.has(value)) {
    put(out, `${open}...${close}`);
    return;
  }
  out.work++;
  if (out.path.size > depthMax) throw nestingFault();
  out.path.add(value);
  put(out, open);
  body();
  put(out, close);
  out.path.delete(value);
}

function writeAll(out: Writer, items: readonly Value[]): void {
  for (const [i, item] of items.entries()) {
    if (i > 0) put(out, ', ');
    write(out, item);
  }
}

function writePairs(out: Writer, pairs: readonly (readonly [Value, Value])[]): void {
  for (const [i, [key, value]] of pairs.entries()) {
    if (i > 0) put(out, ', ');
    write(out, key);
    put(out, ': ');
    write(out, value);
  }
}

/** Fields by name, as starlark-go orders them. */
function writeFields(out: Writer, fields: ReadonlyMap<string, Value>): void {
  for (const [i, name] of [...fields.keys()].sort().entries()) {
    put(out, `${i > 0 ? ', ' : ''}${name} = `);
    write(out, fields.get(name) ?? null);
  }
}

const present = <T>(slots: readonly (T | undefined)[]): T[] =>
  slots.filter((slot) => slot !== undefined) as T[];

function rangeText(start: number, stop: number, step: number): string {
  if (step !== 1) return `range(${start}, ${stop}, ${step})`;
  return start === 0 ? `range(${stop})` : `range(${start}, ${stop})`;
}
