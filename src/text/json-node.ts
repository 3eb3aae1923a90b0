/** JSON as it stands in a text: values with places, so that a diagnostic can point at them. */

export type JsonNode = JsonScalar | JsonArray | JsonObject;

/** `line` and `column` count from 1, in UTF-16 units; `start` and `end` are offsets in the text. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

export interface JsonScalar extends Place {
  readonly kind: 'null' | 'bool' | 'int' | 'float' | 'string';
  /** int: safe `number` or `bigint`; float: `number`. */
  readonly value: null | boolean | number | bigint | string;
}

export interface JsonArray extends Place {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

export interface JsonObject extends Place {
  readonly kind: 'object';
  /** In the order of the text; a repeated key appears twice. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  /** Where the key stands. */
  readonly keyNode: JsonScalar;
  readonly value: JsonNode;
}

/** The value of a JSON string; undefined for anything else. */
export const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? String(node.value) : undefined;

export const isScalar = (node: JsonNode | undefined): node is JsonScalar =>
  node !== undefined && node.kind !== 'array' && node.kind !== 'object';

/** The value of a key (the last one, as JSON.parse has it); undefined when absent. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/** The value of a key as it is written, or else in another case. */
export function memberLike(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  const plain = key.toLowerCase();
  return (
    member(node, key) ??
    node.members.findLast((candidate) => candidate.key.toLowerCase() === plain)?.value
  );
}
