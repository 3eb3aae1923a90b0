/** A run whose process is killed at every point of its way, and taken up, and killed again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { points } from '../../support/depth.ts';
import { inOneFile } from '../../support/one-file.ts';
import { temporaryFolder } from './folder.ts';
import { carryOn } from './victim-run.ts';

const folder = temporaryFolder();
const script = await inOneFile(fileURLToPath(new URL('./victim.ts', import.meta.url)));

/** A journal and a world, new, or a copy of those that a killed process has left. */
function place(name: string, from?: string): { journal: string; world: string } {
  const path = `${folder}/${name}`;
  if (from === undefined) {
    mkdirSync(path);
    writeFileSync(`${path}/world`, '');
  } else cpSync(`${folder}/${from}`, path, { recursive: true });
  return { journal: `${path}/runs.db`, world: `${path}/world` };
}

type Place = ReturnType<typeof place>;

interface Ended {
  readonly signal: string | null;
  /** Of a process that came to its end. */
  readonly report?: { readonly result: unknown; readonly points: number; readonly written: number };
}

async function victim({ journal, world }: Place, point: number): Promise<Ended> {
  const child = spawn(process.execPath, [script, journal, world, String(point)]);
  const ended = once(child, 'close');
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  const [, signal] = await ended;
  return { signal, ...(printed !== '' && { report: JSON.parse(printed) }) };
}

const expected = {
  ends: [
    {
      answer: 'read wrote read 2',
      variables: { v2: 'read 2', v3: 'wrote read 2', v4: 'read wrote read 2' },
    },
  ],
  said: ['"begin"', '"read wrote read 2"', '"read wrote read 2"'],
};

async function expectWhole(at: Place): Promise<void> {
  expect(await carryOn(at)).toEqual(expected);
  expect(readFileSync(at.world, 'utf8')).toBe('0#2\twrote read 2\n');
}

const { report: whole = { result: undefined, points: 0, written: 0 } } = await victim(
  place('whole'),
  0,
);
// The write has happened and the journal does not know.
await victim(place('doubt'), whole.written);
const { report: again = { result: undefined, points: 0 } } = await victim(
  place('decided', 'doubt'),
  0,
);

test('a run that is left alone, and one that is taken up', () => {
  expect(whole.result).toEqual(expected);
  expect(again.result).toEqual(expected);
  expect(Math.min(whole.points, again.points)).toBeGreaterThan(30);
});

const each = (count: number): number[] => [...points(1, 4, count)];

describe('killed and taken up', () => {
  test.concurrent.each(each(whole.points))('at point %d', async (point) => {
    const at = place(`run-${point}`);
    expect((await victim(at, point)).signal).toBe('SIGKILL');
    await expectWhole(at);
  });
});

describe('killed with its write in doubt, taken up, killed again and taken up', () => {
  test.concurrent.each(each(again.points))('at point %d', async (point) => {
    const at = place(`resumed-${point}`, 'doubt');
    expect((await victim(at, point)).signal).toBe('SIGKILL');
    await expectWhole(at);
  });
});
