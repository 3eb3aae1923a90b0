/** Heads of loops in words: what their items are called, and what they go over. */
import { namePattern } from '../../../program/name.ts';
import { numberIn, numbers } from './numbers.ts';
import { anyCase, doWords } from './words.ts';

export interface LoopHead {
  /** The variables that have the item, as written. */
  readonly items: readonly string[];
  /** Undefined where words say it in another way. */
  readonly over?: LoopOver;
  /** Words before its variable may leave some out, `each valid $x`: those a model alone knows. */
  readonly isPart?: true;
}

export type LoopOver =
  /** A list as it is written down, or the variable that has it; perhaps but for its rounds. */
  | { readonly kind: 'list'; readonly written: string; readonly isIndex?: true }
  | Numbers
  /** Nothing but rounds; `isMost`: or fewer of them. */
  | { readonly kind: 'times'; readonly count: Bound; readonly isMost: boolean };

/** One after the other, both ends with them; `isOpen`: without the last one. */
export interface Numbers {
  readonly kind: 'numbers';
  readonly first: Bound;
  readonly last: Bound;
  /** 1 where nothing is said. */
  readonly step?: number;
  readonly isOpen?: true;
}

/** A number, or the variable that has it, as written. */
export type Bound = number | string;

export function loopHead(text: string): LoopHead {
  const { kind = '', items = '', sign = '', rest = '' } = eachForm.exec(text)?.groups ?? {};
  const over = items === '' ? timesIn(text) : overIn(rest.replace(manner, '').trim(), sign);
  const names = items === '' ? [] : items.split(/\s*,\s*|\s+and\s+/i);
  const isPart = over !== undefined && !isOfAll(kind, [...names, rest]);
  return { items: names, ...(over && { over }), ...(isPart && { isPart }) };
}

/** Whether words say what the items are, `each bike $bike`, and not which: `each free $bike`. */
function isOfAll(kind: string, names: readonly string[]): boolean {
  const named = plainWords(names.join(' ').replace(/["'][^"']*["']/g, ''));
  const isNamed = (word: string): boolean =>
    word.length > 2 && named.some((name) => name.startsWith(word) || isShort(name, word));
  return plainWords(kind).every((word) => thing.test(word) || isNamed(word));
}

/** `$cust` for a customer. */
const isShort = (name: string, word: string): boolean => name.length > 2 && word.startsWith(name);

/** The words of a text and of its names, `free_bikes`, without accents. */
const plainWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

const thing = new RegExp(
  '^(?:the|and|every|single|items?|elements?|entry|entries|things?|objects?|members?|numbers?|' +
    'integers?|indexe?s?|values?|names?|words?|texts?|strings?|lines?|rows?|records?|keys?|' +
    'characters?|letters?|days?|months?|years?|hours?|dates?|places?|city|cities|country|' +
    'countries|persons?|people|users?|guests?|customers?|clients?|orders?|products?|books?|' +
    'files?|pages?|messages?|questions?|answers?|tasks?|tickets?|topics?|results?|options?|' +
    'nombres?|noms?|mots?|jours?)$',
);

const variable = String.raw`\$?${namePattern}`;

/** `for each $x in …`, `for every bike in $bikes`, `For each $name, $price of …`, `for $i = …`. */
const eachForm = new RegExp(
  String.raw`^(?:for(?:\s*(?:each|every|all|any)\b)?|pour(?:\s+(?:chaque|tou(?:te)?s?)\b)?)` +
    // What kind of thing it is may stand before its variable: `each free bike $bike`.
    String.raw`(?<kind>(?:\s+\p{L}+){1,2}(?=\s+\(?\$))??\s+\(?(?!(?:each|every|all|any)\b)` +
    String.raw`(?<items>${variable}(?:\s*,\s*${variable})*|` +
    String.raw`\$${namePattern}\s+and\s+\$${namePattern})` +
    String.raw`\)?\s*(?<sign>(?<=\s)(?:in|of|from|between|dans|de|parmi)(?!\p{XIDC})|:?=(?!=))` +
    String.raw`(?<rest>[\s\S]*)$`,
  'iu',
);

