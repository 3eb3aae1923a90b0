/**
 * Lines of several sentences or clauses with a condition: each call stands under what it is for,
 * and where nobody can say what that is, the whole line is for a model.
 */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const F = ['F', 'G'];
const steps = (line: string): string[] => stepsOf(`- ${line}`, '', F);

const paid = ['01.01:QUE F(5)', '01.02:QUE Say(user, "paid")'];
const two = ['02:ELS Otherwise', '02.01:QUE G(6)'];

test.each<[string, string[]]>([
  [
    'If $a == 7, F(5) and say "paid". Otherwise, say "not paid".',
    ['01:CND If $a == 7', ...paid, '02:ELS Otherwise', '02.01:QUE Say(user, "not paid")'],
  ],
  [
    'Say("hi"). If $a is 7, F(5).',
    ['01:QUE Say(user, "hi")', '02:CND If $a is 7', '02.01:QUE F(5)'],
  ],
  ['F(9). If $a is 7, G(6)', ['01:QUE F(9)', '02:CND If $a is 7', '02.01:QUE G(6)']],
  [
    'If the user agrees, F(5). If not, say "Too bad".',
    [
      ...['01:CND If the user agrees', '01.01:QUE F(5)', '02:ELS Otherwise'],
      '02.01:QUE Say(user, "Too bad")',
    ],
  ],
  [
    'If $a is 7, say "x". If $a is 8, say "y".',
    [
      ...['01:CND If $a is 7', '01.01:QUE Say(user, "x")'],
      ...['02:CND If $a is 8', '02.01:QUE Say(user, "y")'],
    ],
  ],
  [
    'If $a is 7, return 1. Say "go on".',
    ['01:CND If $a is 7', '01.01:RET 1', '02:QUE Say(user, "go on")'],
  ],
  [
    'If $a is 7: F(5), else if $a is 8: G(6), else say "no"',
    [
      ...['01:CND If $a is 7', '01.01:QUE F(5)', '02:ELS Otherwise if $a is 8', '02.01:QUE G(6)'],
      ...['03:ELS Otherwise', '03.01:QUE Say(user, "no")'],
    ],
  ],
  ['If $a is 7, call F(5), and then say "paid"', ['01:CND If $a is 7', ...paid]],
  ['If $a is 7, F(5), and say "paid"', ['01:CND If $a is 7', ...paid]],
  ['If $a is 7 F(5)', ['01:CND If $a is 7', '01.01:QUE F(5)']],
  ['F(5) if $a is 7, otherwise G(6)', ['01:CND If $a is 7', '01.01:QUE F(5)', ...two]],
  ['F(5) if $a is 7. Otherwise, G(6).', ['01:CND If $a is 7', '01.01:QUE F(5)', ...two]],
  ['F(5); return if $a is 7', ['01:QUE F(5)', '02:CND If $a is 7', '02.01:RET']],
  [
    'If $a > 3: Say("a"), Say("b"), otherwise Say("c")',
    [
      ...['01:CND If $a > 3', '01.01:QUE Say(user, "a")', '01.02:QUE Say(user, "b")'],
      ...['02:ELS Otherwise', '02.01:QUE Say(user, "c")'],
    ],
  ],
  ['Return "a" if $x else "b"', ['01:RET "a" if $x else "b"']],
  ['If the guest is Mr. Smith, F(5)', ['01:CND If the guest is Mr. Smith', '01.01:QUE F(5)']],
  ['Ask for the $day. If it is late, be brief.', []],
])('%s', (line, want) => {
  const talk = [`01:QUE Say(user, ${line})`, '02:YLD for user'];
  expect(steps(line)).toEqual(want.length === 0 ? talk : want);
});

test.each([
  ...['If $a is 7, F(5). Then G(6)', 'If $a > 5, F(5). Then say "paid".'],
  ...['If $a > 5, F(5). Say "paid".', 'If $a > 5, $b = 2. Then $c = 3.', 'F(5) if $a > 5. G(6).'],
  ...['F(13) unless $a is 7, in which case G(14)', 'If $a is 7 — F(5)'],
  ...['For each $x in [1, 2], F($x). Then say "all paid".', 'If the user agrees call F(5), G(6)'],
  ...['F(1) and end the program if $a is 7', 'Say goodbye and end the program if $a is 7'],
  ...['Tell the user that it failed and stop the program unless $a is 3', 'F(1) and G(2) if $a'],
  ...['F(1) and return $a if $a is 7', 'F(1), then return if $a is 7', 'F(1) and break if $a > 2'],
  ...['Say goodbye and return if $a is 7', 'F(1) if $a is 7, then say "x"'],
  ...['F(1) if $a is 7 and say "x"', 'Say("one") and say("two") if $a is 7'],
  ...['If $a is 7 (or F(5) fails), say "x"', 'Ask the user for $n. If it is 3, F(5).'],
  ...['$b = 2, F(5)', '$x = 5 and say "paid"', 'Set $x to 5 and $y to 6', 'Set $b to $a > 2, F(1)'],
  ...['Return F(5) if $a is 7 else 0', 'Return F(1) if $x else G(2)'],
])('%s: is for a model', (line) => {
  expect(steps(line)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  'If $a is 7, ask whether to go; if yes: F(5)',
  'If it is Friday, ask whether to go. If they agree, F(5).',
])('what is done by an answer may be under what asks: %s', (line) => {
  expect(steps(line)).toEqual([`01:EXE? ${line}`]);
});

test('what stands under a line stands under the last of its sentences', () => {
  const lines = 'If $a is 7, F(5). Otherwise:\n  - G(6)';
  expect(steps(lines)).toEqual(['01:CND If $a is 7', '01.01:QUE F(5)', ...two]);
});

test.each([
  'Else if $a is 8, F(8), else if $a is 9, F(9), else G(6)',
  'Else if $a is 8: F(8). Else if $a is 9: F(9). Else G(6).',
  'Otherwise, if $a is 8, F(8), otherwise if $a is 9, F(9), otherwise G(6)',
])('further cases in one line are those of the condition before it: %s', (line) => {
  const [, , ...others] = stepsOf(`- If $a is 7, F(7)\n- ${line}\n- F(1)`, '', F);
  expect(others.map((one) => one.replace(/ELS (?:Else|Otherwise,?) if/, 'ELS if'))).toEqual([
    ...['02:ELS if $a is 8', '02.01:QUE F(8)', '03:ELS if $a is 9', '03.01:QUE F(9)'],
    ...['04:ELS Otherwise', '04.01:QUE G(6)', '05:QUE F(1)'],
  ]);
});

test.each(['Otherwise, F(1). If $a is 8, G(6).', 'Otherwise, F(1). Otherwise, G(6).'])(
  'what stands behind another case may be under it: %s',
  (line) => {
    expect(stepsOf(`- If $a is 7, F(7)\n- ${line}`, '', F)[2]).toBe(`02:EXE? ${line}`);
  },
);
