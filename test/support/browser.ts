/** A real browser for pages that must be shown as they are meant: Debian's chromium, where it is. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const found = spawnSync('chromium', ['--version'], { timeout: 20_000 });

/** Why no browser can be used; undefined where one can. */
export const noBrowser: string | undefined =
  found.status === 0 ? undefined : 'there is no chromium on this machine (apt install chromium)';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The document of a file after its scripts have run, as markup. */
export async function domOf(file: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'planvm-browser-'));
  try {
    const url = pathToFileURL(file).href;
    const own = [`--user-data-dir=${profile}`, '--virtual-time-budget=2000', '--dump-dom', url];
    const child = spawn('chromium', [...flags, ...own], { stdio: ['ignore', 'pipe', 'ignore'] });
    let dom = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      dom += text;
    });
    await once(child, 'close');
    return dom;
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
