/** Lines in words that go back, to where these alone say: `Go back to what you did first`. */
import { backWords } from '../text/words.ts';
import type { Step } from './compiled.ts';

export const goesBack = ({ isAmbiguous, text }: Pick<Step, 'isAmbiguous' | 'text'>): boolean =>
  isAmbiguous === true && backWords.test(text);
