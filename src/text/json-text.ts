/**
 * Reads the JSON that models write: with what they put around it, and with the slips they make,
 * each of them reported with its place. Nothing is guessed silently and nothing is evaluated.
 */
import { limitDefaults } from '../program/limit-defaults.ts';
import { utf8Bytes } from '../program/size.ts';
import type { Value } from '../program/value.ts';
import * as V from '../program/value.ts';
import type { JsonNode } from './json-node.ts';
import type { Code, ReadError, Repair } from './json-text/codes.ts';
import {
  asList,
  type Candidate,
  type Choice,
  choose,
  Finder,
  isProgramLike,
  type Want,
} from './json-text/finder.ts';
import { JsonParser } from './json-text/parser.ts';
import { answerTags, Source, skipSpace, thinkTags } from './json-text/source.ts';
import { blanked } from './thoughts.ts';

export {
  codes,
  dropsPart,
  endlessThinking,
  type ReadError,
  type Repair,
  secondList,
  truncated,
} from './json-text/codes.ts';
export type { Want } from './json-text/finder.ts';
export { thinkTags } from './json-text/source.ts';

/** The value that was found, and the text around it. */
export interface ReadText {
  /** Absent exactly when there is an error. */
  readonly node?: JsonNode;
  /** What was mended, in the order of the text. */
  readonly repairs: readonly Repair[];
  readonly error?: ReadError;
  /** The text around the value, with its tags and fences. */
  readonly before: string;
  readonly after: string;
}

/** One of the values of a text. */
export interface ReadNode {
  readonly node: JsonNode;
  readonly repairs: readonly Repair[];
}

export interface ReadOptions {
  /** UTF-8 bytes that are read; more is an error. Default: the limit on program texts. */
  readonly bytesMax?: number;
}

/** Lists beside the chosen one that are named one by one. */
const othersMax = 5;

/**
 * Finds and reads the value a model wrote: behind thinking, in `<answer>` tags, fences or prose. Of
 * several values one in the last answer goes before one in a `json` fence before any other; `want`
 * prefers a kind, and takes a list out of an object that wraps it. A value of another kind is
 * returned where there is none of the wanted one.
 *
 * A text cut short gives its whole elements (or members) and a repair `PV1010`.
 */
export function readModelJson(
  text: string,
  want: Want = 'any',
  { bytesMax }: ReadOptions = {},
): ReadText {
  const most = bytesMax ?? limitDefaults.sourceBytes;
  // Three bytes a unit are the most there can be.
  if (text.length * 3 > most && utf8Bytes(text) > most) {
    const message = `got a text of more than ${most} bytes, want at most that`;
    return refused(text, { code: 'PV1002', message, line: 1, column: 1 });
  }
  const { source, finder } = found(text);
  const { candidates, failure, brokenProgram } = finder;
  const choice = choose(source, candidates, want);
  if (!choice) return refused(text, failure?.error ?? nothingIn(source, finder, want));
  const isPoor = choice.node.kind !== want || (want === 'array' && !isProgramLike(choice.node));
  if (failure && isPoor && want !== 'any') return refused(text, failure.error);
  const isMarked = choice.candidate.answer > 0;
  if (brokenProgram && want === 'array' && !isMarked) return refused(text, brokenProgram);
  const others = want === 'array' ? othersIn(source, candidates, choice) : [];
  const { fence, cut, answer } = choice.candidate;
  const rival = others.find(({ candidate: other }) => other.answer > 0 && other.answer !== answer);
  if (rival && isMarked) {
    const { line } = source.place(rival.start);
    const message = `got a second list, want one; the first starts on line ${line}`;
    const hint = 'keep the list that is meant, and no other';
    return refused(text, { code: 'PV1009', message, ...source.place(choice.start), hint });
  }
  const isOpen = fence && !fence.closed && !cut;
  return {
    node: choice.node,
    repairs: [
      ...(isOpen
        ? [repairAt(source, 'PV1025', 'the fence that opens here is never closed', fence.start)]
        : []),
      ...choice.repairs,
      ...others.slice(0, othersMax).map((other) => {
        const message = `another ${nounOf(other)} stands here; it was not read`;
        return repairAt(source, 'PV1026', message, other.start);
      }),
    ],
    before: text.slice(0, choice.start),
    after: text.slice(choice.end),
  };
}

