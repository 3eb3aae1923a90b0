/** Lines in words that go back, to where these alone say: `Go back to what you did first`. */
import type { Step } from './compiled.ts';

export const goesBack = ({ isAmbiguous, text }: Pick<Step, 'isAmbiguous' | 'text'>): boolean =>
  isAmbiguous === true && words.test(text);

const words =
  /\b(?:back (?:to|at)|repeat|again|once more|(?:re)?start (?:over|from)|restart|return to)\b/i;
