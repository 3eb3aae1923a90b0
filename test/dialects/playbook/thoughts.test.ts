/** Lines that are for the model itself: nobody hears them. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

test.each([
  'Think about the answer',
  'Ask yourself whether $x is complete',
  'Demande-toi pourquoi',
  'Think about what F(1) gave',
  'Think about whether to call F(1)',
  'Think about what happens before F(1)',
  'Think before you answer',
])('%s is thought', (line) => {
  expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:TNK ${line}`]);
});

test.each([
  ['Think before F(1)', 'Think'],
  ['Think twice before calling F(1).', 'Think twice'],
  ['Think about the order before you call F(1)', 'Think about the order'],
  ['Think about it, then F(1)', 'Think about it'],
  ['Ask yourself whether $x is right and F(1)', 'Ask yourself whether $x is right'],
])('%s is thought, and called', (line, thought) => {
  expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:TNK ${thought}`, '02:QUE F(1)']);
});

test.each([
  ...['Think after F(1)', 'Think step by step: F(1)', 'Think about it while F(1)'],
  ...['Think before saying "a"', 'Think, then answer'],
])('%s does more than to think', (line) => {
  expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:EXE? ${line}`]);
});