/** Words for going through a list as every list is gone through. */
const manner = new RegExp(
  String.raw`(?:\s*[(,]?\s*(?<!\p{XIDC})(?:` +
    String.raw`do(?:\s+(?:this|so|the following|these)(?:\s+steps)?)?|` +
    'in order|in turn|sequentially|one (?:by one|at a time|after (?:the other|another)))' +
    String.raw`\s*\)?)*\s*[:.,]?\s*$`,
  'iu',
);

const bound = String.raw`-?\d{1,9}|\$${namePattern}|${numbers.join('|')}`;

const listForm = new RegExp(
  String.raw`^(?:the\s+)?(?:(?:list|array)\s+(?:of\s+)?)?(\[[^[\]{}]*\]|${variable})$`,
  'iu',
);

const spanForm = new RegExp(
  String.raw`^(?:the\s+)?(?:(?:numbers|integers)\s+)?(?:from\s+|between\s+)?(${bound})` +
    String.raw`\s*(?:(?<=\s)(down\s+to|to|through|up to|and|à)\s|\.\.\.?|[-–—])\s*(${bound})` +
    String.raw`(?:,?\s+(?:by|(?:in\s+)?steps?(?:\s+of)?)\s+(-?\d{1,9}))?$`,
  'iu',
);

const rangeForm = new RegExp(
  String.raw`^range\(\s*(?:(${bound})\s*,\s*)??(${bound})\s*(?:,\s*(-?\d{1,9})\s*)?\)$`,
  'iu',
);

/** `range(len($all))`, `enumerate($all)`: as many rounds as there are items. */
const indexForm = new RegExp(
  String.raw`^(?:range\(\s*(?:0\s*,\s*)?len\(\s*(${variable})\s*\)\s*\)|` +
    String.raw`enumerate\(\s*(${variable})\s*(?:,[^()]*)?\))$`,
  'u',
);

function overIn(text: string, sign: string): LoopOver | undefined {
  const [, counted, numbered = counted] = indexForm.exec(text) ?? [];
  if (numbered !== undefined) return { kind: 'list', written: numbered, isIndex: true };
  const [, from = '0', end, by] = rangeForm.exec(text) ?? [];
  if (end !== undefined) return numbersIn(from, end, Number(by ?? 1), true);
  const [, first, word = 'to', last, steps] = spanForm.exec(text) ?? [];
  if (first !== undefined && last !== undefined) {
    const isBetween = /^between$/i.test(sign) || /^between\s/i.test(text);
    if (isBetween !== (word.toLowerCase() === 'and')) return undefined;
    const isDown = /^down/i.test(word) || Number(first) > Number(last);
    const by = Number(steps ?? 1);
    return numbersIn(first, last, isDown ? -Math.abs(by) : by);
  }
  const [, written] = /^(?:between|:?=)$/i.test(sign) ? [] : (listForm.exec(text) ?? []);
  return written === undefined ? undefined : { kind: 'list', written };
}

function numbersIn(from: string, to: string, step: number, isOpen?: true): Numbers | undefined {
  const [first, last] = [boundIn(from), boundIn(to)];
  if (step === 0) return undefined;
  return {
    ...{ kind: 'numbers', first, last },
    ...(step !== 1 && { step }),
    ...(isOpen && { isOpen }),
  };
}

const boundIn = (text: string): Bound => (text.startsWith('$') ? text : (numberIn(text) ?? text));

const most = "up to|at most|no more than|not more than|a maximum of|max\\.?|jusqu'à|au plus";
const rounds = '(?:times?|rounds?|iterations?|passes|attempts?|tries|turns|fois)';
const counted = String.raw`(?:(${bound})\s+${rounds}|(\d{1,9})\s*[x×]|(twice|thrice))(?!\p{XIDC})`;

