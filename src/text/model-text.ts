/**
 * What models answer to small questions: yes or no, an object with certain keys. The machine's
 * built-ins and the model effect read answers by these same functions.
 */
import {
  isScalar,
  type JsonNode,
  type JsonObject,
  type JsonScalar,
  memberLike,
  stringOf,
} from './json-node.ts';
import { answerTags } from './json-text/source.ts';
import {
  type ReadError,
  type ReadNode,
  type Repair,
  readAllJson,
  readJson,
  readModelJson,
} from './json-text.ts';
import { literalsIn, spokenText } from './thoughts.ts';

/** How large a value may be has been looked at before it is read. */
const options = { bytesMax: Infinity };

export interface Verdict {
  readonly result: boolean;
  readonly explanation?: string;
}

/**
 * A yes or no: an object with a boolean `result` or `answer` (as text, or as 1 or 0, too) anywhere
 * in the text, the last one where there are several; or the word itself, with or without a reason
 * behind it. Keys may be in any case, words in the language of the goal.
 * Undefined for anything else.
 */
export function readVerdict(text: string): Verdict | undefined {
  const answer = answerOf(text);
  return verdictIn(readAllJson(text)) ?? spoken(answer) ?? keyed(answer);
}

/** The boolean after its key, where a quote in the explanation makes the JSON unreadable. */
function keyed(answer: string): Verdict | undefined {
  const word = [...answer.matchAll(/["'](?:result|answer)["']\s*:\s*(true|false)\b/gi)].at(-1)?.[1];
  return word === undefined ? undefined : { result: word.toLowerCase() === 'true' };
}

/** A boolean as models write one: itself, 1 or 0, or the word; undefined for anything else. */
export function readTruth(value: JsonScalar['value']): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? spoken(value)?.result : undefined;
}

function verdictIn(nodes: readonly ReadNode[]): Verdict | undefined {
  for (const { node } of nodes.toReversed()) {
    const inner = node.kind === 'array' && node.items.length === 1 ? node.items[0] : node;
    const result = verdictKeys
      .map((key) => memberLike(inner, key))
      .map((given) => (isScalar(given) ? readTruth(given.value) : undefined))
      .find((truth) => truth !== undefined);
    if (result === undefined) continue;
    const explanation = stringOf(memberLike(inner, 'explanation'));
    return { result, ...(explanation !== undefined && { explanation }) };
  }
  return undefined;
}

/** What a verdict stands under: as it was asked for, or as models call it. */
export const verdictKeys: readonly string[] = ['result', 'answer'];

/** How languages say yes and no, true and false. */
const truthWords: Readonly<Record<string, { readonly yes: string; readonly no: string }>> = {
  en: { yes: 'true yes', no: 'false no' },
  de: { yes: 'ja wahr richtig', no: 'nein falsch' },
  fr: { yes: 'oui vrai', no: 'non faux' },
  es: { yes: 'sí si verdadero cierto', no: 'no falso' },
  it: { yes: 'sì si vero', no: 'no falso' },
  pt: { yes: 'sim verdadeiro', no: 'não nao falso' },
  nl: { yes: 'ja waar', no: 'nee neen onwaar' },
  pl: { yes: 'tak prawda', no: 'nie fałsz' },
  sv: { yes: 'ja sant', no: 'nej falskt' },
  ru: { yes: 'да', no: 'нет' },
  zh: { yes: '是', no: '否' },
  ja: { yes: 'はい', no: 'いいえ' },
};

const wordsFor = (side: 'yes' | 'no'): readonly string[] => [
  ...new Set(Object.values(truthWords).flatMap((words) => words[side].split(' '))),
];
const yesWords: ReadonlySet<string> = new Set([...wordsFor('yes'), '1']);
const allWords = [...wordsFor('yes'), ...wordsFor('no')].toSorted((a, b) => b.length - a.length);
const truthWord = `(${allWords.join('|')}|1(?!\\W*\\d)|0(?!\\W*\\d))`;
/** Words that a reason behind a plain yes or no begins with. */
const reasonWords =
  '(?:because|since|as|weil|da|denn|car|parce|porque|perché|pois|omdat|want)(?!\\p{L})';
/**
 * The word alone, or first with a reason behind it: `No, because …`, but not `No doubt …`. A figure
 * with another behind it is a list, or a number: `1, 2`, `1.5`.
 */
const wordFirst = new RegExp(
  `^${truthWord}(?:[.!。]*$|\\s*[,.;:!(\n\u2013\u2014，。、]|\\s+(?=-|${reasonWords}))`,
  'iu',
);
const label = new RegExp(
  '^(?:(?:the|my) )?(?:final )?(?:answer|result)(?: is)?\\s*[:=]?\\s*|' +
    '^(?:(?:die|la|o|a|het|il|el) )?(?:antwort|réponse|respuesta|risposta|resposta|antwoord|' +
    'ergebnis|résultat|resultado|risultato|resultaat)\\s*[:=]\\s*',
  'iu',
);

function spoken(answer: string): Verdict | undefined {
  const words = answer
    .normalize('NFC')
    .replace(/```[a-z]*\n?|[*_`"'“”«»„]/gi, '')
    .trim();
  const plain = words.replace(label, '');
  const found = wordFirst.exec(plain);
  const said = found?.[1]?.toLowerCase();
  if (!found || said === undefined) return undefined;
  const result = yesWords.has(said);
  const explanation = plain.slice(found[0].length).trim();
  return explanation === '' ? { result } : { result, explanation };
}

const answerTag = new RegExp(`<(/?)(?:${answerTags})\\s*>`, 'gi');

/** What a model says outside of its thinking: its last answer where it marks one, else all. */
export function answerOf(text: string): string {
  const said = spokenText(text);
  const tags = [...said.matchAll(answerTag)];
  if (tags.length === 0) return said.trim();
  const literal = literalsIn(said);
  let open: number | undefined;
  let last: string | undefined;
  for (const { index: at, 0: tag, 1: slash } of tags) {
    if (literal(at)) continue;
    if (slash === '') open ??= at + tag.length;
    else if (open !== undefined) {
      last = said.slice(open, at);
      open = undefined;
    }
  }
  if (open !== undefined) last = said.slice(open);
  return (last ?? said).trim();
}

export interface ReadObject {
  /** Absent exactly when there is an error. */
  readonly node?: JsonObject;
  readonly repairs: readonly Repair[];
  readonly error?: ReadError;
}

/**
 * The object a model wrote, with whatever around it. Of several objects, one that has all of `keys`
 * goes before the others; a list of one object counts as that object.
 */
export function readObject(text: string, keys: readonly string[] = []): ReadObject {
  const { node, repairs, error } = readModelJson(text, 'object', options);
  if (error) {
    const inner = quotedText(text);
    return inner === undefined ? { repairs, error } : readObject(inner, keys);
  }
  const first = asObject(node);
  if (first && has(first, keys)) return { node: first, repairs };
  for (const other of readAllJson(text).toReversed()) {
    const better = asObject(other.node);
    if (better && has(better, keys)) return { node: better, repairs: other.repairs };
  }
  if (first) return { node: first, repairs };
  const { line = 1, column = 1, kind } = node ?? {};
  const message = `got ${kind === 'array' ? 'a list' : kind}, want an object`;
  return { repairs, error: { code: 'PV1004', message, line, column } };
}

/** What a text says that is itself one JSON string: some tools encode what is encoded already. */
function quotedText(text: string): string | undefined {
  if (!text.trimStart().startsWith('"')) return undefined;
  return stringOf(readJson(text).node);
}

function asObject(node: JsonNode | undefined): JsonObject | undefined {
  const inner = node?.kind === 'array' && node.items.length === 1 ? node.items[0] : node;
  return inner?.kind === 'object' ? inner : undefined;
}

const has = (node: JsonObject, keys: readonly string[]): boolean =>
  keys.every((key) => memberLike(node, key) !== undefined);
