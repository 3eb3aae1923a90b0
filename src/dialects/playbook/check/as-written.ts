/** Texts of steps in the words of their lines: with the calls that come before them there. */
import type { Step } from '../compiled/compiled.ts';
import { isSamePlace } from '../source/tree.ts';
import { assignmentIn } from '../text/variables.ts';

/** `F(refund_1)` is `F(Refund(1))` again. */
export function asWritten(
  text: string,
  { place }: Pick<Step, 'place'>,
  steps: readonly Step[],
): string {
  const own = steps.filter((one) => one.call?.into !== undefined && isSamePlace(one.place, place));
  // What was made last may be made of what came before it.
  return own.toReversed().reduce((shown, one) => {
    const { target = '', value = '' } = assignmentIn(one.text) ?? {};
    if (!/^\p{XIDC}+_\d+$/u.test(target)) return shown;
    const name = new RegExp(`(?<![\\p{XIDC}.$])${target}(?!\\p{XIDC})`, 'gu');
    return shown.replace(name, () => value);
  }, text);
}
