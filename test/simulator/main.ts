/**
 * `npm run simulate -- --seeds 5000 --seed 1`: many simulations, and what is wrong in those that
 * fail, with as few accidents as it takes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Report, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    sqlite: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'planvm-simulate-'));
const options = (seed: number) => ({
  ...(values.kind === undefined ? {} : { kind: values.kind }),
  ...(values.sqlite ? { file: join(folder, `${seed}.db`) } : {}),
});

/** Leaves out one accident after the other as long as something is still wrong. */
async function shrunk(report: Report): Promise<Report> {
  for (const accident of report.accidents) {
    const accidents = report.accidents.filter((one) => one !== accident);
    const smaller = await simulate(report.seed, { ...options(report.seed), accidents });
    if (smaller.wrongs.length > 0) return shrunk(smaller);
  }
  return report;
}

const first = Number(values.seed);
const count = Number(values.seeds);
let failed = 0;
const seen = { lives: 0, events: 0, races: 0, forks: 0, done: 0, opened: 0, tried: 0, closed: 0 };
for (let seed = first; seed < first + count; seed++) {
  let report: Report;
  try {
    report = await simulate(seed, options(seed));
  } catch (error) {
    failed++;
    console.log(error instanceof Error ? `${error.stack}\n${String(error.cause)}` : error);
    continue;
  }
  seen.lives += report.lives;
  seen.events += report.events;
  seen.races += report.races;
  seen.forks += report.forks;
  for (const name of ['opened', 'tried', 'closed'] as const) seen[name] += report.circuits[name];
  if (report.status === 'done') seen.done++;
  if (report.wrongs.length === 0) continue;
  failed++;
  const { drawn, accidents, wrongs } = await shrunk(report);
  console.log(`seed ${seed} (${drawn.dialect}), accidents ${JSON.stringify(accidents)}`);
  console.log(`${drawn.text}\n  ${wrongs.slice(0, 6).join('\n  ')}`);
}
rmSync(folder, { recursive: true });
console.log(`${count} seeds from ${first}, ${failed} failed; ${JSON.stringify(seen)}`);
process.exitCode = failed > 0 ? 1 : 0;
