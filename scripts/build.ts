/**
 * Makes dist/, or the folder that is named: JavaScript, declarations, and what is read beside
 * them. Its last act is the stamp that lets bin/planvm.js tell a whole build, and one that is newer
 * than the sources. With --if-older nothing is made where dist/ is newer than all it is made of; the
 * folder that is named gets a copy of it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { isNewer } from './is-newer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
const compiler = join(dirname(manifest), 'bin', 'tsc');

const dist = join(root, 'dist');
const [named = dist] = process.argv.slice(2).filter((arg) => arg !== '--if-older');
const made = resolve(named);

if (process.argv.includes('--if-older') && isNewer(root)) {
  if (made !== dist) cpSync(dist, made, { recursive: true });
  process.stdout.write('dist/ is newer than its sources\n');
  process.exit(0);
}

rmSync(made, { recursive: true, force: true });
const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', made];
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
dropUnused(['index', 'browser', 'starlark/index'].map((entry) => join(made, `${entry}.d.ts`)));
await bundle(join(root, 'src'), made);
cpSync(join(root, 'src/loops'), join(made, 'loops'), { recursive: true });
cpSync(join(root, 'src/page/style.css'), join(made, 'page/style.css'));
writeFileSync(join(made, 'built'), '');

/** Of the declarations only those are kept that the entries' own lead to: nobody sees the rest. */
function dropUnused(entries: readonly string[]): void {
  const used = new Set(entries);
  for (const file of used) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /['"](\.{1,2}\/[^'"]+)\.ts['"]/g,
    )) {
      used.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: made })) {
    if (!used.has(join(made, name))) rmSync(join(made, name));
  }
}
