/** What is done otherwise where a line says only what is other about it, and what comes behind. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const cases = (one: string, other: string): string[] => [
  ...['01:CND If $x is 3', `01.01:${one}`, '02:ELS Otherwise', `02.01:${other}`],
];

test.each([
  ['If $x is 3, return "a", otherwise "b"', cases('RET "a"', 'RET "b"')],
  ['If $x is 3, return "a", else $y', cases('RET "a"', 'RET $y')],
  ['If $x is 3, return "a". Otherwise, "b".', cases('RET "a"', 'RET "b"')],
  ['If $x is 3, set $y to "a", otherwise "b"', cases('EXE $y = "a"', 'EXE $y = "b"')],
  ['If $x is 3, set $y to 4, otherwise to 5', cases('EXE $y = 4', 'EXE $y = 5')],
  ['If $x is 3, $y = "a". Otherwise "b".', cases('EXE $y = "a"', 'EXE $y = "b"')],
  ['Set $y to "a" if $x is 3, otherwise to "b"', cases('EXE $y = "a"', 'EXE $y = "b"')],
  ['Return true if $x is 3, else false', cases('RET true', 'RET false')],
  ['If $x is 3, say "a", otherwise "b"', cases('QUE Say(user, "a")', 'QUE Say(user, "b")')],
])('%s', (line, steps) => {
  expect(stepsOf(`- ${line}`)).toEqual(steps);
});

test('in a line of its own it stands behind a condition with its case', () => {
  const rows = stepsOf('- If $x is 3, return "a"\n- Otherwise "b"');
  expect(rows).toEqual(cases('RET "a"', 'RET "b"'));
  expect(stepsOf('- If $x is 3, F(1)\n- Otherwise "b"', '', ['F'])).toEqual(
    cases('QUE F(1)', 'QUE Say(user, "b")'),
  );
  const block = stepsOf('- If $x is 3\n  - Return "a"\n- Otherwise "b"');
  expect(block.at(-1)).toBe('02:EXE? Otherwise "b"');
});

test.each([
  ...['If $x is 3, F("a"), otherwise "b"', 'F("a") if $x is 3, else "b"'],
  ...['If $x is 3, F(1), otherwise G(2), then G(3)', 'Return $x and end the program'],
  ...['Return $x. If it is empty, return 0.', 'Return $x. Then end the program.'],
  ...['Break if $x is 3 or continue', 'Skip step 2'],
])('nobody can say what is done then: %s', (line) => {
  expect(stepsOf(`- ${line}`, '', ['F', 'G'])).toEqual([`01:EXE? ${line}`]);
});

test('what is said in neither case is no case of a condition', () => {
  expect(stepsOf('- If $x is 3, say "a", "b" otherwise')).toEqual([
    ...['01:CND If $x is 3', '01.01:EXE? say "a", "b" otherwise'],
  ]);
});
