/**
 * How long a person waits for `planvm check` on a small plan, beside an empty `node -e 0`: the
 * ratio holds for any machine. From the sources, whose types Node strips, and built; the first call
 * compiles, later ones find what it has left in Node's compile cache.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, report } from './report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
const plan = join(root, 'test/golden/stackvm-2/even-odd.json');
const calls = 15;

/** Milliseconds of one process; its environment has a compile cache of its own. */
function once(args: readonly string[], cache: string): number {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, cache) };
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return took;
}

/** A clone without a build: its bin finds the sources. */
function clone(): string {
  const made = join(folder, 'clone');
  mkdirSync(made);
  cpSync(join(root, 'bin'), join(made, 'bin'), { recursive: true });
  for (const part of ['src', 'package.json', 'node_modules']) {
    symlinkSync(join(root, part), join(made, part));
  }
  return join(made, 'bin/planvm.js');
}

/** An installed package: what the build makes of the sources, and the same bin. */
function build(): string {
  const made = join(folder, 'package');
  mkdirSync(made);
  const args = [join(root, 'scripts/build.ts'), join(made, 'dist')];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed: ${stdout}`);
  for (const part of ['bin', 'package.json']) {
    cpSync(join(root, part), join(made, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  return join(made, 'bin/planvm.js');
}

const forms = { sources: clone(), built: build() };
for (const [form, bin] of Object.entries(forms)) {
  const args = [bin, 'check', plan];
  const first = once(args, form);
  const empty: number[] = [];
  const later: number[] = [];
  // In turns, so that whatever else the machine does falls on both.
  for (let i = 0; i < calls; i++) {
    empty.push(once(['-e', '0'], form));
    later.push(once(args, form));
  }
  const node = median(empty);
  report([
    { name: `${form}: node -e 0`, value: node, unit: 'ms' },
    { name: `${form}: planvm check`, value: median(later), unit: 'ms' },
    { name: `${form}: planvm check / node -e 0`, value: median(later) / node, unit: '×', bar: 6 },
    { name: `${form}: the very first / node -e 0`, value: first / node, unit: '×' },
  ]);
}
rmSync(folder, { recursive: true });
