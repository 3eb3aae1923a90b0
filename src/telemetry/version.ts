/** What version this is, as its package says. */
import { readFileSync } from 'node:fs';

export function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  const manifest: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}
