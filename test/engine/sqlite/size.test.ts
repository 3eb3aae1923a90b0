/** How large a journal becomes: in proportion to its run. */
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/engine/journal/open-journal.ts';
import { byName, programOf, quickTool, start } from '../support.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();

/** Bytes on disk of a run whose steps each set a variable of its own to a value of this length. */
async function sizeOf(steps: number, valueChars: number): Promise<number> {
  const path = `${folder}/${steps}-${valueChars}.db`;
  const journal = openJournal(path);
  const program = programOf(Array.from({ length: steps }, () => ({ tool: 'read' })));
  const handlers = byName(quickTool('read', ({ n }) => String(n).padEnd(valueChars, 'rivers ')));
  const { result } = start({ program, handlers, journal });
  expect((await result).status).toBe('done');
  journal.close();
  return statSync(path).size;
}

test('100 steps with variables of 1 KB take less than half a megabyte', async () => {
  expect(await sizeOf(100, 1000)).toBeLessThan(500_000);
});

test('twice the steps take twice the space; snapshots of the state at most as much again', async () => {
  const [one, two, many] = [
    await sizeOf(200, 300),
    await sizeOf(400, 300),
    await sizeOf(3200, 300),
  ];
  expect(two / one).toBeLessThan(2.2);
  expect(many / one).toBeLessThan(2 * 16 * 1.1);
});
