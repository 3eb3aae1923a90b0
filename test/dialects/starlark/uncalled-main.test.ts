/** A main that nobody calls is warned of: other languages call it by themselves. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';

const warnings = (text: string): string[] =>
  checkProgram(text, { tools: new Map(), inputs: [] }, { dialect: 'starlark' }).diagnostics.map(
    ({ code, severity, line }) => `${severity} ${code} ${line}`,
  );

test.each([
  ['alone', 'def main():\n    answer("x")\n', ['warning PV2337 1']],
  ['after others', 'def a():\n    answer("x")\ndef main():\n    a()\n', ['warning PV2337 3']],
  ['called', 'def main():\n    answer("x")\nmain()\n', []],
  ['passed on', 'def main():\n    answer("x")\ntry_call(main)\n', []],
  ['another function', 'def helper():\n    answer("x")\n', []],
])('%s', (_name, text, expected) => {
  expect(warnings(text)).toEqual(expected);
});
