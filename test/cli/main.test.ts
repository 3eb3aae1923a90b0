/** The command line as a whole: what a person who types `planvm` meets first. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/planvm.js', import.meta.url));
const manifest: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

function planvm(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
}

test('--version prints the version of the package and nothing else', () => {
  const { status, stdout, stderr } = planvm('--version');
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});

test('an unknown option is a usage error on stderr with exit code 2', () => {
  const { status, stdout, stderr } = planvm('--versoin');
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('--version');
});
