/**
 * Whether an answer is right, by two rules. `published` is the one that published results were made
 * with, so that figures can be held against them. It has known faults: a label that is negative or
 * zero is never met, nor is one by a number with a unit or with separators, and a `yes` has to
 * stand alone. `corrected` fixes those, and is not more lenient in any other way.
 */
import type { Label } from './dataset.ts';
import { floatOf, onlyNumberIn } from './numbers.ts';
import { makes24, readExpression } from './twenty-four.ts';

export interface Score {
  readonly published: boolean;
  readonly corrected: boolean;
}

export function score(answer: string, label: Label): Score {
  if (label.kind === 'twenty-four') {
    return {
      published: isPublished24(answer, label.numbers),
      corrected: isCorrected24(answer, label.numbers),
    };
  }
  return { published: isPublished(answer, label.text), corrected: isCorrected(answer, label.text) };
}

function isPublished(answer: string, label: string): boolean {
  const wanted = floatOf(label);
  if (wanted === undefined) return bare(answer) === bare(label);
  const got = floatOf(answer);
  // Word for word, so that it rounds alike and fails alike on what is negative.
  return got !== undefined && wanted * 0.9 < got && got < wanted * 1.1;
}

const punctuation = /[!-/:-@[-`{-~]/g;

/** Lower case, without ASCII punctuation and articles. */
const bare = (text: string): string =>
  withoutArticles(text.toLowerCase().replaceAll(punctuation, ''));

const withoutArticles = (text: string): string =>
  text
    .replaceAll(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .trim()
    .split(/\s+/)
    .join(' ');

function isCorrected(answer: string, label: string): boolean {
  const wanted = floatOf(label) ?? floatOf(label.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, ''));
  if (wanted !== undefined && Number.isFinite(wanted)) return isNear(onlyNumberIn(answer), wanted);
  const decided = decisionIn(label, true);
  if (decided !== undefined) return decisionIn(answer, false) === decided;
  return plain(answer) === plain(label);
}

const isNear = (got: number | undefined, wanted: number): boolean =>
  got !== undefined && (got === wanted || Math.abs(got - wanted) < Math.abs(wanted) * 0.1);

/** What a text says to a question for yes or no, with its first word; `alone`: and nothing else. */
function decisionIn(text: string, alone: boolean): boolean | undefined {
  const words = plain(text).split(' ');
  if (alone && words.length > 1) return undefined;
  const [first = ''] = words;
  if (['yes', 'true'].includes(first)) return true;
  return ['no', 'false'].includes(first) ? false : undefined;
}

/** The same as `bare` in any script: without accents, and without any punctuation. */
const plain = (text: string): string =>
  withoutArticles(
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}\p{P}\p{S}]/gu, ''),
  );

/** The last line up to the equals sign. */
function isPublished24(answer: string, numbers: readonly number[]): boolean {
  const last = answer.trim().split('\n').at(-1) ?? '';
  const [text = ''] = last.toLowerCase().replace('answer: ', '').split('=');
  const expression = readExpression(text);
  return expression !== undefined && makes24(expression, numbers);
}

/** The last expression that there is, in whatever signs it is written. */
function isCorrected24(answer: string, numbers: readonly number[]): boolean {
  const usual = answer
    .replaceAll(/[×·∗]|\\times|\\cdot/g, '*')
    .replaceAll(/[÷∕]/g, '/')
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/[[{]/g, '(')
    .replaceAll(/[\]}]/g, ')');
  const parts = usual.split(/[\n=:$`"]/).map((part) => part.trim().replace(/\.$/, ''));
  const expressions = parts.map(readExpression).filter((one) => (one?.numbers.length ?? 0) > 1);
  const last = expressions.at(-1);
  return last !== undefined && makes24(last, numbers);
}
