/** Lines of which a part could get lost, or come under something else: understood whole, or open. */
import { expect, test } from 'vitest';
import { graphOf } from '../../../src/dialects/playbook/compiled/graph.ts';
import { mainOf, program, stepsOf } from './written.ts';

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

test.each([
  ['Choose one of the following:', 'Say "a"', 'Return 1'],
  ['Do one of these, depending on $a:', 'Sub(1)', 'Sub(2)'],
  ['If any of these hold:', '$a is 3', '$b is 4'],
])('of what stands under it not all is done: %s', (line, one, other) => {
  expect(stepsOf(`- ${line}\n  - ${one}\n  - ${other}\n- Return 2`, rest)).toEqual([
    ...[`01:EXE? ${line}`, `01.01:EXE? ${one}`, `01.02:EXE? ${other}`, '02:RET 2'],
  ]);
});

test.each(['Skip the rest if $a is 3:', 'Once $a is set:', 'As soon as $a is set:'])(
  'a list may have a condition anywhere in its head: %s',
  (line) => {
    const steps = [`01:EXE? ${line}`, '01.01:QUE Sub(1)', '02:RET 2'];
    expect(stepsOf(`- ${line}\n  - Sub(1)\n- Return 2`, rest)).toEqual(steps);
    const { steps: all } = mainOf(program(`- ${line}\n  - Sub(1)\n- Return 2`, rest));
    expect(
      graphOf(all)
        .edges.get('01')
        ?.map(({ to }) => to),
    ).toEqual(['01.01', '02']);
  },
);

test('what is to be done then is under what only a model understands', () => {
  const lines = '- If all of these are true:\n  - $a is 3\n- Then say "x"\n- Then say "y"';
  expect(stepsOf(lines).slice(2)).toEqual(['02:EXE? Then say "x"', '03:QUE Say(user, "y")']);
});

test('another condition behind a comma is none of the first one', () => {
  const line = 'If the user says yes, say "ok", if no, say "bye"';
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test('a value may have its condition behind it', () => {
  expect(stepsOf('- $b = 4 when $a = 3')).toEqual(['01:CND If $a = 3', '01.01:EXE $b = 4']);
  expect(stepsOf('- $b = the day when $a arrives')).toEqual([
    '01:EXE $b = the day when $a arrives',
  ]);
});
