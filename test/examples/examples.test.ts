/**
 * Every folder of examples/ through the real command line, each in a copy of its own: what
 * `example.json` says the commands print, they print.
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { planvm } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const examples = join(root, 'examples');
const temporary = mkdtempSync(join(tmpdir(), 'planvm-examples-'));

const Example = z.strictObject({
  title: z.string(),
  commands: z.array(
    z.strictObject({
      args: z.array(z.string()),
      exit: z.number(),
      /** All of it. */
      stdout: z.string().optional(),
      /** A part of it. */
      stderr: z.string().optional(),
      /** A part of the document on stdout. */
      json: z.record(z.string(), z.unknown()).optional(),
      /** Files as they are afterwards. */
      files: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const folders = globSync('*/example.json', { cwd: examples })
  .map((path) => path.slice(0, path.indexOf('/')))
  .sort();

afterAll(() => rmSync(temporary, { recursive: true }));

test('every folder of examples/ has an example.json and a row in the list', () => {
  const list = readFileSync(join(examples, 'README.md'), 'utf8');
  const all = globSync('*/', { cwd: examples }).sort();
  expect(all).toEqual(folders);
  for (const folder of folders) expect(list).toContain(`| \`${folder}\` |`);
});

for (const folder of folders) {
  const text = readFileSync(join(examples, folder, 'example.json'), 'utf8');
  const { title, commands } = Example.parse(JSON.parse(text));
  describe(`${folder}: ${title}`, () => {
    const cwd = join(temporary, folder);
    cpSync(join(examples, folder), cwd, { recursive: true });
    for (const command of commands) {
      test(`planvm ${command.args.join(' ')}`, { timeout: 60_000 }, async () => {
        const done = await planvm(command.args, { cwd });
        expect(`${done.stderr}\nexit ${done.code}`).toContain(`\nexit ${command.exit}`);
        if (command.stdout !== undefined) expect(done.stdout).toBe(command.stdout);
        if (command.stderr !== undefined) expect(done.stderr).toContain(command.stderr);
        if (command.json) expect(JSON.parse(done.stdout)).toMatchObject(command.json);
        for (const [name, content] of Object.entries(command.files ?? {})) {
          expect(readFileSync(join(cwd, name), 'utf8')).toBe(content);
        }
      });
    }
  });
}
