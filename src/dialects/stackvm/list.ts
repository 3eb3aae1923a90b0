/** Reads a list of instructions, the plan's or a branch's, in the order of their numbers. */
import type { JsonNode, JsonObject } from '../../text/json-node.ts';
import { instructionOf } from './instruction.ts';
import { numberOf } from './numbers.ts';
import type { Instruction } from './plan.ts';
import { gotOf, type Member, membersOf, type Reader } from './reader.ts';
import { error, isHopeless, warn } from './report.ts';

interface Item {
  readonly node: JsonObject;
  readonly keys: ReadonlyMap<string, Member>;
  readonly position: number;
}

/** `under` is the label of what the list belongs to: empty for the plan, `3.true` for a branch. */
export function readList(
  reader: Reader,
  nodes: readonly JsonNode[],
  under: string,
): readonly Instruction[] {
  const items: Item[] = [];
  for (const [position, node] of nodes.entries()) {
    reader.isCut ||= isHopeless(reader);
    if (reader.isCut) break;
    if (node.kind === 'object') items.push({ node, keys: keysOf(reader, node), position });
    else error(reader, 'notAnInstruction', node, `got ${gotOf(node)}, want an instruction`);
  }
  const numbered = items.some(({ keys }) => seqNo(keys) !== undefined);
  const [first] = items;
  if (!numbered && first && !reader.byPosition) {
    reader.byPosition = true;
    warn(
      reader,
      'byPosition',
      first.node,
      'no instruction here has a seq_no; numbered by position',
    );
  }
  const read: Instruction[] = [];
  for (const { node, keys, position } of items) {
    reader.isCut ||= isHopeless(reader);
    if (reader.isCut) break;
    reader.step = under;
    const number = numbered ? readNumber(reader, node, keys) : position;
    const own = number ?? `#${position + 1}`;
    const label = under === '' ? `${own}` : `${under}.${own}`;
    const place = { label, number, position };
    read.push(
      instructionOf(reader, node, keys, place, (branch, name) =>
        readList(reader, instructionsIn(reader, branch), name),
      ),
    );
  }
  return read.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity) || 0);
}

const noKeys: ReadonlyMap<string, Member> = new Map();

const keysOf = (reader: Reader, node: JsonObject): ReadonlyMap<string, Member> =>
  node.members.length === 0 ? noKeys : membersOf(reader, node);

/** The elements of a list; an instruction alone stands for a list of one. */
export function instructionsIn(reader: Reader, node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'array') return node.items;
  warn(reader, 'singleInstruction', node, 'got one instruction, want a list: [ … ]');
  return [node];
}

function readNumber(
  reader: Reader,
  node: JsonObject,
  keys: ReadonlyMap<string, Member>,
): number | undefined {
  const found = seqNo(keys);
  if (found) return numberOf(reader, found, 'seq_no');
  error(reader, 'noNumber', node, 'got no seq_no, want one: other instructions have theirs');
  return undefined;
}

function seqNo(keys: ReadonlyMap<string, Member>): JsonNode | undefined {
  const found = keys.get('seq_no')?.value;
  return found?.kind === 'null' ? undefined : found;
}
