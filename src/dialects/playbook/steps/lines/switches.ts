/**
 * Cases of which one is done at most: `When …`, `When …` and `Otherwise`, or whatever stands under
 * `Depending on $kind:`. Each but the first is written as what it is, an `Otherwise when …`.
 */
import { unmarked } from '../../text/marks.ts';
import { straightened } from '../../text/quotes.ts';
import * as words from '../../text/words.ts';

interface Written {
  readonly text: string;
  readonly children?: readonly Written[];
}

/** What the lines under a head are cases of; undefined for any other head. */
export function casesOf(head: string, lines: readonly Written[]): string | undefined {
  const { over, end } = (switchForm.exec(head) ?? matchForm.exec(head))?.groups ?? {};
  const isOne = over !== undefined && (end === ':' || lines.every(isCaseLine));
  return isOne && lines.length > 0 ? over.trim().replace(/^\((.*)\)$/s, '$1') : undefined;
}

const switchForm = new RegExp(
  String.raw`^(?:depending on|according to|based on|switch(?:\s+on)?|selon|suivant)\s*` +
    String.raw`(?<over>[\s(]\S.*?)\s*(?<end>:?)$`,
  'isu',
);

/** Of what a variable is: `Match the colours` asks for something else. */
const matchForm = /^match(?:\s+on)?\s+(?<over>\(?\$[\p{XIDC}.]+\)?)\s*(?<end>:?)$/iu;

/** `over` is what they are cases of, where the line above says so. */
export function withCases<T extends Written>(lines: readonly T[], over?: string): readonly T[] {
  const isAll = over !== undefined && lines.every(isCaseLine);
  const texts = lines.map((line) => bareOf(line, over, isAll));
  const isCase = (text: string): boolean =>
    over === undefined ? /^when\s/i.test(text) : words.conditionWord.test(text);
  return lines.map((line, at) => {
    const text = texts[at] ?? '';
    const isSwitch = over !== undefined || isElse(texts.slice(at).find((one) => !isCase(one)));
    if (isSwitch && isCase(text) && isCase(texts[at - 1] ?? '')) {
      return { ...line, text: `Otherwise ${text[0]?.toLowerCase() ?? ''}${text.slice(1)}` };
    }
    return text === bareOf(line) ? line : { ...line, text };
  });
}

const isElse = (text = ''): boolean =>
  words.otherCases.test(text) || (words.elseWord.test(text) && !words.elseCondition.test(text));

/** `Case "a":` and `"a":` under `Depending on $kind:` are `When $kind is "a":`. */
function bareOf(line: Written, over?: string, isAll = false): string {
  const text = plainText(line);
  if (over === undefined) return text;
  if (words.defaultWord.test(text)) return text.replace(words.defaultWord, 'Otherwise: ');
  const { named, literal, label, rest } = words.caseForm.exec(text)?.groups ?? {};
  const value = named ?? literal ?? (isAll ? label : undefined) ?? valueAlone(line);
  if (value === undefined || isSaid.some((form) => form.test(text))) return text;
  return `When ${isOneOf(value, over)}${rest === undefined ? '' : `: ${rest.trim()}`}`.trim();
}

/** `"a" or 3` are two comparisons; a label in words is one word for what is so. */
function isOneOf(value: string, over: string): string {
  if (/^[<>=!]/.test(value)) return `${over} ${value}`;
  const values = words.bareCase.test(value) ? value.match(/"[^"]*"|-?\d+(?:\.\d+)?/g) : null;
  return (values ?? [value]).map((one) => `${over} is ${one}`).join(' or ');
}

/** `> 3` is a comparison, and no quote of Markdown. */
function plainText({ text }: Written): string {
  const bare = straightened(text.trim());
  return /^>=?\s*\d/.test(bare) ? bare : unmarked(bare);
}

/** A text in quotes alone is said; over lines of its own it is a case. */
function valueAlone(line: Written): string | undefined {
  const text = plainText(line);
  return (line.children ?? []).length > 0 && words.bareCase.test(text) ? text : undefined;
}

/** Whether a line is a case, a condition, or what is left of them; a label is no statement. */
function isCaseLine(line: Written): boolean {
  const text = plainText(line);
  const { label } = words.caseForm.exec(text)?.groups ?? {};
  const isNone = label !== undefined && statements.some((form) => form.test(label));
  const isOther = [...isSaid, words.defaultWord].some((form) => form.test(text));
  return isOther || valueAlone(line) !== undefined || (words.caseForm.test(text) && !isNone);
}

/** What says by itself when it is. */
const isSaid = [words.conditionWord, words.elseWord, words.otherCases];

const statements = [
  words.tellVerb,
  words.askVerb,
  words.returnWord,
  words.waitWord,
  words.loopWord,
];
