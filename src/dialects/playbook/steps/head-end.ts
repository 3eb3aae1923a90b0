/** Where the head of a condition or a loop ends in one line, and what is done begins. */
import type { StepCode } from '../compiled/compiled.ts';
import type { Place } from '../source/tree.ts';
import { indexOutside, isInside } from '../text/brackets.ts';
import * as words from '../text/words.ts';
import type { Context } from './hoisting.ts';
import { explicit } from './statements.ts';
import { titled } from './titled.ts';

interface Cut {
  readonly head: string;
  readonly rest: string;
}

/** `If $x is empty, say so`; undefined where nothing says it. */
export function headEnd(
  text: string,
  code: StepCode,
  place: Place,
  context: Context,
): Cut | undefined {
  const [word = ''] = words.elseCondition.exec(text) ?? words.elseWord.exec(text) ?? [];
  if (code === 'ELS' && !words.elseCondition.test(text)) {
    const rest = text.slice(word.length).replace(/^[\s,:]+/, '');
    return rest === '' ? undefined : { head: word, rest };
  }
  const isAction = ({ rest }: Cut): boolean => explicit(rest, place, context) !== undefined;
  const isPlain = (cut: Cut): boolean =>
    words.wholeHead.test(cut.head) || (words.sayingHead.test(cut.head) && isAction(cut));
  const [marks, commas] = [marksIn(text), commasIn(text)];
  const isTitle = ({ rest }: Cut): boolean => titled(rest, place, context) !== undefined;
  const sure =
    [...marks, ...commas].find(isTitle) ?? marks.find((cut) => !cut.isDo || isPlain(cut));
  if (sure) return sure;
  return (
    [...commas.slice(0, commasMax), ...marks].find(isAction) ??
    commas[0] ??
    unmarkedEnd(text) ??
    marks[0]
  );
}

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
    if (rest === '' || /^(?:or|and|nor|ou|et)\b/i.test(rest)) continue;
    if (cuts.length > 0 && /,\s*(?:(?:and|or|but)\s+)?if\b[^,]*$/i.test(head)) break;
    cuts.push({ head, rest });
  }
  return cuts;
}

/** Commas of a condition behind which its statement is looked for. */
const commasMax = 8;

/** `If $x > 3 say "big"`: behind a comparison that is whole only its statement can follow. */
function unmarkedEnd(text: string): Cut | undefined {
  const { 0: head = '', index = 0 } = words.wholeComparison.exec(text) ?? {};
  if (head === '' || isInside(text, index + head.length)) return undefined;
  return { head, rest: text.slice(head.length).trim() };
}
