/** The first error of each chunk of two corpora: the grammar's own, and of what others have. */
import { expect, test } from 'vitest';
import { parse } from '../../../src/dialects/starlark/parse/parser.ts';
import { chunksOf, differences } from './corpus.ts';

for (const file of ['./parse-errors.star', './foreign.star']) {
  for (const chunk of chunksOf(file)) {
    test(`${file}:${chunk.line}`, () => {
      const { file: tree, errors } = parse(chunk.text, chunk.options);
      expect(differences(chunk, errors)).toEqual([]);
      expect(errors).toHaveLength(1);
      expect(tree).toBeUndefined();
    });
  }
}

test('the corpora hold enough', () => {
  const all = [...chunksOf('./parse-errors.star'), ...chunksOf('./foreign.star')];
  expect(all.length).toBeGreaterThan(180);
  expect(all.filter(({ expected }) => expected.size !== 1)).toEqual([]);
});