/** Every list and object in a model's text, in order, outside of its thinking. */
export const readAllJson = (text: string): readonly ReadNode[] => found(text).finder.candidates;

function found(text: string): { readonly source: Source; readonly finder: Finder } {
  const source = new Source(oddMark.test(text) ? blanked(text) : text);
  const finder = new Finder(source);
  finder.run();
  if (finder.thinkingFrom !== undefined && finder.candidates.length === 0) {
    // Thinking that never ends may hold an answer all the same: its end tag was forgotten.
    const last = [...source.text.matchAll(new RegExp(`<(?:${answerTags})\\s*>`, 'gi'))].at(-1);
    if (last && last.index > finder.thinkingFrom) {
      finder.thinkingFrom = undefined;
      finder.run(last.index);
    }
  }
  return { source, finder };
}

/** Marks of thoughts that `Finder` does not know; spaces stand for such thoughts. */
const oddMark = new RegExp(
  '<\\|(?:channel|begin_of_thought)\\|>|assistantfinal|\\[/?(?:think(?:ing)?|reasoning)\\]|◁|' +
    `<(?:${thinkTags})\\s[^<>]{0,200}>`,
  'i',
);

const refused = (text: string, error: ReadError): ReadText => ({
  ...{ error, repairs: [], before: text, after: '' },
});

function nothingIn(source: Source, { thinkingFrom, hasThought }: Finder, want: Want): ReadError {
  const wanted = { array: 'a JSON list', object: 'a JSON object', any: 'a JSON value' }[want];
  if (thinkingFrom !== undefined) {
    const message = `got thinking that never ends, want ${wanted} after it`;
    return { code: 'PV1007', message, ...source.place(thinkingFrom) };
  }
  const isEmpty = source.text.trim() === '';
  const got = isEmpty ? 'an empty text' : hasThought ? 'nothing after the thinking' : 'only prose';
  return { code: 'PV1001', message: `got ${got}, want ${wanted}`, line: 1, column: 1 };
}

/** What else could have been meant: lists of objects, or objects beside a lone one. */
function othersIn(source: Source, candidates: readonly Candidate[], choice: Choice): Choice[] {
  const { kind } = choice.node;
  return candidates
    .filter((one) => one.start < choice.start || one.start >= choice.end)
    .map((one) => asList(source, one))
    .filter((one) => isProgramLike(one.node) || (kind === 'object' && one.node.kind === kind));
}

const repairAt = (source: Source, code: Code, message: string, start: number): Repair => ({
  ...{ code, message, ...source.place(start), start },
});

const nounOf = ({ node }: Choice): string => (node.kind === 'array' ? 'list' : node.kind);

/** Reads a text that is exactly one JSON value, leniently. */
export function readJson(text: string): ReadText {
  const source = new Source(text);
  const parser = new JsonParser(source, skipSpace(source, 0));
  const progress = parser.run();
  const node = progress === 'cut' ? parser.salvage() : parser.node;
  const repairs = parser.repairs.all();
  const around = { before: text.slice(0, parser.start), after: '' };
  if (parser.error) return { error: parser.error, repairs, ...around };
  if (!node) {
    const message =
      progress === 'cut' && text.trim() !== ''
        ? 'the text ends in the middle of a value'
        : 'got an empty text, want a JSON value';
    return { error: { code: 'PV1001', message, ...source.place(parser.at) }, repairs, ...around };
  }
  const rest = parser.rest();
  if (rest === undefined) return { node, repairs: parser.repairs.all(), ...around };
  const message = `got ${rest} after the value, want the end of the text`;
  return { error: { code: 'PV1008', message, ...source.place(parser.at) }, repairs, ...around };
}

/** The guest's value of a node; of a repeated key the last one counts. */
export function valueOfNode(node: JsonNode): V.Value {
  switch (node.kind) {
    case 'array':
      return V.list(node.items.map(valueOfNode));
    case 'object':
      return V.dict(node.members.map(({ key, value }) => [key, valueOfNode(value)]));
    case 'float':
      return V.float(Number(node.value));
    case 'null':
    case 'bool':
    case 'int':
    case 'string':
      return node.value;
  }
}

// JSON to the letter, of texts that are not written by models.

/** The value of a text that is JSON to the letter, ints and floats kept apart; else undefined. */
export function readStrictJson(text: string): Value | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const { node } = readJson(text);
  return node && valueOfNode(node);
}
