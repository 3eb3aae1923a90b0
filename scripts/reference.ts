/**
 * Writes docs/reference/ and schemas/ from the tables of the program, so that they cannot say
 * anything else than the code: `npm run reference`. A test fails where a page is not fresh.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaOf } from '../src/dialects/stackvm/index.ts';
import { actionsPage } from './reference/actions.ts';
import { cliPage } from './reference/cli.ts';
import { diagnosticsPage } from './reference/diagnostics.ts';
import { instructionsPage } from './reference/instructions.ts';
import { limitsPage } from './reference/limits.ts';
import { stackvmPage } from './reference/stackvm.ts';
import { starlarkPage } from './reference/starlark.ts';
import { toolSetsPage } from './reference/tool-sets.ts';
import { toolsPage } from './reference/tools.ts';

/** The generated files: path from the root of the repository, and text. */
export async function pages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/reference/cli.md', await cliPage()],
    ['docs/reference/tools.md', toolsPage()],
    ['docs/reference/tool-sets.md', toolSetsPage()],
    ['docs/reference/stackvm-1.md', stackvmPage('stackvm-1')],
    ['docs/reference/stackvm-2.md', stackvmPage('stackvm-2')],
    ['docs/reference/starlark.md', starlarkPage()],
    ['docs/reference/llmcompiler.md', actionsPage()],
    ['docs/reference/instructions.md', instructionsPage()],
    ['docs/reference/diagnostics.md', diagnosticsPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['schemas/stackvm-1.json', json(schemaOf('stackvm-1'))],
    ['schemas/stackvm-2.json', json(schemaOf('stackvm-2'))],
  ]);
}

const json = (data: unknown): string => `${JSON.stringify(data, null, 2)}\n`;

if (import.meta.main) {
  for (const [path, text] of await pages()) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    mkdirSync(new URL('.', `file://${file}`), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
}
