/**
 * Runs every `*.bench.ts` of this folder, each in a process of its own so that none warms up or
 * clutters the heap of the next. `npm run bench -- NAME` runs those whose name contains NAME;
 * `--json` prints a figure a line.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const wanted = process.argv.slice(2).find((arg) => !arg.startsWith('-')) ?? '';
const flags = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
const folder = fileURLToPath(new URL('.', import.meta.url));
const files = globSync('**/*.bench.ts', { cwd: folder })
  .filter((file) => file.includes(wanted))
  .sort();

if (files.length === 0) {
  process.stderr.write(`bench: no file matches '${wanted}*.bench.ts' in bench/\n`);
  process.exitCode = 2;
}
for (const file of files) {
  if (!flags.includes('--json')) process.stdout.write(`\n${file}\n`);
  const { status } = spawnSync(process.execPath, [file, ...flags], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
