/** Lists and objects that are being read: what may come next in each, and what it is called. */
import type { JsonArray, JsonMember, JsonNode, JsonObject, JsonScalar } from '../json-node.ts';
import type { Source } from './source.ts';

export interface OpenArray {
  readonly kind: 'array';
  readonly start: number;
  readonly items: JsonNode[];
  /** `item` after a comma, `comma` after an item, `gap` where a comma is missing. */
  expect: 'first' | 'item' | 'comma' | 'gap';
  /** Where its last comma stands. */
  commaAt: number;
}

export interface OpenObject {
  readonly kind: 'object';
  readonly start: number;
  readonly members: JsonMember[];
  expect: 'first' | 'key' | 'colon' | 'value' | 'comma' | 'gap';
  commaAt: number;
  key: JsonScalar | undefined;
  /** Whether that key stands in quotes. */
  quoted: boolean;
}

export type Open = OpenArray | OpenObject;

export const openArray = (start: number): OpenArray => ({
  kind: 'array',
  start,
  items: [],
  expect: 'first',
  commaAt: start,
});

export const openObject = (start: number): OpenObject => ({
  kind: 'object',
  start,
  members: [],
  expect: 'first',
  commaAt: start,
  key: undefined,
  quoted: false,
});

/** The node of a bracket that ends at `end`. It shares the array of its parts. */
export function nodeOf(source: Source, open: Open, end: number): JsonArray | JsonObject {
  const place = { ...source.place(open.start), start: open.start, end };
  return open.kind === 'array'
    ? { kind: 'array', items: open.items, ...place }
    : { kind: 'object', members: open.members, ...place };
}

/** What could stand here, for *got X, want Y*. */
export function wanted(open: Open): string {
  switch (open.expect) {
    case 'first':
    case 'item':
    case 'gap':
      return open.kind === 'array' ? 'a value or ]' : 'a key in double quotes or }';
    case 'key':
      return 'a key in double quotes or }';
    case 'comma':
      return open.kind === 'array' ? 'a comma or ]' : 'a comma or }';
    case 'colon':
      return `a colon after the key ${shown(open)}`;
    case 'value':
      return `a value for the key ${shown(open)}`;
  }
}

/** Says where the text ended, for a value whose brackets are not all closed. */
export function cutMessage(open: Open | undefined, isDropped: boolean, isInText: boolean): string {
  const isList = open?.kind === 'array';
  if (!isDropped && open?.expect !== 'value' && open?.expect !== 'colon') {
    return `the text ends before the ${isList ? 'list' : 'object'} here is closed`;
  }
  const count = (isList ? open.items : open?.members)?.length ?? 0;
  const part = `${isList ? 'element' : 'member'} ${count + 1}`;
  const where = isInText ? 'a string that starts here' : part;
  return `the text ends in the middle of ${where}; ${part} was dropped`;
}

/** Keys of a wrapping object under which models put the list that was asked for. */
export const listKeys: ReadonlySet<string> = new Set([
  'plan',
  'steps',
  'instructions',
  'program',
  'tasks',
  'actions',
]);

/** Whether a list that begins within these brackets may be the program. */
export function mayBeProgram(open: readonly Open[]): boolean {
  const [root] = open;
  if (!root) return true;
  const key = root.kind === 'object' ? root.key?.value : undefined;
  return open.length === 1 && listKeys.has(String(key).toLowerCase());
}

function shown(open: Open): string {
  const key = open.kind === 'object' ? String(open.key?.value ?? '') : '';
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}
