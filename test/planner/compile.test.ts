/** Inputs and guards of programs that conversations become. */
import { expect, test } from 'vitest';
import { compileProblems, inputsIn } from '../../src/planner/compile.ts';

const guard = 'if not x: fail("guard: no x")\n';

test('inputs are read from the comments that declare them', () => {
  const text = [
    '# input: city = "Paris" -- where to look',
    '#input: limits = {"min": 3, "all": [1, 2]}',
    'x = "# input: no = 1"',
    '# input: dashes = "a -- b"',
  ].join('\n');
  expect(inputsIn(text)).toEqual([
    { name: 'city', value: 'Paris', about: 'where to look' },
    { name: 'limits', value: { min: 3, all: [1, 2] }, about: '' },
  ]);
});

test('an input that is no JSON, and a program without a guard, are problems', () => {
  expect(compileProblems(`${guard}# input: a = Paris`)).toMatchObject([
    { code: 'PV7009', line: 2, message: 'the value of the input a is no JSON' },
  ]);
  expect(compileProblems('answer(1)')).toMatchObject([{ message: 'the program has no guard' }]);
  expect(compileProblems(guard)).toEqual([]);
});
