/** The generated documents are those that the code of today generates. */
import { expect, test } from 'vitest';
import { pages } from '../../scripts/reference.ts';
import { opcodes } from '../../src/program/opcodes.ts';
import { textOf } from '../support/repo.ts';

const all = await pages();

test.each([...all])('%s is fresh: otherwise run `npm run reference`', (path, text) => {
  expect(textOf(path)).toBe(text);
});

test('the page of instructions has a row for each opcode', () => {
  const text = all.get('docs/reference/instructions.md') ?? '';
  const rows = [...text.matchAll(/^\| \d+ \| ([A-Z0-9]+) \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(opcodes.map((row) => row.name));
});
