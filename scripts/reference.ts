/**
 * Writes docs/reference/ from the tables of the program, so that the documents cannot say anything
 * else than the code: `npm run reference`. A test fails where a page is not fresh.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { diagnosticsPage } from './reference/diagnostics.ts';
import { instructionsPage } from './reference/instructions.ts';
import { limitsPage } from './reference/limits.ts';

/** The generated pages: path from the root of the repository, and text. */
export function pages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/reference/instructions.md', instructionsPage()],
    ['docs/reference/diagnostics.md', diagnosticsPage()],
    ['docs/reference/limits.md', limitsPage()],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of pages()) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    mkdirSync(new URL('.', `file://${file}`), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
}
