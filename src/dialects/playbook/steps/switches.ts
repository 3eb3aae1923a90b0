/**
 * Cases of which one is done at most: `When …`, `When …` and `Otherwise`, or whatever stands under
 * `Depending on $kind:`. Each but the first is written as what it is, an `Otherwise when …`.
 */
import { unmarked } from '../text/marks.ts';
import { straightened } from '../text/quotes.ts';
import {
  caseForm,
  conditionWord,
  defaultWord,
  elseCondition,
  elseWord,
  otherCases,
} from '../text/words.ts';

/** What the lines under a head are cases of; undefined for any other head. */
export function casesOf(head: string): string | undefined {
  return switchForm.exec(head)?.[1]?.trim();
}

const switchForm =
  /^(?:depending on|according to|based on|switch(?:\s+on)?|selon|suivant)\s+(\S.*?)\s*:$/isu;

/** `over` is what they are cases of, where the line above says so. */
export function withCases<T extends { readonly text: string }>(
  lines: readonly T[],
  over?: string,
): readonly T[] {
  const texts = lines.map(({ text }) => bareOf(text, over));
  const isCase = (text: string): boolean =>
    over === undefined ? /^when\s/i.test(text) : conditionWord.test(text);
  return lines.map((line, at) => {
    const text = texts[at] ?? '';
    const isSwitch = over !== undefined || isElse(texts.slice(at).find((one) => !isCase(one)));
    if (isSwitch && isCase(text) && isCase(texts[at - 1] ?? '')) {
      return { ...line, text: `Otherwise ${text[0]?.toLowerCase() ?? ''}${text.slice(1)}` };
    }
    return text === bareOf(line.text) ? line : { ...line, text };
  });
}

const isElse = (text = ''): boolean =>
  otherCases.test(text) || (elseWord.test(text) && !elseCondition.test(text));

/** `Case "a":` and `"a":` under `Depending on $kind:` are `When $kind is "a":`. */
function bareOf(written: string, over?: string): string {
  const text = unmarked(straightened(written.trim()));
  if (over === undefined) return text;
  const [, named, literal, end = ''] = caseForm.exec(text) ?? [];
  const value = named ?? literal;
  if (value !== undefined) return `When ${over} is ${value}${end}`;
  return text.replace(defaultWord, 'Otherwise');
}
