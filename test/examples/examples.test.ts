/**
 * Every folder of examples/ through the real command line, each in a copy of its own: what
 * `example.json` says the commands print, they print.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { planvm, runScript } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const examples = join(root, 'examples');
const temporary = mkdtempSync(join(tmpdir(), 'planvm-examples-'));

const Example = z.strictObject({
  title: z.string(),
  /** A program that serves for all commands, on the port 0; its address goes into the variable. */
  server: z.strictObject({ script: z.string(), variable: z.string() }).optional(),
  commands: z.array(
    z.strictObject({
      /** What follows `planvm`. */
      args: z.array(z.string()).optional(),
      /** Instead: a program that imports planvm. */
      script: z.string().optional(),
      /** Null where the process is killed. */
      exit: z.number().nullable(),
      /** Lines on stdin. */
      input: z.array(z.string()).optional(),
      /** All of it. */
      stdout: z.string().optional(),
      /** A part of it. */
      stderr: z.string().optional(),
      /** A part of the document on stdout. */
      json: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
      /** Parts of some of the lines on stdout, in their order. */
      events: z.array(z.record(z.string(), z.unknown())).optional(),
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
  const { title, server, commands } = Example.parse(JSON.parse(text));
  describe(`${folder}: ${title}`, () => {
    const cwd = join(temporary, folder);
    cpSync(join(examples, folder), cwd, { recursive: true });
    const env: Record<string, string> = {};
    if (server) {
      beforeAll(async () => {
        const { address, end } = startServer(join(cwd, server.script));
        env[server.variable] = await address;
        return end;
      });
    }
    for (const { args = [], script, input: lines = [], ...expected } of commands) {
      const line = script === undefined ? `planvm ${args.join(' ')}` : `node ${script}`;
      test(line, async () => {
        const done =
          script === undefined
            ? await planvm(args, { cwd, env, input: lines.map((text) => `${text}\n`).join('') })
            : await runScript(script, { cwd, env });
        expect(`${done.stderr}\nexit ${done.code}`).toContain(`\nexit ${expected.exit}`);
        if (expected.stdout !== undefined) expect(done.stdout).toBe(expected.stdout);
        if (expected.stderr !== undefined) expect(done.stderr).toContain(expected.stderr);
        if (expected.json) expect(JSON.parse(done.stdout)).toMatchObject(expected.json);
        if (expected.events) expectInOrder(done.stdout, expected.events);
        for (const [name, content] of Object.entries(expected.files ?? {})) {
          expect(readFileSync(join(cwd, name), 'utf8')).toBe(content);
        }
      });
    }
  });
}

/** A program that prints the address at which it serves, until it is ended. */
function startServer(script: string): { address: Promise<string>; end: () => Promise<void> } {
  const child = spawn(process.execPath, [script, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const address = once(child.stdout, 'data').then(([text]) => String(text).trim());
  return {
    address,
    async end() {
      child.kill();
      await ended;
    },
  };
}

/** Each event is the next one of its type. */
function expectInOrder(stdout: string, events: readonly Readonly<Record<string, unknown>>[]): void {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const event of events) {
    while (lines.length > 0 && lines[0].type !== event.type) lines.shift();
    expect(lines.shift()).toMatchObject(event);
  }
}
