/** `#line`: places of code that was taken from another text. */
import { expect, test } from 'vitest';
import { mark, placingIn } from '../../../src/dialects/starlark/compile/line-marks.ts';
import { drive } from '../../support/starlark-machine.ts';

test('the line below a mark is the line it says, and so on, until the next', () => {
  const text = ['a', mark('x "y".md', 17, 4), 'b', 'c', mark('x.md', 0, 0), 'd', '#line', 'e'];
  const at = placingIn(text.join('\n'));
  expect([1, 3, 4, 6, 8].map((line) => at?.(line, 6))).toEqual([
    { line: 1, column: 6 },
    { line: 17, column: 2, file: 'x "y".md' },
    { line: 18, column: 2, file: 'x "y".md' },
    { line: 0, column: 0, file: 'x.md' },
    { line: 8, column: 6 },
  ]);
  expect(at?.(3, 2)).toMatchObject({ column: 1 });
});

test('other comments are comments', () => {
  expect(placingIn('# line 3\n#lines')).toBeUndefined();
  expect(placingIn('#line three\nx = 1\n#line 3 4\ny = 2')?.(2, 1)).toEqual({ line: 2, column: 1 });
});

test('calls that led to an error have the places of their own texts', () => {
  const source = `#line 3 0 "x.md"
def f(x):
    return 1 // x
#line
def g(x):
    return f(x)
g(0)
`;
  const { error, machine } = drive(source);
  expect(error).toContain('division by zero');
  expect(machine.view().error?.trace).toMatchObject([
    { name: '<toplevel>', line: 7 },
    { name: 'g', line: 6 },
    { name: 'f', line: 4, file: 'x.md' },
  ]);
});
