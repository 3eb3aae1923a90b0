/**
 * A value of a running program as people see it: compact JSON where it is data, other things by
 * their names, values that are still to come by what they wait for. Cut at a length, whatever the
 * value holds.
 */
import type { OpenEntry } from '../../machine/inspection.ts';
import { lengthOf } from '../../machine/values/sequence.ts';
import { stringify, toJson } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import { charactersOf } from '../../program/size.ts';
import { type Pending, settled, typeName, type Value } from '../../program/value.ts';

export interface PreviewContext {
  readonly program: Program;
  readonly pendings: ReadonlyMap<Pending, OpenEntry>;
}

/** Deeper than this, a container shows as `…`. */
const depthMost = 12;

/** At most `most` characters; `…` stands where something is left out. */
export function preview(value: Value, context: PreviewContext, most: number): string {
  const parts: string[] = [];
  let room = most - 1;
  const put = (text: string): boolean => {
    if (text.length > room) parts.push(text.slice(0, Math.max(0, room)), '…');
    else parts.push(text);
    room -= text.length;
    return room > 0;
  };
  const isWhole = write(value, context, put, 0);
  if (!isWhole && room === 0) parts.push('…');
  return parts.join('');
}

/** Gives whether there is room for more. */
type Put = (text: string) => boolean;

type Pairs = Iterable<readonly [label: string, value: Value]>;

function write(given: Value, context: PreviewContext, put: Put, depth: number): boolean {
  const value = settled(given);
  if (value === null || typeof value !== 'object') return put(plainText(value));
  if (depth > depthMost) return put('…');
  const inside = (pairs: Pairs, open: string, close: string): boolean =>
    writeAll(pairs, context, put, depth, open, close);
  switch (value.kind) {
    case 'list':
      return inside(unlabelled(value.items), '[', ']');
    case 'tuple':
      return inside(unlabelled(value.items), '(', value.items.length === 1 ? ',)' : ')');
    case 'set':
      return inside(unlabelled(value.slots), 'set([', '])');
    case 'dict':
      return inside(
        value.slots.flatMap((slot) => (slot ? [[`${keyText(slot[0])}: `, slot[1]] as const] : [])),
        '{',
        '}',
      );
    case 'struct':
      return inside(
        [...value.fields].map(([name, item]) => [`${name} = `, item]),
        `${value.name}(`,
        ')',
      );
    default:
      return put(nameOf(value, context));
  }
}

function writeAll(
  pairs: Pairs,
  context: PreviewContext,
  put: Put,
  depth: number,
  open: string,
  close: string,
): boolean {
  let before = open;
  for (const [label, item] of pairs) {
    if (!put(before + label) || !write(item, context, put, depth + 1)) return false;
    before = ', ';
  }
  return put(before === open ? open + close : close);
}

function* unlabelled(items: Iterable<Value | undefined>): Pairs {
  for (const item of items) if (item !== undefined) yield ['', item];
}

/** A long string is quoted as far as it can be seen. */
const glance = 2 ** 16;

function plainText(value: null | boolean | number | bigint | string): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, glance)) : String(value);
}

const keyText = (key: Value): string =>
  typeof key === 'string' ? plainText(key) : (plainOf(key)?.text ?? typeName(key));

type Held = Exclude<Value, null | boolean | number | bigint | string>;

function nameOf(value: Held, { program, pendings }: PreviewContext): string {
  switch (value.kind) {
    case 'pending': {
      const entry = pendings.get(value);
      return entry ? `‹${entryText(entry)}›` : '‹given up›';
    }
    case 'function': {
      const { name = '', parameters, locals = [] } = program.chunks[value.chunk] ?? {};
      const count = (parameters?.positional ?? 0) + (parameters?.named ?? 0);
      return `def ${name}(${locals.slice(0, count).join(', ')})`;
    }
    case 'builtin':
    case 'module':
    case 'tool':
      return `<${value.kind} ${value.name}>`;
    case 'range':
      return `range(${value.start}, ${value.stop}, ${value.step})`;
    case 'bytes':
      return `<bytes of ${value.bytes.length}>`;
    case 'iterator':
      return `<iterator at ${value.position}>`;
    default:
      return plainOf(value)?.text ?? `<${typeName(value)}>`;
  }
}

/** `0#3 search`, `+ of 12`: what gives a value that is still to come. */
export function entryText({ kind, id, name, step }: OpenEntry): string {
  if (id !== undefined) return `${id} ${name}`;
  return `${kind === 'lift' ? liftText(name) : kind}${step === '' ? '' : ` of step ${step}`}`;
}

/** Names operators and functions of programs, but not inner operations such as `pick_or_whole`. */
export const liftText = (name: string): string => (name.includes('_') ? 'a value' : name);

/** Data that is there as a whole and not too large: as a host has it, and as JSON text. */
export function plainOf(
  value: Value,
): { readonly value: unknown; readonly text: string } | undefined {
  if (charactersOf(value, 2 ** 20) === undefined) return undefined;
  try {
    const plain = toJson(settled(value));
    return { value: plain, text: stringify(plain) };
  } catch {
    // Not data: a function, or something in it that is still to come.
    return undefined;
  }
}

/** Characters, bytes, items or fields; nothing for what has no size. */
export function sizeOf(given: Value): number | undefined {
  const value = settled(given);
  if (value === null || typeof value !== 'object') return lengthOf(value);
  if (value.kind === 'struct') return value.fields.size;
  return value.kind === 'view' ? undefined : lengthOf(value);
}
