/**
 * Which of some files have to do with a module: they import it, or name one that does, as something
 * to start in another process. Read off the text, since configurations do that at every start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './repo.ts';

/** Of `files`, those from which names of modules lead to one of `targets`; paths from the root. */
export function leadingTo(targets: readonly string[], files: readonly string[]): string[] {
  const known = new Map<string, readonly string[]>();
  const leads = (file: string): boolean => {
    const seen = new Set([file]);
    for (const one of seen) {
      if (targets.includes(one)) return true;
      const named = known.get(one) ?? modulesNamedIn(one);
      known.set(one, named);
      for (const name of named) seen.add(name);
    }
    return false;
  };
  return files.filter(leads);
}

/** Of types nothing is there when a program runs. */
const typesOnly = /^(?:import|export) type [^;]*;/gm;

function modulesNamedIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(typesOnly, '');
  const names = [...text.matchAll(/['"`](\.{1,2}\/[^'"`\n]+\.ts)['"`]/g)];
  const paths = names.map(([, name = '']) => join(dirname(file), name));
  // Guest programs in strings name files, too.
  return paths.filter((path) => existsSync(join(root, path)));
}
