/**
 * Finds the JSON that a model meant among what it wrote around it: thinking, tags, fences, prose.
 * One scanner reads whole texts and arriving ones, so both give the same (R1 of the parser).
 *
 * - F1 What stands inside `<think>`, and before a `</think>` that nothing opened, is not looked at.
 * - F2 While a list is wanted, one is *taken* as soon as its first element is whole, if that is an
 *   object and the list stands where a final answer stands: after the thinking, in an answer, or in
 *   a fence or at the start after a short introduction. What is taken stays taken: a later list
 *   that claims to be final makes the text ambiguous, an error.
 * - F3 Everything else is decided at the end, with all candidates known.
 * - F4 What stands within a value that cannot be read is a part of it, and no answer by itself.
 * - F5 A bracket in prose that turns out to be none costs a second look at what follows it; the
 *   looks are bounded by the length of the text.
 */
import { type JsonArray, type JsonNode, member } from '../json-node.ts';
import type { ReadError, Repair } from './codes.ts';
import { JsonParser } from './parser.ts';
import type { Source } from './source.ts';
import * as C from './source.ts';

export type Want = 'array' | 'object' | 'any';

/** A value that was read, and where it stood. */
export interface Candidate {
  readonly node: JsonNode;
  readonly repairs: readonly Repair[];
  /** Elements of the list that the value is, or wraps under a well-known key. */
  readonly list: readonly JsonNode[] | undefined;
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

/** A longer text before a list may be thinking whose opening tag never arrived. */
const introductionMax = 500;

/** Second looks, in characters, per character of text. */
const looksMax = 4;
const looksFree = 100_000;

const dataLanguages = /^(json[a-z0-9]*|javascript|js|ts|typescript|plan|text|txt)?$/i;

export class Finder {
  readonly candidates: Candidate[] = [];
  /** The list that was taken while the text arrived. */
  taken: JsonParser | undefined;
  takenAs: Candidate | undefined;
  /** Set when a `</think>` after the taken list says that it was only thinking. */
  disowned = false;
  /** Why the most promising bracket could not be read. */
  failure: { error: ReadError; length: number } | undefined;
  /** Where the thinking starts that never ends. */
  thinkingFrom: number | undefined;
  answers = 0;

  readonly #source: Source;
  readonly #want: Want;
  #at = 0;
  #parser: JsonParser | undefined;
  #fence: Fence | undefined;
  #inAnswer = false;
  #thinkClosed = false;
  #introduction = 0;
  #looks = 0;
  /** Brackets still open of a value that could not be read. */
  #unreadable = 0;

  constructor(source: Source, want: Want) {
    this.#source = source;
    this.#want = want;
  }

  /** Whether some thinking has ended: an answer was to follow. */
  get thought(): boolean {
    return this.#thinkClosed;
  }

  /** Looks at all text that has arrived. */
  run(): void {
    for (;;) {
      const paused = this.#parser ? this.#inside(this.#parser) : this.#outside();
      if (!paused) continue;
      this.#release();
      return;
    }
  }

  /** Looks again from an offset: what was thought to be thinking is not. */
  lookFrom(offset: number): void {
    this.#source.rewind(offset);
    this.#at = offset;
    this.thinkingFrom = undefined;
    this.#thinkClosed = true;
    this.run();
  }

  /** Lets go of text that nobody will look at again. */
  #release(): void {
    const parser = this.#parser;
    const settled = parser && (parser === this.taken || parser.strong);
    this.#source.keep(parser ? (settled ? parser.at : parser.start) : this.#at);
  }

  /** Reads on outside of any value; true when more text must come. */
  #outside(): boolean {
    if (this.thinkingFrom !== undefined) return this.#thinking();
    if (this.#unreadable > 0) return this.#skipUnreadable();
    const next = this.#source.search(/[[{`<]/g, this.#at);
    const end = next < 0 ? this.#source.length : next;
    if (this.#introduction <= introductionMax) {
      this.#introduction += this.#source.slice(this.#at, end).replace(/\s+/g, '').length;
    }
    this.#at = end;
    if (next < 0) return true;
    const code = this.#source.code(next);
    if (code === C.backtick) return this.#backticks();
    if (code === C.less) return this.#tag();
    this.#parser = new JsonParser(this.#source, next);
    return false;
  }

