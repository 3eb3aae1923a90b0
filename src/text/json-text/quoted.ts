/**
 * A value whose JSON stands inside a JSON string, as tools and models encode what is encoded
 * already. The value is read from the string's text; its places are those in the text around it.
 */
import type { JsonNode, JsonScalar } from '../json-node.ts';
import type { Repair } from './codes.ts';

/** Where a string stands: its quotes are at `start` and before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface Quoted {
  /** What the string says. */
  readonly text: string;
  readonly span: Span;
  /** Offset in the text around it of each character, and of the end. */
  readonly offsets: Uint32Array;
}

/** The string there; undefined where it is not written as JSON writes strings. */
export function quotedAt(whole: string, span: Span): Quoted | undefined {
  let text: unknown;
  try {
    text = JSON.parse(whole.slice(span.start, span.end));
  } catch {
    return undefined;
  }
  if (typeof text !== 'string') return undefined;
  const offsets = new Uint32Array(text.length + 1);
  let at = whole.indexOf('"', span.start) + 1;
  for (let i = 0; i < text.length; i++) {
    offsets[i] = at;
    at += whole[at] !== '\\' ? 1 : whole[at + 1] === 'u' ? 6 : 2;
  }
  offsets[text.length] = at;
  return { text, span, offsets };
}

/** The same node with the places of the text around the string. */
export function moved<Node extends JsonNode>(node: Node, quoted: Quoted): Node {
  const place = { ...placeOf(quoted, node.start), end: quoted.offsets[node.end] ?? 0 };
  const again = <Inner extends JsonNode>(inner: Inner): Inner => moved(inner, quoted);
  if (node.kind === 'array') return { ...node, ...place, items: node.items.map(again) };
  if (node.kind !== 'object') return { ...node, ...place };
  const members = node.members.map(({ key, keyNode, value }) => ({
    key,
    keyNode: again<JsonScalar>(keyNode),
    value: again(value),
  }));
  return { ...node, ...place, members };
}

/** What was mended inside. */
export const movedRepairs = (repairs: readonly Repair[], quoted: Quoted): Repair[] =>
  repairs.map((repair) => ({ ...repair, ...placeOf(quoted, repair.start) }));

/** Such a string stands on one line. */
function placeOf(
  { span, offsets }: Quoted,
  offset: number,
): { start: number; line: number; column: number } {
  const start = offsets[offset] ?? 0;
  return { start, line: span.line, column: span.column + start - span.start };
}
