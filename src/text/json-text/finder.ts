/**
 * Finds the JSON that a model meant among what it wrote around it: thinking, tags, fences, prose.
 *
 * - F0 What stands inside `<think>`, and before a `</think>` that nothing opened, is not looked at.
 * - F1 What stands within a value that cannot be read is a part of it, and no answer by itself.
 * - F2 A bracket in prose that turns out to be none costs a second look at what follows it; the
 *   looks are bounded by the length of the text.
 * - F3 Which value is meant is decided at the end, with all candidates known.
 */
import { type JsonArray, type JsonNode, member } from '../json-node.ts';
import { listKeys } from './brackets.ts';
import type { ReadError, Repair } from './codes.ts';
import { JsonParser } from './parser.ts';
import type { Source } from './source.ts';
import * as C from './source.ts';

export type Want = 'array' | 'object' | 'any';

/** A value that was read, and where it stood. */
export interface Candidate {
  readonly node: JsonNode;
  readonly repairs: readonly Repair[];
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
  readonly fence: Fence | undefined;
  /** Which answer it stands in, counted from 1; 0 for none. */
  readonly answer: number;
}

export interface Fence {
  readonly start: number;
  readonly language: string;
  closed: boolean;
}

/** Second looks, in characters, per character of text. */
const looksMax = 4;
const looksFree = 100_000;

const closingThink = new RegExp(`</(?:${C.thinkTags})\\s*>`, 'gi');

export class Finder {
  readonly candidates: Candidate[] = [];
  /** Why the most promising bracket could not be read. */
  failure: { error: ReadError; length: number } | undefined;
  /** Why a list of objects could not be read: another list may not stand in for it. */
  brokenProgram: ReadError | undefined;
  /** Where the thinking starts that never ends. */
  thinkingFrom: number | undefined;
  /** Whether some thinking has ended: an answer was to follow. */
  hasThought = false;

  readonly #source: Source;
  #at = 0;
  #fence: Fence | undefined;
  #answers = 0;
  #inAnswer = false;
  #looks = 0;
  /** Brackets still open of a value that could not be read. */
  #unreadable = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Looks at all of the text from an offset on. */
  run(from = 0): void {
    this.#at = from;
    const { text } = this.#source;
    const sign = /[[{\]}`<]/g;
    for (;;) {
      sign.lastIndex = this.#at;
      const next = sign.exec(text)?.index;
      if (next === undefined) return;
      this.#at = next;
      const code = this.#source.code(next);
      const opens = code === C.bracketOpen || code === C.braceOpen;
      if (code === C.backtick) this.#backticks();
      else if (code === C.less) this.#tag();
      else if (opens && this.#unreadable === 0) this.#value();
      else {
        // Goes on to the end of a value that could not be read.
        this.#unreadable = Math.max(0, this.#unreadable + (opens ? 1 : -1));
        this.#at++;
      }
    }
  }

  #backticks(): void {
    const start = this.#at;
    while (this.#source.code(this.#at) === C.backtick) this.#at++;
    if (this.#at - start < 3) return;
    this.#unreadable = 0;
    if (this.#fence) {
      this.#fence.closed = true;
      this.#fence = undefined;
      return;
    }
    const from = this.#at;
    while (C.inWord(this.#source.code(this.#at)) && this.#at - from < 40) this.#at++;
    const language = this.#source.text.slice(from, this.#at);
    this.#fence = { start, language, closed: false };
  }

  #tag(): void {
    C.tagPattern.lastIndex = this.#at;
    const [tag = '<', slash, think] = C.tagPattern.exec(this.#source.text) ?? [];
    const start = this.#at;
    this.#at += tag.length;
    if (slash === undefined) return;
    this.#fence = undefined;
    this.#unreadable = 0;
    if (think === undefined) {
      this.#inAnswer = slash === '';
      if (this.#inAnswer) this.#answers++;
    } else if (slash === '') this.#thinking(start);
    else {
      // Whatever came before it was thinking.
      this.candidates.length = 0;
      this.failure = undefined;
      this.brokenProgram = undefined;
      this.hasThought = true;
    }
  }

  /** Skips thinking up to its closing tag. */
  #thinking(start: number): void {
    closingThink.lastIndex = this.#at;
    const isClosed = closingThink.test(this.#source.text);
    this.#at = isClosed ? closingThink.lastIndex : this.#source.text.length;
    this.hasThought ||= isClosed;
    this.thinkingFrom = isClosed ? undefined : start;
  }

  #value(): void {
    const parser = new JsonParser(this.#source, this.#at);
    const isCut = parser.run() === 'cut';
    const node = isCut && parser.plausible ? parser.salvage() : parser.node;
    if (!node) {
      this.#giveUp(parser, isCut ? this.#source.text.length : parser.at);
      return;
    }
    this.#at = isCut ? this.#source.text.length : node.end;
    this.candidates.push({
      node,
      repairs: parser.repairs.all(),
      start: parser.start,
      end: this.#at,
      cut: isCut,
      fence: this.#fence,
      answer: this.#inAnswer ? this.#answers : 0,
    });
  }

  /** The bracket was none: goes on behind it, or behind all of it when that would take too long. */
  #giveUp(parser: JsonParser, looked: number): void {
    const length = looked - parser.start;
    if (parser.error && length > (this.failure?.length ?? 0) && parser.plausible) {
      this.failure = { error: parser.error, length };
    }
    if (parser.isProgram) this.brokenProgram ??= parser.error;
    this.#looks += length;
    const skips = parser.plausible || this.#looks > looksMax * looked + looksFree;
    this.#at = skips ? Math.max(looked, parser.start + 1) : parser.start + 1;
    if (parser.plausible) this.#unreadable = parser.openBrackets;
  }
}

// Which of the values in a text the model meant, when all of them are known.

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
  const inner = findList(node, 0);
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

/** The list under a well-known key, the only list of objects, or one in a wrapper. */
function findList(node: JsonNode, depth: number): { key: string; list: JsonArray } | undefined {
  if (node.kind !== 'object' || depth > 2) return undefined;
  const lists = node.members.flatMap(({ key, value }) =>
    value.kind === 'array' ? [{ key, list: value }] : [],
  );
  const named = depth === 0 ? lists.filter(({ key }) => listKeys.has(key.toLowerCase())) : [];
  const likely = named.find(({ list }) => isProgramLike(list)) ?? named.at(-1);
  if (likely) return likely;
  // An object with a type is an instruction: a list in it is its own.
  if (member(node, 'type')) return undefined;
  const ofObjects = lists.filter(({ list }) => isProgramLike(list));
  if (ofObjects.length === 1) return ofObjects[0];
  for (const { key, value } of node.members) {
    const inner = wrappers.has(key.toLowerCase()) ? findList(value, depth + 1) : undefined;
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
  return /^[\s,]*$/.test(source.text.slice(one.end, next.start));
}
