/**
 * What a program has in place of a value that nobody could find out: a struct with the question
 * that would have to be answered. It may be kept, tested and answered with; no tool is called
 * with one.
 */
import { decode } from './json.ts';
import { dictGet, isDict, list, type Struct, settled, type Value } from './value.ts';

const name = 'uncertain';

/** `helper` is the call that was not made, empty where there was none; `missing` its parameters. */
export const uncertainOf = (
  question: string,
  helper = '',
  missing: readonly string[] = [],
): Struct => ({
  kind: 'struct',
  name,
  fields: new Map<string, Value>([
    ['question', question],
    ['helper', helper],
    ['missing', list([...missing])],
  ]),
});

export const isUncertain = (value: Value): value is Struct =>
  typeof value === 'object' && value?.kind === 'struct' && value.name === name;

/** How one begins in canonical text. In a string of the guest, quotes have a backslash before. */
const mark = `{"$struct":["${name}",`;

/** The question of the first such value in canonical text; undefined where it holds none. */
export function questionIn(text: string): string | undefined {
  if (!text.includes(mark)) return undefined;
  return searched(decode(text));
}

function searched(value: Value): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (isUncertain(value)) return String(value.fields.get('question') ?? '');
  for (const part of partsOf(value)) {
    const found = searched(settled(part));
    if (found !== undefined) return found;
  }
  return undefined;
}

function partsOf(value: Exclude<Value, null | boolean | number | bigint | string>): Value[] {
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return [...value.items];
    case 'dict':
      return value.slots.flatMap((slot) => (slot ? [slot[1]] : []));
    case 'struct':
      return [...value.fields.values()];
    default:
      return [];
  }
}

/**
 * What binding has come to: the arguments of a call, or what is to be had in place of its result.
 * Undefined for data of another form.
 */
export function readBound(
  value: Value,
): { readonly args: Value } | { readonly uncertain: Struct } | undefined {
  if (!isDict(value)) return undefined;
  const args = settled(dictGet(value, 'args') ?? null);
  if (isDict(args)) return { args };
  const open = settled(dictGet(value, 'unresolved') ?? null);
  if (!isDict(open)) return undefined;
  const text = (key: string): string => String(settled(dictGet(open, key) ?? ''));
  const missing = settled(dictGet(open, 'missing') ?? null);
  const names = typeof missing === 'object' && missing?.kind === 'list' ? missing.items : [];
  return {
    uncertain: uncertainOf(
      text('question'),
      text('helper'),
      names.map((one) => String(settled(one))),
    ),
  };
}
