/** How often a piece of code comes to an instruction, by the ways that lead through it. */
import { opcodeAt, operandOf } from '../program/opcodes.ts';
import type { Chunk } from '../program/program.ts';

export interface Visits {
  /** 1 where every way to the end leads there. */
  readonly min: number;
  /** 1, or undefined where a way leads back: nobody knows before it runs. */
  readonly max: 1 | undefined;
}

/** Beyond this much work only what is safe to say is said. */
const workMost = 2_000_000;

export function visitsIn(chunk: Chunk, addresses: readonly number[]): Visits[] {
  const exits = chunk.code.map((word, at) => exitsOf(word, at));
  const isCheap = exits.length * addresses.length <= workMost;
  if (!isCheap) return addresses.map(() => ({ min: 0, max: undefined }));
  return addresses.map((at) => ({
    min: reachesEnd(exits, at) ? 0 : 1,
    max: reaches(exits, exits[at] ?? [], at) ? undefined : 1,
  }));
}

/** Where control goes on; `end` for an end that is no failure. */
type Exit = number | 'end';

function exitsOf(word: number, at: number): readonly Exit[] {
  const row = opcodeAt(word);
  switch (row?.name) {
    case undefined:
    case 'FAIL':
      return [];
    case 'RETURN':
    case 'MORE':
      return ['end'];
    case 'JMP':
      return [operandOf(word)];
    default:
      return row?.operand === 'address' ? [at + 1, operandOf(word)] : [at + 1];
  }
}

/** Whether a way leads from the start to an end past an address. */
function reachesEnd(exits: readonly (readonly Exit[])[], past: number): boolean {
  return past !== 0 && walk(exits, [0], past, 'end');
}

const reaches = (exits: readonly (readonly Exit[])[], from: readonly Exit[], to: number): boolean =>
  walk(exits, from, undefined, to);

function walk(
  exits: readonly (readonly Exit[])[],
  from: readonly Exit[],
  past: number | undefined,
  to: Exit,
): boolean {
  const seen = new Set<Exit>();
  const queue = [...from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (at === to) return true;
    if (at === past || at === 'end' || seen.has(at)) continue;
    seen.add(at);
    queue.push(...(exits[at] ?? []));
  }
  return false;
}