/** `Do the following 3 times`, `For each of 3 rounds`, `Try again up to 3 times`. */
const timesForm = new RegExp(
  String.raw`^(?:(?:${doWords}|try(?:\s+again)?|retry|for(?:\s+(?:each|every|all)\s+of)?)\s+)?` +
    String.raw`(?:the\s+)?(?:next\s+)?(?:(${most})\s+|exactly\s+|a total of\s+)?${counted}` +
    String.raw`\s*(?<rest>[\s\S]*)$`,
  'iu',
);

/** Behind another head: `While $x is empty (up to 3 times)`. */
const mostForm = new RegExp(String.raw`[\s(,](?:${most})\s+${counted}\s*\)?\s*[:.]?$`, 'iu');

/** What may stand behind a number of rounds, which may then be fewer. */
const earlier =
  /^[(,]?\s*(?:or\s+)?(?:until|while|unless|as long as|or less|or fewer|at (?:the )?most|max)/i;

/** Of these there are no more once one has come off. */
const attempts = /^(?:re)?try\b|\b(?:attempts?|tries)\b/i;

function timesIn(text: string): LoopOver | undefined {
  const [, isMost, ...found] = timesForm.exec(text) ?? [];
  const [times, crosses, word, rest = ''] = found;
  const count = times ?? crosses ?? word;
  if (count !== undefined) {
    const behind = rest.replace(/[\s:.,]+$/, '');
    if (behind !== '' && !earlier.test(behind)) return undefined;
    const isOver = isMost !== undefined || behind !== '' || attempts.test(text);
    return { kind: 'times', count: boundIn(count), isMost: isOver };
  }
  const [, ...atMost] = loopWords.test(text) ? (mostForm.exec(text) ?? []) : [];
  const last = atMost.find((one) => one !== undefined);
  return last === undefined ? undefined : { kind: 'times', count: boundIn(last), isMost: true };
}

const loopWords = anyCase('^(?:while|until|as long as|repeat|loop|keep|do|tant que|répète)(?=\\b)');

/** Whether a line says how often what stands under it is done, and nothing else. */
export const isCounted = (text: string): boolean =>
  timesForm.test(text) && timesIn(text) !== undefined;

/**
 * A head that stands over a block, as `For each …` where its words say no more than that: `Go
 * through every $x in $list`, `Do this for each $x in $list`, `foreach ($list as $x)`.
 */
export function asForEach(text: string): string {
  const bare = text.replace(doForEach, '');
  if (bare !== text) return bare.replace(/^f/i, 'F');
  const { list, item } = asForm.exec(text)?.groups ?? {};
  if (list !== undefined) return `For each ${item} in ${list}`;
  const each = text.replace(throughForm, 'For ').replace(/^For (?=\$)/, 'For each ');
  if (each !== text && loopHead(each).over?.kind === 'list') return each;
  const numbers = text.replace(/^count\s+(?=\$)/i, 'For ');
  return loopHead(numbers).over?.kind === 'numbers' ? numbers : text;
}

const doForEach = anyCase(`^${doWords}\\s+(?=for\\s+(?:each|every)\\b)`);

const through = '(?:go|work|walk|step|run|cycle|loop|iterate|move)\\s+(?:through|over|along)';

const throughForm = anyCase(
  `^(?:${through}\\s+(?=(?:each|every)\\b|\\$)|` +
    '(?:process|handle|consider|take|visit|check|with)\\s+(?=(?:each|every)\\b))',
);

const asForm = new RegExp(
  String.raw`^(?:${through}|for\s*each)\s+\(?(?:the\s+)?(?:list\s+)?` +
    String.raw`(?<list>\$${namePattern}|\[[^[\]{}]*\])\s+as\s+(?<item>${variable})\)?\s*[:.]?$`,
  'iu',
);
