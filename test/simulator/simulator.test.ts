/**
 * Some hundred seeds with every run of the suite, a third of what a deep run has;
 * `npm run simulate -- --seeds 5000` runs as many as wanted. What fails here, fails there by its seed: `npm run simulate -- --seed 17 --seeds 1`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { points } from '../support/depth.ts';
import { kinds } from './programs.ts';
import { type Options, type Report, simulate } from './simulate.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-simulator-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Simulates seeds and expects nothing to be wrong with any. */
async function all(seeds: Iterable<number>, options: (seed: number) => Options): Promise<Report[]> {
  const reports: Report[] = [];
  for (const seed of seeds) {
    const report = await simulate(seed, options(seed));
    const { drawn, accidents, wrongs } = report;
    const about = `seed ${seed}, ${JSON.stringify(accidents)}\n${drawn.text}`;
    expect(wrongs, about).toEqual([]);
    reports.push(report);
  }
  return reports;
}

/** Of the seeds up to this one each sixth, or all. */
const upTo = (last: number): Iterable<number> => points(1, 6, last);

const sum = (reports: readonly Report[], of: (report: Report) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);

describe.each(Object.keys(kinds))('%s', (kind) => {
  test('comes to the same through any accidents as one effect at a time without any', async () => {
    const reports = await all(upTo(120), () => ({ kind }));
    const statuses = reports.map(({ status }) => status);
    // In a transcript, what fails is an observation.
    const possible = kind === 'react' ? ['done'] : ['done', 'failed'];
    expect(new Set(statuses)).toEqual(new Set(possible));
    // It is a simulation of accidents: most runs take several processes.
    expect(sum(reports, ({ lives }) => lives)).toBeGreaterThan(1.2 * reports.length);
    expect(sum(reports, ({ forks }) => forks)).toBeGreaterThan(0.3 * reports.length);
  });
});

test('tools that cannot be reached are left alone, tried again, and used again', async () => {
  const reports = await all(points(1, 3, 150), () => ({ kind: 'stackvm-2' }));
  expect(sum(reports, ({ circuits }) => circuits.opened)).toBeGreaterThan(0);
  expect(sum(reports, ({ circuits }) => circuits.tried)).toBeGreaterThan(0);
  expect(sum(reports, ({ circuits }) => circuits.closed)).toBeGreaterThan(0);
});

test('with a journal on disk, and a connection for each process', async () => {
  const reports = await all(points(1, 2, 25), (seed) => ({ file: join(folder, `${seed}.db`) }));
  expect(reports.some(({ lives }) => lives > 2)).toBe(true);
});

test('the same seed is the same simulation', async () => {
  for (const seed of [3, 11, 17]) {
    const [once, again] = [await simulate(seed), await simulate(seed)];
    const brief = ({ lives, events, status, forks }: Report) => ({ lives, events, status, forks });
    expect(brief(again)).toEqual(brief(once));
    expect(again.drawn.text).toBe(once.drawn.text);
  }
});
