/** The files of this repository as the tidy tests see them: paths from its root, text on demand. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const skipped = new Set(['.git', '.planvm', 'coverage', 'dist', 'node_modules']);

/** Every file under `folder`, sorted, without what is built or installed. */
export function filesUnder(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(`${root}/${path}`, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inner);
      else if (entry.isFile()) found.push(inner);
    }
  };
  visit(folder);
  return found.sort();
}

/** The TypeScript files under the folders, without declarations. */
export function sourcesUnder(...folders: string[]): string[] {
  return folders
    .flatMap(filesUnder)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
}

/** The text of a file, named by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}
