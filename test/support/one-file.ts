/**
 * A script that a test starts again and again, in one file with all that it imports of the project:
 * most of such a short process is finding and linking modules.
 */
import { hash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

const folder = join(tmpdir(), 'planvm-test-scripts');

/** Gives the path of the file; several processes may make it at once. */
export async function inOneFile(script: string): Promise<string> {
  const external = /^node:/;
  const bundled = await rolldown({ input: script, platform: 'node', external, tsconfig: false });
  const { output } = await bundled.generate({ format: 'esm' });
  const { code } = output[0];
  const name = `${basename(script, '.ts')}-${hash('sha256', code).slice(0, 16)}.mjs`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const begun = `${file}.${process.pid}`;
  writeFileSync(begun, code);
  renameSync(begun, file);
  return file;
}
