/** What is set and returned: a value and nothing else, or the line is for a model as a whole. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

test.each([
  ...['Set $n to 3 if they do not', 'Set $n to 3 when they agree', 'Set $n to 3 until they agree'],
  ...['Set $n to 3 otherwise', 'Set $n to 3 instead', 'Set $n to 3, but only on Sundays'],
  ...['Set $n to 3 for each guest', 'Set $n to 3 after the call', 'Let $n be 3 if they do not'],
  ...['Set $n to 3 (or 4 on Sundays)', 'Set $n to 3 - or 4 on Sundays', '$n = 3 // or 4'],
  ...['Set $n to the price, unless they object', 'Set $n to the number of guests if known'],
  ...['Set $n to 3 and tell the user', '$n = $m and tell the user', '$n = the name and save it'],
  ...['Set $n to "a" if they do not', 'Set $n to 3. Never change it.', 'Set $n to 3?'],
  ...['$n = $m > 3 ? 1 : 2', '$x = $y = 3', '$n = F(1), or 3 if that fails'],
  ...[
    '$n += 1 and praise them',
    '$n += 2 points',
    '$n *= 2, praise them',
    '$n -= 1 unless they do',
  ],
  ...['Set $n to the number of guests and order for Ann', '$n = the dish, and order for Ann'],
  ...[
    'Set $n to the price; pay $who',
    'Set $n to the price and tell Ann',
    '$n = the bill. Pay Ben.',
  ],
  ...['Set $n to how many there are, then order bread', 'Return the price and order for Ann'],
  ...['Return $x and save it', 'Return $x?', 'Return $x. Do not add anything.'],
])('%s is open', (line) => {
  expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ['Set $n to 3.', 'EXE $n = 3'],
  ['$n = "a".', 'EXE $n = "a"'],
  ['Set $n to 3 minutes', 'EXE $n = 3 minutes'],
  ['Set $n to 5%', 'EXE $n = 5%'],
  ['Set $n to 2026-12-24', 'EXE $n = 2026-12-24'],
  ['Set $n to $m if $m else 3', 'EXE $n = $m if $m else 3'],
  ['$n = $price times $days', 'EXE $n = $price times $days'],
  ['$n = the name and the date', 'EXE $n = the name and the date'],
  ['$n = name and date of birth', 'EXE $n = name and date of birth'],
  ['$n = the name and order of the guests', 'EXE $n = the name and order of the guests'],
  ['$n = the price and order number', 'EXE $n = the price and order number'],
  ['$n = the note and the gift for Ann', 'EXE $n = the note and the gift for Ann'],
  ['$n = what Ann and Ben want', 'EXE $n = what Ann and Ben want'],
  ['$n = the first name, then the last name', 'EXE $n = the first name, then the last name'],
  ['$n = what they want to eat and drink', 'EXE $n = what they want to eat and drink'],
  ['$n = the best answer, if any', 'EXE $n = the best answer, if any'],
  ['$n = what they say if asked', 'EXE $n = what they say if asked'],
  ['$n += the price of it', 'EXE $n = $n + (the price of it)'],
  ['Return $x or else $y', 'RET $x or else $y'],
  ['Return "a" if $x else "b"', 'RET "a" if $x else "b"'],
  ['Return $x as a list', 'RET $x as a list'],
])('%s is understood', (line, row) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:${row}`]);
});
