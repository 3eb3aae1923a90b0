/** Which of the values in a text the model meant, when all of them are known. */
import { type JsonArray, type JsonNode, member } from '../json-node.ts';
import type { Repair } from './codes.ts';
import type { Candidate, Want } from './finder.ts';
import type { Source } from './source.ts';

export interface Choice {
  readonly node: JsonNode;
  readonly start: number;
  readonly end: number;
  readonly candidate: Candidate;
  readonly repairs: readonly Repair[];
}

/** A list of objects. */
export const isProgramLike = (node: JsonNode): boolean =>
  node.kind === 'array' && node.items[0]?.kind === 'object';

/** The best candidate; of equal ones the first. */
export function choose(
  source: Source,
  candidates: readonly Candidate[],
  want: Want,
): Choice | undefined {
  const lastAnswer = candidates.reduce((last, one) => Math.max(last, one.answer), 0);
  const row = want === 'array' ? joined(source, candidates) : undefined;
  let best: Choice | undefined;
  let bestScore = -1;
  const offer = (choice: Choice): void => {
    const score = scoreOf(choice, want, lastAnswer);
    if (score <= bestScore) return;
    best = choice;
    bestScore = score;
  };
  for (const one of candidates) offer(want === 'array' ? asList(source, one) : plain(one));
  if (row) offer(row);
  return best;
}

function scoreOf({ node, candidate, repairs }: Choice, want: Want, lastAnswer: number): number {
  const fits = want === 'any' || node.kind === want;
  const answer = candidate.answer > 0 ? (candidate.answer === lastAnswer ? 2 : 1) : 0;
  const fence = candidate.fence ? (/^json/i.test(candidate.fence.language) ? 2 : 1) : 0;
  const empty = sizeOf(node) === 0;
  const rank = [fits, answer > 0, isProgramLike(node) || node.kind === 'object', !empty].map(
    Number,
  );
  return [...rank, answer, fence, Number(!candidate.cut), Number(repairs.length === 0)].reduce(
    (sum, x) => sum * 3 + x,
    0,
  );
}

const sizeOf = (node: JsonNode): number =>
  node.kind === 'array' ? node.items.length : node.kind === 'object' ? node.members.length : 1;

const plain = (candidate: Candidate): Choice => ({
  node: candidate.node,
  start: candidate.start,
  end: candidate.end,
  candidate,
  repairs: candidate.repairs,
});

/** The candidate, or the list that it wraps. */
export function asList(source: Source, candidate: Candidate): Choice {
  const choice = plain(candidate);
  const { node } = candidate;
  if (node.kind !== 'object') return choice;
  const inner = findList(node, candidate.list, 0);
  if (!inner) return choice;
  const repair: Repair = {
    code: 'PV1024',
    message: `got an object around the list, want the list; took the value of "${inner.key}"`,
    ...source.place(node.start),
    start: node.start,
  };
  return { ...choice, node: inner.list, repairs: [repair, ...choice.repairs] };
}

const wrappers: ReadonlySet<string> = new Set([
  'response',
  'result',
  'data',
  'output',
  'answer',
  'final_answer',
  'json',
  'value',
  'arguments',
  'input',
  'function',
  'plan',
  'program',
  'workflow',
]);

/** The list the parser met under a known key, the only list of objects, or one in a wrapper. */
function findList(
  node: JsonNode,
  known: readonly JsonNode[] | undefined,
  depth: number,
): { key: string; list: JsonArray } | undefined {
  if (node.kind !== 'object' || depth > 2) return undefined;
  const lists = node.members.flatMap(({ key, value }) =>
    value.kind === 'array' ? [{ key, list: value }] : [],
  );
  const met = lists.find(({ list }) => list.items === known);
  if (met) return met;
  // An object with a type is an instruction: a list in it is its own.
  if (member(node, 'type')) return undefined;
  const ofObjects = lists.filter(({ list }) => isProgramLike(list));
  if (ofObjects.length === 1) return ofObjects[0];
  for (const { key, value } of node.members) {
    const inner = wrappers.has(key.toLowerCase()) ? findList(value, known, depth + 1) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** Objects one after the other, as a list whose brackets were forgotten. */
function joined(source: Source, candidates: readonly Candidate[]): Choice | undefined {
  const from = candidates.findIndex((one, i) => follows(source, one, candidates[i + 1]));
  const first = candidates[from];
  if (!first) return undefined;
  let to = from;
  while (follows(source, candidates[to], candidates[to + 1])) to++;
  const members = candidates.slice(from, to + 1);
  const last = members.at(-1) ?? first;
  const { line, column } = first.node;
  const node: JsonArray = {
    kind: 'array',
    items: members.filter((one) => !one.cut).map((one) => one.node),
    line,
    column,
    start: first.start,
    end: last.end,
  };
  const repairs: Repair[] = [
    {
      code: 'PV1027',
      message: `got ${members.length} objects one after the other, want a list: [ … ]`,
      line,
      column,
      start: first.start,
    },
    ...members.flatMap((one) => one.repairs),
  ];
  return { node, start: first.start, end: last.end, candidate: first, repairs };
}

function follows(source: Source, one: Candidate | undefined, next: Candidate | undefined): boolean {
  if (one?.node.kind !== 'object' || next?.node.kind !== 'object') return false;
  return /^[\s,]*$/.test(source.whole().slice(one.end, next.start));
}
