import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether dist/ is newer than its sources and than what makes it; folders show removals. */
export function isNewer(root: string): boolean {
  const built = statSync(join(root, 'dist/built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(['src/**', 'scripts/**', 'tsconfig*.json', 'package*.json'], {
    cwd: root,
  });
  return sources.every((path) => statSync(join(root, path)).mtimeMs < built);
}
