/** All errors that the resolver finds in each chunk of its corpus. */
import { expect, test } from 'vitest';
import { parse } from '../../../src/dialects/starlark/parse/parser.ts';
import { resolve } from '../../../src/dialects/starlark/resolve/resolver.ts';
import { chunksOf, differences } from './corpus.ts';

const universal = new Set(['U', 'float', 'set']);

const chunks = chunksOf('./resolve-errors.star');

for (const chunk of chunks) {
  test(`resolve-errors.star:${chunk.line}`, () => {
    const { options } = chunk;
    const { file, errors } = parse(chunk.text, options);
    expect(errors).toEqual([]);
    const found =
      file &&
      resolve(file, {
        options,
        predeclared: (name) => name === 'M',
        universal: (name) => universal.has(name),
      });
    expect(differences(chunk, found ?? [])).toEqual([]);
  });
}

test('the corpus holds enough', () => {
  const errors = chunks.reduce((sum, { expected }) => sum + expected.size, 0);
  expect(errors).toBeGreaterThan(85);
});
