/** A run whose process is killed at a point of its way, and taken up by another process. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
const script = fileURLToPath(new URL('./victim.ts', import.meta.url));

interface Ended {
  readonly signal: string | null;
  readonly result: { readonly points?: number } & Record<string, unknown>;
}

function victim(name: string, point?: number): Ended {
  const args = [script, `${folder}/${name}.db`, `${folder}/${name}.txt`];
  if (point !== undefined) args.push(String(point));
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { signal, result: stdout === '' ? {} : JSON.parse(stdout) };
}

const worldOf = (name: string): string => readFileSync(`${folder}/${name}.txt`, 'utf8');

function unharmed(name: string): Ended['result'] {
  writeFileSync(`${folder}/${name}.txt`, '');
  return victim(name).result;
}

const whole = unharmed('whole');
const points = whole.points ?? 0;

test('the run that is left alone', () => {
  expect(whole).toMatchObject({
    answer: 'wrote read 3',
    said: ['"begin"', '"wrote read wrote read 2"', '"wrote read 3"'],
  });
  expect(worldOf('whole').split('\n')).toHaveLength(4);
  expect(points).toBeGreaterThan(20);
});

// Each is two processes; every third point meets all kinds of them.
test.each(Array.from({ length: Math.floor((points - 2) / 3) }, (_, i) => 2 + 3 * i))(
  'killed at point %d',
  (point) => {
    const name = `killed-${point}`;
    writeFileSync(`${folder}/${name}.txt`, '');
    expect(victim(name, point).signal).toBe('SIGKILL');
    const { points: _, ...result } = victim(name).result;
    const { points: __, ...expected } = whole;
    expect(result).toEqual(expected);
    expect(worldOf(name)).toBe(worldOf('whole'));
  },
);
