/**
 * A value whose JSON stands inside a JSON string, as tools and models encode what is encoded
 * already. The value is read from the string's text; its places are those in the text around it.
 */
import type { JsonArray, JsonNode, JsonScalar } from '../json-node.ts';
import type { Repair } from './codes.ts';
import type { Source } from './source.ts';

export interface Quoted {
  /** What the string says. */
  readonly text: string;
  /** Offset in the text around it of each character, and of the end. */
  readonly offsets: Uint32Array;
}

/** The string between two offsets; undefined where it is not written as JSON writes strings. */
export function quotedAt(whole: string, start: number, end: number): Quoted | undefined {
  let text: unknown;
  try {
    text = JSON.parse(whole.slice(start, end));
  } catch {
    return undefined;
  }
  if (typeof text !== 'string') return undefined;
  const offsets = new Uint32Array(text.length + 1);
  let at = start + 1;
  for (let i = 0; i < text.length; i++) {
    offsets[i] = at;
    at += whole[at] !== '\\' ? 1 : whole[at + 1] === 'u' ? 6 : 2;
  }
  offsets[text.length] = at;
  return { text, offsets };
}

/** The same node with the places of the text around the string. */
export function moved<Node extends JsonNode>(node: Node, quoted: Quoted, source: Source): Node {
  const { offsets } = quoted;
  const start = offsets[node.start] ?? 0;
  const end = offsets[node.end] ?? start;
  const place = { ...source.place(start), start, end };
  const again = <Inner extends JsonNode>(inner: Inner): Inner => moved(inner, quoted, source);
  if (node.kind === 'array') return { ...node, ...place, items: node.items.map(again) };
  if (node.kind !== 'object') return { ...node, ...place };
  const members = node.members.map(({ key, keyNode, value }) => ({
    key,
    keyNode: again<JsonScalar>(keyNode),
    value: again(value),
  }));
  return { ...node, ...place, members };
}

/** What was mended inside, behind the word that it stood in a string. */
export function movedRepairs(
  repairs: readonly Repair[],
  list: JsonArray,
  { offsets }: Quoted,
  source: Source,
): Repair[] {
  const { line, column, start } = list;
  return [
    {
      code: 'PV1030',
      message: 'got a text that holds the list, want the list',
      line,
      column,
      start,
    },
    ...repairs.map((repair) => {
      const start = offsets[repair.start] ?? 0;
      return { ...repair, ...source.place(start), start };
    }),
  ];
}
