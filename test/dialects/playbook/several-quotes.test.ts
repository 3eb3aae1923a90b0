/** Lines with several texts in quotes are understood whole, or left open with all of them. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const lines = (line: string): string[] => stepsOf(`- ${line}`, '', ['F', 'G']);
const quote = (number: string): string => `${number}:QUE Say(user, "b")`;

test.each<[string, string[]]>([
  ['Say "a" and say "b"', ['01:QUE Say(user, "a")', '02:QUE Say(user, "b")']],
  [
    'Say "a", then say "b" and F(1)',
    ['01:QUE Say(user, "a")', '02:QUE Say(user, "b")', '03:QUE F(1)'],
  ],
  [
    'Unless $pin, say "a", say "b"',
    ['01:CND Unless $pin', '01.01:QUE Say(user, "a")', '01.02:QUE Say(user, "b")'],
  ],
  [
    'While $x, say "a", say "b"',
    [
      ...['01:LOP While $x', '01.01:QUE Say(user, "a")', '01.02:QUE Say(user, "b")'],
      '01.03:JMP 01',
    ],
  ],
  [
    'If $x, say "a", else say "b", say "c"',
    [
      ...['01:CND If $x', '01.01:QUE Say(user, "a")', '02:ELS Otherwise'],
      ...['02.01:QUE Say(user, "b")', '02.02:QUE Say(user, "c")'],
    ],
  ],
  ['Say "a", "b" and "c"', ['01:QUE Say(user, Say "a", "b" and "c")']],
  ['Tell the user to say "a" or "b"', ['01:QUE Say(user, Tell the user to say "a" or "b")']],
  [
    'If $pin is "a", "b" or "c", say "y"',
    ['01:CND If $pin is "a", "b" or "c"', '01.01:QUE Say(user, "y")'],
  ],
  ['If $x is 1, F(1, "b", 3)', ['01:CND If $x is 1', '01.01:QUE F(1, "b", 3)']],
])('one after the other: %s', (line, want) => {
  expect(lines(line)).toEqual(want);
});

test.each([
  'If $pin is "a", say "x", "b", say "y"',
  'If $pin is "a", F(1), "b", G(2)',
  'If $pin is 1, F(1), 2, G(2)',
  'If $pin is "a", return 1, "b", return 2',
  'If $pin is "a": say "x", "b": say "y"',
  'If $pin is "a" → say "x", "b" → say "y"',
  'If $pin is "a", ask the user for $x, "b", ask the user for $y',
  'If $pin is "a" say "x", "b" say "y"',
  'If $pin is "a" F(1), "b" G(2)',
  'If $pin is "a", say "x"; if "b", say "y"',
  'If $x say "a" else say "b", say "c"',
  'If $x is true: F(1), false: G(1)',
  'If $x is 1, F(1). If $x is 2, G(1). Otherwise, say "c".',
  'If $x > 0 and $x < 5, say "few"; if $x >= 5, say "many"; otherwise say "none"',
])('what may be a case of its own stays open: %s', (line) => {
  expect(lines(line)).toEqual([`01:EXE? ${line}`]);
});

test('behind a condition that leaves, and behind others, it is plain', () => {
  expect(lines('If $x, return 1. If $y, F(1). Otherwise, G(1).')).toEqual([
    ...['01:CND If $x', '01.01:RET 1', '02:CND If $y', '02.01:QUE F(1)'],
    ...['03:ELS Otherwise', '03.01:QUE G(1)'],
  ]);
  expect(lines('If $x, F(1). Else if $y, F(2). Otherwise, G(1).').slice(2)).toEqual([
    ...['02:ELS Otherwise if $y', '02.01:QUE F(2)', '03:ELS Otherwise', '03.01:QUE G(1)'],
  ]);
});

test('another case of a line has one of its own', () => {
  expect(stepsOf('- If $x\n  - F(1)\n- Else, if $y, say "a", else say "b"', '', ['F'])).toEqual([
    ...['01:CND If $x', '01.01:QUE F(1)', '02:ELS Else if $y', '02.01:QUE Say(user, "a")'],
    ...['03:ELS Otherwise', '03.01:QUE Say(user, "b")'],
  ]);
});

test.each([
  'Say "a" if you can, or "b"',
  'Say "a" if possible, or else "b"',
  'Say "a" or "b"',
  'Say either "a" or "b"',
  'Say one of "a", "b", "c"',
  'Tell the user "a" or "b"',
])('which of them is said, somebody has to choose: %s', (line) => {
  expect(lines(line)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  'Say "{$x}" for every item $x of $list',
  'Say "{$x}" for each item in $list',
  'Say "Hi {$x}" to each guest $x in $list',
  'Tell the price to each $x in $list',
])('a loop in one line is no text: %s', (line) => {
  expect(lines(line)).toEqual([`01:EXE? ${line}`]);
});

test.each<[string, string[]]>([
  [
    'Tell the user the price and say "b"',
    ['01:QUE Say(user, Tell the user the price)', quote('02')],
  ],
  [
    'Announce the result, then reply with "b".',
    ['01:QUE Say(user, Announce the result)', quote('02')],
  ],
  [
    'Say "b" and tell the user the price',
    [quote('01'), '02:QUE Say(user, tell the user the price)'],
  ],
  [
    'If $x, tell the user the price and say "b", else say "c"',
    [
      ...['01:CND If $x', '01.01:QUE Say(user, tell the user the price)', quote('01.02')],
      ...['02:ELS Otherwise', '02.01:QUE Say(user, "c")'],
    ],
  ],
])('what is told in words, and what in quotes: %s', (line, want) => {
  expect(lines(line)).toEqual(want);
});

test.each([
  'Tell the user to go home and say "b"',
  'Tell the user that we are closed and say "b"',
  'Greet the user and say "b"',
  'Say hello and say "b"',
  'Tell the user the price and say "b" or "c"',
])('who is told or greeted may be so with what is in quotes: %s', (line) => {
  expect(lines(line)).toEqual([`01:QUE Say(user, ${line})`]);
});
