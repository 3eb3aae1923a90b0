/** An argument that is given twice, in the words of starlark-go; and JSON with its indents. */
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';

const of = (text: string) => run(text, { dialect: 'starlark' });
const f = 'def f(a, **more): return a\n';

test.each([
  ['f(1, a = 2)', 'function f got multiple values for parameter "a"'],
  ['f(a = 1, **{"a": 2})', 'function f got multiple values for parameter "a"'],
  ['f(*[1], **{"a": 2})', 'function f got multiple values for parameter "a"'],
  ['f(1, b = 1, **{"b": 2})', 'function f got multiple values for parameter "b"'],
  ['dict(a = 1, **{"a": 2})', 'dict: duplicate keyword arg: "a"'],
])('%s', async (call, message) => {
  expect(await of(`${f}answer(${call})`)).toMatchObject({ status: 'failed', error: { message } });
});

test('an argument that is written twice is an error before it runs', async () => {
  await expect(of(`${f}answer(f(a = 1, a = 2))`)).rejects.toThrow(
    'keyword argument "a" is repeated',
  );
});

test('json.encode_indent', async () => {
  const text = 'answer(json.encode_indent({"b": [1, 2], "a": {}}, prefix = ">", indent = "  "))';
  const answer = '{\n>  "a": {},\n>  "b": [\n>    1,\n>    2\n>  ]\n>}';
  expect(await of(text)).toMatchObject({ status: 'done', answer });
});
