/** The tables of the guide that say what becomes of a line, each row held against the compiler. */
import { describe, expect, test } from 'vitest';
import { textOf } from '../../support/repo.ts';
import { stepsOf } from './written.ts';

const guide = textOf('docs/guide/playbook-files.md');
const tools = ['F', 'G'];

/** The rows of all tables that begin so, as what stands between backticks in their cells. */
function rowsOf(head: string): (readonly [line: string, told: readonly string[]])[] {
  const tables = guide.split('\n\n').filter((one) => one.startsWith(head));
  const rows = tables.flatMap((one) => one.trim().split('\n').slice(2));
  return rows.map((row) => {
    const [, line = '', ...told] = row.split(/(?<!\\)\|/).map(spans);
    return [line[0] ?? '', told.flat()];
  });
}

const spans = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

describe('steps of', () => {
  const rows = rowsOf('| a line | its steps |');

  test('there are rows', () => expect(rows.length).toBeGreaterThan(20));

  test.each(rows)('%s', (line, steps) => {
    expect(stepsOf(`- ${line}`, '', tools)).toEqual(steps);
  });
});

test.each(rowsOf('| a line | what is not plain |'))('%s stays open', (line) => {
  const [first] = stepsOf(`- ${line}`, '', tools);
  expect(first).toBe(`01:EXE? ${line}`);
});
