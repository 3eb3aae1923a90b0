/** Lines of which a part could get lost, or come under something else: understood whole, or open. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const rest = '## Sub(x, y = 1)\n### Steps\n- Return x';

test.each([
  ['Set $x = 1, $y = 2', 'EXE $x = 1', 'EXE $y = 2'],
  ['$x = [1, 2] and $y = $x', 'EXE $x = [1, 2]', 'EXE $y = $x'],
  ['Return 1 if $x is a, b or c', 'CND If $x is a, b or c', 'RET 1'],
  ['Return a note that says if $x is late', 'RET a note that says if $x is late'],
  ['Return nothing', 'RET'],
  ['Say nothing', 'RET'],
  ['Tell the user the price for each bike', 'QUE Say(user, Tell the user the price for each bike)'],
])('%s', (line, ...steps) => {
  expect(stepsOf(`- ${line}`, rest).map((row) => row.replace(/^[\d.]+:/, ''))).toEqual(steps);
});

test.each([
  'Set $x to 1, $y = 2',
  '$x = Sub(1) (the number)',
  'Return the day if $x is 3',
  'Return $a unless $b is set, in which case return $b',
  'If $a is 3 → say "x"; $b is 4 → say "y"',
  'Say "Hi {$g}" for every $g in $guests',
  'Ask the user for $pin at most 3 times',
])('%s is open', (line) => {
  expect(stepsOf(`- ${line}`, rest)).toEqual([`01:EXE? ${line}`]);
});
