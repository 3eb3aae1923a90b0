/** Which lines are conditions and loops, and where their heads end and what is done begins. */
import type { StepCode } from '../../compiled/compiled.ts';
import type { Place } from '../../source/tree.ts';
import { isBareHead } from '../../text/bare-heads.ts';
import { bracketEnd, indexOutside, isInside } from '../../text/brackets.ts';
import { isCounted, loopHead } from '../../text/loop-heads.ts';
import { isCaseAlone } from '../../text/several-quotes.ts';
import { isVerbPhrase } from '../../text/verb-phrases.ts';
import * as words from '../../text/words.ts';
import { type Context, tentative } from '../calls/hoisting.ts';
import { explicit, isCondition } from '../statements/statements.ts';
import { titled } from '../statements/titled.ts';

export function controlCode(text: string, hasBlock: boolean): StepCode | undefined {
  const isElse = /^if not[\s:,.]*$/i.test(text) || words.otherCases.test(text);
  if (words.elseWord.test(text) || (hasBlock && isElse)) return 'ELS';
  const isLoopWord = words.loopWord.test(text) && !words.repeatFrom.test(text);
  if (isLoopWord || isLoop(text, hasBlock)) return 'LOP';
  return words.conditionWord.test(text) ? 'CND' : undefined;
}

/** `For $x in …` has to say what it goes over, where no block is under it. */
function isLoop(text: string, hasBlock: boolean): boolean {
  if (hasBlock && (words.blockLoopWord.test(text) || isCounted(text))) return true;
  const head = hasBlock ? text : text.slice(0, indexOutside(`${text},`, ',:'));
  const { items, over } = loopHead(head);
  if (!hasBlock && isCounted(head)) return text[head.length] === ':';
  // `For guests in Berlin, …` is none.
  return items.length > 0 && (hasBlock || (over !== undefined && /[$[\d]/.test(head)));
}

export interface Cut {
  readonly head: string;
  readonly rest: string;
}

/** `If $x is empty, say so`; undefined where nothing says it. */
export function headEnd(
  text: string,
  code: StepCode,
  place: Place,
  real: Context,
): Cut | undefined {
  const context = tentative(real);
  const [word = ''] = words.elseCondition.exec(text) ?? words.elseWord.exec(text) ?? [];
  if (code === 'ELS' && !words.elseCondition.test(text)) {
    const rest = text.slice(word.length).replace(/^(?:[\s,:→⇒]|[=-]>)+/, '');
    return word === '' || rest === '' ? undefined : { head: word, rest };
  }
  const isAction = ({ rest }: Cut): boolean => explicit(rest, place, context) !== undefined;
  const isPlain = (cut: Cut): boolean =>
    words.wholeHead.test(cut.head) || (words.sayingHead.test(cut.head) && isAction(cut));
  // What is done in front of another statement is no part of the head.
  const isHead = ({ head }: Cut): boolean =>
    isCondition(head, place, context) && !commasIn(head).some(isOverDeed);
  const [marks, commas] = [marksIn(text).filter(isHead), commasIn(text).filter(isHead)];
  const isTitle = ({ rest }: Cut): boolean => titled(rest, place, context) !== undefined;
  const sure =
    commas.find((cut) => isOverHead(cut, false)) ??
    [...marks, ...commas].find(isTitle) ??
    marks.find((cut) => !cut.isDo || isPlain(cut));
  if (sure) return sure;
  return (
    [...commas.slice(0, commasMax), ...marks].find(isAction) ??
    bracketedEnd(text, isAction) ??
    commas[0] ??
    unmarkedEnd(text) ??
    marks[0]
  );
}

/** Where a head ends and another one begins over the same lines: `If $x, for each $y in $all:`. */
export const headOver = (text: string, place: Place, context: Context): Cut | undefined =>
  commasIn(text).find(
    (cut) => isOverHead(cut, true) && isCondition(cut.head, place, tentative(context)),
  );

/**
 * Whether a head ends there for sure, and what stands behind it is another one: not how long the
 * first one goes on, `For each $x in $list, until one is free`.
 */
function isOverHead({ head, rest }: Cut, hasBlock: boolean): boolean {
  if (isCaseAlone(rest)) return false;
  const [outer, inner] = [controlCode(head, true), controlCode(rest, hasBlock)];
  if (outer === 'LOP' && words.goingOn.test(rest)) return false;
  const isEach = inner === 'LOP' && loopHead(rest).items.length > 0;
  const isOfCall = loopHead(head).items.length > 0 && head.endsWith(')');
  return isEach || ((inner === 'LOP' || inner === 'CND') && (isOfCall || isBareHead(head)));
}

/** Whether a head ends there for sure, and something is done behind it. */
const isOverDeed = ({ head, rest }: Cut): boolean => isBareHead(head) && isVerbPhrase(rest);

/** Words and marks that set the statement off; of `If you do not know $x` the `do` does not. */
function marksIn(text: string): (Cut & { readonly isDo: boolean })[] {
  return [...text.matchAll(words.thenMark)].flatMap(({ 0: mark, 1: word, index }) => {
    const [head, rest] = [text.slice(0, index), text.slice(index + mark.length)];
    if (rest === '' || isInside(text, index)) return [];
    const isDo = word?.toLowerCase() === 'do';
    return word !== undefined && words.bareHead.test(head) ? [] : [{ head, rest, isDo }];
  });
}

/** At commas that may be such marks, as far as the first behind which another condition begins. */
function commasIn(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (let at = indexOutside(text, ','); at >= 0; at = indexOutside(text, ',', at + 1)) {
    const [head, rest] = [text.slice(0, at), text.slice(at + 1).trim()];
    if (rest === '' || /^(?:or|and|nor|ou|et)\b/i.test(rest) || words.elseWord.test(rest)) continue;
    if (cuts.length > 0 && /,\s*(?:(?:and|or|but)\s+)?if\b[^,]*$/i.test(head)) break;
    cuts.push({ head, rest });
  }
  return cuts;
}

/** Commas of a condition behind which its statement is looked for. */
const commasMax = 8;

/** `If $x > 3 (say "big")`: in brackets may be a remark, too. */
function bracketedEnd(text: string, isAction: (cut: Cut) => boolean): Cut | undefined {
  const bare = text.replace(/[.!]$/, '');
  const at = [...bare.matchAll(/(?<=\s)\(/g)]
    .map(({ index }) => index)
    .find((index) => bracketEnd(bare, index) === bare.length - 1);
  if (at === undefined) return undefined;
  const cut = { head: bare.slice(0, at).trim(), rest: bare.slice(at + 1, -1).trim() };
  return isAction(cut) ? cut : undefined;
}

/** `If $x > 3 say "big"`: behind a comparison that is whole only its statement can follow. */
function unmarkedEnd(text: string): Cut | undefined {
  const { 0: head = '', index = 0 } = words.wholeComparison.exec(text) ?? {};
  if (head === '' || isInside(text, index + head.length)) return undefined;
  return { head, rest: text.slice(head.length).trim() };
}
