/** Lines that words and code read in two ways: a model says which is meant, and nothing is dropped. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const code = `\`\`\`python
def F(x):
    return x

def G(x):
    return x
\`\`\``;

test.each([
  '$ok = F(1) and G(2)',
  'Set $ok to F(1) and G(2)',
  'Return F(1) and G(2)',
  'Return F(1) or G(2), whichever is larger',
  '$ok = F(1) or G(2), whichever is larger',
  'Return $a, or $b if it is empty',
  'Return $a or $b if it is empty',
  '$r = F(1) and return it',
  '$n = 3 and return it',
  '$r = F(1) and if it is empty, return "none"',
])('stays open: %s', (line) => {
  expect(stepsOf(`- ${line}`, code)).toEqual([`01:EXE? ${line}`]);
});

test('a comparison behind two calls may be one of either', () => {
  const line = 'If F(1) or G(1) is larger than 3, say "big"';
  expect(stepsOf(`- ${line}`, code)).toEqual([`01:EXE? ${line}`]);
  expect(stepsOf('- If F(1) is 2 or G(1) is 3, say "big"', code)).toContain('02:YLD for call');
  expect(stepsOf('- If F(1) or G(1) > 3, say "big"', code)).toContain('02:YLD for call');
});

test('an else behind two conditions may be of either; behind an or it is none', () => {
  const line = 'If $n > 3 then if $n > 5 say "y" else say "z"';
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
  expect(stepsOf('- If $n > 3, return $a or else $b')).toEqual([
    ...['01:CND If $n > 3', '01.01:RET $a or else $b'],
  ]);
});

test('what is computed, or plainly several things, does not', () => {
  expect(stepsOf('- $ok = F(1) or G(2)', code)).toEqual([
    ...['01:QUE f_1 = F(1)', '02:YLD for call', '03:CND If not (f_1)', '03.01:QUE g_1 = G(2)'],
    ...['04:YLD for call', '05:EXE $ok = f_1 or g_1'],
  ]);
  expect(stepsOf('- $x = F(1) and $y = G(2)', code)).toEqual([
    ...['01:QUE $x = F(1)', '02:QUE $y = G(2)'],
  ]);
  expect(stepsOf('- Return $a if $a > 1')).toEqual(['01:CND If $a > 1', '01.01:RET $a']);
});
