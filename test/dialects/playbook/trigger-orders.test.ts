/** What is more and what is less is computed of numbers: of days and dates in words nobody can. */
import { expect, test } from 'vitest';
import { triggerOf } from '../../../src/dialects/playbook/steps/triggers/trigger.ts';

const conditionOf = (text: string): string | undefined =>
  triggerOf({ text, place: { line: 1, column: 1 }, children: [] }, 0).condition;

test.each([
  ['When $n > 3', 'n != None and n > 3'],
  ['When $n is at least 3', 'n != None and n >= 3'],
  ['When len($all) > $n', 'all != None and n != None and (len(all) > n)'],
  ['When $n + 1 < 3', 'n != None and (n + 1 < 3)'],
  // Two texts cannot be computed so, which is said when they come.
  ['When $n < $most', 'n != None and most != None and 0 + n < 0 + most'],
  ['When $n exceeds $most', 'n != None and most != None and 0 + n > 0 + most'],
  ['When $day == "Monday"', 'day == "Monday"'],
  ['When $day is $due', 'day == due'],
])('%s', (text, condition) => {
  expect(conditionOf(text)).toBe(condition);
});

test.each([
  'When $day < "Monday"',
  'When $day is less than "Monday"',
  'When $date > "2024-05-03"',
  'When $date is after 3 May 2024',
  'When not ($date < $due)',
  'When "a" <= $name',
  'When $name.lower() > "m"',
  'When $n > 3 and $day < "Monday"',
])('a model judges %s', (text) => {
  expect(conditionOf(text)).toBe(undefined);
});
