/**
 * A few hundred seeds with every run of the suite; `npm run simulate -- --seeds 5000` runs as many
 * as wanted. What fails here, fails there by its seed: `npm run simulate -- --seed 17 --seeds 1`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kinds } from './programs.ts';
import { type Options, type Report, simulate } from './simulate.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-simulator-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Simulates seeds from 1 and expects nothing to be wrong with any. */
async function all(count: number, options: (seed: number) => Options): Promise<Report[]> {
  const reports: Report[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const report = await simulate(seed, options(seed));
    const { drawn, accidents, wrongs } = report;
    const about = `seed ${seed}, ${JSON.stringify(accidents)}\n${drawn.text}`;
    expect(wrongs, about).toEqual([]);
    reports.push(report);
  }
  return reports;
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  test('comes to the same through any accidents as one effect at a time without any', async () => {
    const reports = await all(120, () => ({ kind }));
    const statuses = reports.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['done', 'failed']));
    // It is a simulation of accidents: most runs take several processes.
    expect(reports.reduce((sum, { lives }) => sum + lives, 0)).toBeGreaterThan(150);
  });
});

test('with a journal on disk', async () => {
  const reports = await all(25, (seed) => ({ file: join(folder, `${seed}.db`) }));
  expect(reports.some(({ lives }) => lives > 2)).toBe(true);
});

test('the same seed is the same simulation', async () => {
  for (const seed of [3, 11, 17]) {
    const [once, again] = [await simulate(seed), await simulate(seed)];
    const brief = ({ lives, events, status }: Report) => ({ lives, events, status });
    expect(brief(again)).toEqual(brief(once));
    expect(again.drawn.text).toBe(once.drawn.text);
  }
});
