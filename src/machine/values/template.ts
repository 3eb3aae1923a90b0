/** Texts with values in them: the one rule by which values become text (design, "Values"). */
import { wordsOf } from '../../program/retrieved-text.ts';
import type { Value } from '../../program/value.ts';
import { joinText } from './flat-text.ts';
import { asData, fits, need } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';

/** Joins the texts of values. */
export function template(parts: readonly Value[], around: Surroundings): string {
  let text = '';
  for (const part of parts) {
    text = joinText(text, asData(need(part), around, wordsOf));
    fits(text.length, around.valueBytes);
  }
  return text;
}
