/** Lines without a mark behind items: of a text that goes on, of a block, or by themselves. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const lines = (text: string): string[] => stepsOf(text, '', ['F']);

test('what stands further in below a condition or a loop is under it', () => {
  expect(lines('- If $x:\n  Say "a"\n  Return 0\n- Otherwise:\n  Tell the user the price')).toEqual(
    [
      ...['01:CND If $x', '01.01:QUE Say(user, "a")', '01.02:RET 0', '02:ELS Otherwise'],
      '02.01:QUE Say(user, Tell the user the price)',
    ],
  );
  expect(lines('- For each $x in $l:\n  F($x)\n  - Say "b"\n- Return 1')).toEqual([
    ...['01:LOP For each $x in $l', '01.01:QUE F($x)', '01.02:QUE Say(user, "b")'],
    ...['01.03:JMP 01', '02:RET 1'],
  ]);
});

test('a statement behind a statement is a line by itself', () => {
  expect(lines('- Say "bye"\n  Return 1')).toEqual(['01:QUE Say(user, "bye")', '02:RET 1']);
  expect(lines('- F(1)\n  $y = F(2)\n  Ask the user for $n')).toEqual([
    ...['01:QUE F(1)', '02:QUE $y = F(2)', '03:QUE Say(user, Ask the user for $n)'],
    '04:YLD for user',
  ]);
  expect(lines('- $y = 1\n  - F(2)\n    Return 3').slice(-1)).toEqual(['01.02:RET 3']);
});

test('so is one that stands less far in, among the items that do', () => {
  expect(lines('- Say "bye"\nReturn 1')).toEqual(['01:QUE Say(user, "bye")', '02:RET 1']);
  expect(lines('- If $x:\n  - F(1)\nSay "a"\nReturn 1')).toEqual([
    ...['01:CND If $x', '01.01:QUE F(1)', '02:QUE Say(user, "a")', '03:RET 1'],
  ]);
  expect(lines('- If $x:\n  - If $y:\n    - F(1)\n  Return 1\n- F(2)')).toEqual([
    ...['01:CND If $x', '01.01:CND If $y', '01.01.01:QUE F(1)', '01.02:RET 1', '02:QUE F(2)'],
  ]);
});

test.each<[string, string[]]>([
  ['- Tell the user\n  that we are closed', ['QUE Say(user, Tell the user that we are closed)']],
  [
    '- Tell the user the price\nand the date',
    ['QUE Say(user, Tell the user the price and the date)'],
  ],
  ['- Say "hello\n  Return of the king"', ['QUE Say(user, "hello Return of the king")']],
  ['- $y = [1,\n  2]', ['EXE $y = [1, 2]']],
  ['- Say:\n  Good morning', ['QUE Say(user, Say: Good morning)']],
])('what goes on in the next line stays one: %j', (text, want) => {
  expect(lines(text)).toEqual(want.map((one) => `01:${one}`));
});
