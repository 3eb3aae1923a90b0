/** Waits, notes and questions of which a part was taken for the whole. */
import { expect, test } from 'vitest';
import { mainOf, program, stepsOf } from './written.ts';

const rest = '### Notes\n- N1: Be brief.\n- N2: Be kind.\n# Ann:Human\n';

test.each([
  ...['Wait 5 or 6 minutes', 'Wait 5 to 10 minutes', 'Wait 5 minutes (10 on Sundays)'],
  ...['Wait 5 minutes after F(1)', 'Wait for Ann or 5 minutes', 'Wait for the user or Ann'],
  ...['Wait for the event paid or cancelled', 'Wait for the event paid unless $x is 3'],
  ...['Wait for the user to say $x or $y', 'Check N1 or N2', 'Mind N1 only on Sundays'],
])('%s is open', (line) => {
  expect(stepsOf(`- ${line}`, rest, ['F'])).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ['Wait not longer than 5 minutes', 'YLD for timer within 5 minutes'],
  ['Wait for about 5 minutes', 'YLD for timer 5 minutes'],
  ['Wait 5 minutes for the oven to heat', 'YLD for timer 5 minutes'],
  ['Check N1 for the order', 'CHK N1'],
])('%s is understood', (line, row) => {
  expect(stepsOf(`- ${line}`, rest)).toEqual([`01:${row}`]);
});

test('a note may be minded only if something holds', () => {
  expect(stepsOf('- Check N1 unless $x is 3', rest)).toEqual([
    '01:CND Unless $x is 3',
    '01.01:CHK N1',
  ]);
});

test.each([
  ['Ask the user for $a or $b', [], ['$a', '$b']],
  ['Ask the user for $a, $b or $c', [], ['$a', '$b', '$c']],
  ['Ask the user for $a (or $b)', [], ['$a', '$b']],
  ['Ask the user for one of $a and $b', [], ['$a', '$b']],
  ['Ask the user for $n and either $a or $b', ['$n'], ['$n', '$a', '$b']],
  ['Ask the user for $a but not $b', ['$a'], ['$a']],
  ['Ask the user whether $a or $b is right as $c', ['$c'], ['$c']],
  ['Ask the user to choose between $a and $b', [], []],
  ['Ask the user for $a and the number of $b', ['$a', '$b'], ['$a', '$b']],
])('of several only one may be answered: %s', (line, asks, writes) => {
  const [step] = mainOf(program(`- ${line}`)).steps;
  expect([step?.asks, step?.writes]).toEqual([asks, writes]);
});