  /** Goes on to the end of a value that could not be read, or to the next fence or tag. */
  #skipUnreadable(): boolean {
    const next = this.#source.search(/[[{\]}`<]/g, this.#at);
    this.#at = next < 0 ? this.#source.length : next;
    if (next < 0) return true;
    const code = this.#source.code(next);
    if (code === C.backtick) return this.#backticks();
    if (code === C.less) return this.#tag();
    this.#unreadable += code === C.bracketOpen || code === C.braceOpen ? 1 : -1;
    this.#at++;
    return false;
  }

  #backticks(): boolean {
    const source = this.#source;
    let end = this.#at;
    while (source.code(end) === C.backtick) end++;
    if (source.code(end) === -1 && !source.ended) return true;
    if (end - this.#at < 3) {
      this.#at = end;
      return false;
    }
    this.#unreadable = 0;
    if (this.#fence) {
      this.#fence.closed = true;
      this.#fence = undefined;
      this.#at = end;
      return false;
    }
    let languageEnd = end;
    while (C.inWord(source.code(languageEnd)) && languageEnd - end < 40) languageEnd++;
    if (source.code(languageEnd) === -1 && !source.ended) return true;
    const language = source.slice(end, languageEnd);
    this.#fence = { start: this.#at, language, closed: false };
    this.#at = languageEnd;
    return false;
  }

  #tag(): boolean {
    const text = this.#source.slice(this.#at, this.#at + C.tagLengthMax);
    const found = C.tagPattern.exec(text);
    if (!found) {
      if (text.length < C.tagLengthMax && !text.includes('>') && !this.#source.ended) return true;
      this.#introduction++;
      this.#at++;
      return false;
    }
    const [tag, slash, think] = found;
    if (think !== undefined && slash === '') this.thinkingFrom = this.#at;
    else if (think !== undefined) this.#endThinking();
    else this.#answer(slash === '');
    this.#fence = undefined;
    this.#unreadable = 0;
    this.#at += tag.length;
    return false;
  }

  #answer(opens: boolean): void {
    this.#inAnswer = opens;
    if (opens) this.answers++;
  }

  /** A `</think>`: whatever came before it was thinking. */
  #endThinking(): void {
    this.candidates.length = 0;
    if (this.takenAs) this.candidates.push(this.takenAs);
    this.failure = undefined;
    if (this.taken) this.disowned = true;
    this.#thinkClosed = true;
  }

  /** Skips thinking up to its closing tag. */
  #thinking(): boolean {
    const source = this.#source;
    for (;;) {
      const next = source.find('</', this.#at);
      if (next < 0) {
        this.#at = Math.max(this.#at, source.length - 1);
        return true;
      }
      const text = source.slice(next, next + C.tagLengthMax);
      this.#at = next;
      if (text.length < C.tagLengthMax && !text.includes('>') && !source.ended) return true;
      const found = C.tagPattern.exec(text);
      this.#at = next + (found ? found[0].length : 2);
      if (found?.[2] === undefined) continue;
      this.thinkingFrom = undefined;
      this.#thinkClosed = true;
      return false;
    }
  }

  /** Reads on inside a value; true when more text must come. */
  #inside(parser: JsonParser): boolean {
    const progress = parser.run();
    if (!this.taken && parser.strong && this.#isFinalPlace()) this.taken = parser;
    if (progress === 'more') return true;
    this.#parser = undefined;
    const cut = progress === 'cut';
    const node =
      cut && (parser.plausible || parser === this.taken) ? parser.salvage() : parser.node;
    if (node) {
      this.#at = cut ? this.#source.length : node.end;
      const candidate: Candidate = {
        node,
        repairs: parser.repairs.all(),
        list: parser.list,
        start: parser.start,
        end: this.#at,
        cut,
        fence: this.#fence,
        answer: this.#inAnswer ? this.answers : 0,
      };
      this.candidates.push(candidate);
      if (parser === this.taken) this.takenAs = candidate;
    } else this.#giveUp(parser, cut ? this.#source.length : parser.at);
    return false;
  }

  #isFinalPlace(): boolean {
    if (this.#want !== 'array') return false;
    if (this.#fence && !dataLanguages.test(this.#fence.language)) return false;
    if (this.#inAnswer || this.#thinkClosed || this.#introduction === 0) return true;
    return this.#fence !== undefined && this.#introduction <= introductionMax;
  }

  /** The bracket was none: goes on behind it, or behind all of it when that would take too long. */
  #giveUp(parser: JsonParser, looked: number): void {
    const length = looked - parser.start;
    if (parser.error && length > (this.failure?.length ?? 0) && parser.plausible) {
      this.failure = { error: parser.error, length };
    }
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
