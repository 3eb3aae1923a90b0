/** Writing files: whole or not at all, inside or not at all, and again without harm. */
import { chmodSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSpecs } from '../../../src/effects/files/specs.ts';
import { Sandbox } from './sandbox.ts';

const tools = ['write_file', 'replace_file', 'append_file'];

test('a new file, with the folders around it', async () => {
  using box = new Sandbox();
  expect(await box.call('write_file', { path: 'out/a/b/c.txt', text: 'é\n' })).toEqual({
    path: 'out/a/b/c.txt',
    bytes: 3,
    created: true,
  });
  expect(box.read('out/a/b/c.txt')).toBe('é\n');
  expect(readdirSync(join(box.out, 'a/b'))).toEqual(['c.txt']);
  expect(box.sources).toMatchObject([{ title: 'out/a/b/c.txt' }]);
  // A path that is in no allowed folder as it stands is taken from the first.
  await box.call('write_file', { path: 'd.txt', text: 'd' });
  expect(box.read('out/d.txt')).toBe('d');
});

test('what is there stays, unless it is to be replaced', async () => {
  using box = new Sandbox();
  box.write('out/a.txt', 'old');
  await expect(box.call('write_file', { path: 'a.txt', text: 'new' })).rejects.toMatchObject({
    code: 'PV4925',
    message: 'out/a.txt is there already, with another content',
    answered: true,
    mayHaveActed: false,
  });
  expect(box.read('out/a.txt')).toBe('old');
  // A second attempt of the same call finds its own work.
  expect(await box.call('write_file', { path: 'a.txt', text: 'old' })).toMatchObject({
    created: false,
  });
  chmodSync(join(box.out, 'a.txt'), 0o640);
  expect(await box.call('replace_file', { path: 'a.txt', text: 'newer' })).toEqual({
    ...{ path: 'out/a.txt', bytes: 5, created: false },
  });
  expect(box.read('out/a.txt')).toBe('newer');
  expect(statSync(join(box.out, 'a.txt')).mode & 0o777).toBe(0o640);
  expect(readdirSync(box.out)).toEqual(['a.txt']);
});

test('text is added at the end', async () => {
  using box = new Sandbox();
  expect(await box.call('append_file', { path: 'log', text: 'a\n' })).toMatchObject({
    created: true,
  });
  expect(await box.call('append_file', { path: 'log', text: 'b\n' })).toEqual({
    ...{ path: 'out/log', bytes: 4, created: false },
  });
  expect(box.read('out/log')).toBe('a\nb\n');
});

test.each(tools)('%s writes nowhere else', async (tool) => {
  using box = new Sandbox({ 'a.txt': 'a' });
  symlinkSync('../data', join(box.out, 'link'));
  symlinkSync('../secret.txt', join(box.out, 'file-link'));
  symlinkSync('../gone', join(box.out, 'dangling'));
  const write = (path: string): Promise<unknown> => box.call(tool, { path, text: 'x' });
  for (const path of ['../x.txt', '/tmp/x.txt', 'out/../../x', 'link/b.txt']) {
    await expect(write(path)).rejects.toMatchObject({ code: 'PV4920', mayHaveActed: false });
  }
  for (const path of ['.env', '.git/hooks/pre-commit', 'a/.b/c']) {
    await expect(write(path)).rejects.toMatchObject({
      code: 'PV4920',
      message: expect.stringContaining('its name begins with a dot'),
    });
  }
  for (const path of ['out', 'dangling/a/b.txt']) await expect(write(path)).rejects.toThrow();
  await write('file-link').catch(() => {});
  expect(box.read('secret.txt')).toBe('a secret');
  expect(box.read('data/a.txt')).toBe('a');
  expect(readdirSync(box.top).sort()).toEqual(['data', 'out', 'secret.txt']);
  expect(readdirSync(box.data)).toEqual(['a.txt']);
  await expect(box.call(tool, { path: 'a', text: '' }, { write: [] })).rejects.toMatchObject({
    code: 'PV4920',
    hint: 'allow one: planvm:files?write=FOLDER',
  });
});

test('a link is replaced itself; what it leads to stays', async () => {
  using box = new Sandbox();
  symlinkSync('../secret.txt', join(box.out, 'link'));
  expect(readlinkSync(join(box.out, 'link'))).toBe('../secret.txt');
  await box.call('replace_file', { path: 'link', text: 'x' });
  expect(box.read('out/link')).toBe('x');
  expect(box.read('secret.txt')).toBe('a secret');
});

test('folders are no files, files no folders', async () => {
  using box = new Sandbox();
  box.write('out/a/b', 'x');
  for (const tool of tools) {
    await expect(box.call(tool, { path: 'a', text: '' })).rejects.toMatchObject({ code: 'PV4923' });
    await expect(box.call(tool, { path: 'a/b/c', text: '' })).rejects.toMatchObject({
      code: 'PV4921',
    });
  }
});

test('calls at the same time: one of them makes the file', async () => {
  using box = new Sandbox();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      box.call('write_file', { path: 'a/b/same', text: String(at) }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(join(box.out, 'a/b'))).toEqual(['same']);
});

test('the classes: only what takes something away is destructive', () => {
  const classes = fileSpecs.map(({ name, effect, idempotent, destructive }) => [
    ...[name, effect, idempotent, destructive],
  ]);
  expect(classes).toEqual([
    ['read_file', 'read', true, false],
    ['list_files', 'read', true, false],
    ['write_file', 'write', true, false],
    ['replace_file', 'write', true, true],
    ['append_file', 'write', false, false],
  ]);
});
