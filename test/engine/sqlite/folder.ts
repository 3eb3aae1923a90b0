/** A folder for the databases of one test file, removed after its tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planvm-journal-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
