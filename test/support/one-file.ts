/**
 * A script that a test starts again and again, in one file with all that it imports of the project:
 * most of such a short process is finding and linking modules.
 */
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

/** Writes the script into the folder and gives its path there. */
export async function inOneFile(script: string, folder: string): Promise<string> {
  const external = /^node:/;
  const bundled = await rolldown({ input: script, platform: 'node', external, tsconfig: false });
  const file = join(folder, basename(script).replace(/\.ts$/, '.mjs'));
  await bundled.write({ file, format: 'esm' });
  return file;
}
