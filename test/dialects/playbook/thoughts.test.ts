/** Lines that are for the model itself: nobody hears them. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

test.each([
  'Think about the answer',
  'Ask yourself whether $x is complete',
  'Demande-toi pourquoi',
])('%s is thought', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:TNK ${line}`]);
});
