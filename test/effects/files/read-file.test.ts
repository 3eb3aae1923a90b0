/** Reading and listing files: what is allowed, what is text, and every way out that is closed. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/effects/files/charset.ts';
import { openInside } from '../../../src/effects/files/folders.ts';
import { matchesGlob } from '../../../src/effects/files/glob.ts';
import { fileLimits } from '../../../src/effects/files/specs.ts';
import { Sandbox } from './sandbox.ts';

describe('read_file', () => {
  test('a text, where it is from, and how long it is', async () => {
    using box = new Sandbox({ 'a.txt': 'one\ntwo\n' });
    const whole = {
      text: 'one\ntwo\n',
      path: 'data/a.txt',
      lines: { first: 1, last: 2, total: 2 },
      encoding: 'utf-8',
      modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    // From the base, from the allowed folder, from the root, as an address.
    const file = join(box.data, 'a.txt');
    for (const path of [
      'data/a.txt',
      'a.txt',
      './data/../data/a.txt',
      file,
      pathToFileURL(file).href,
    ]) {
      expect(await box.call('read_file', { path })).toEqual(whole);
    }
    expect(box.sources[0]).toEqual({ url: pathToFileURL(file).href, title: 'data/a.txt' });
  });

  test('some of its lines', async () => {
    using box = new Sandbox({ 'a.txt': 'one\r\ntwo\nthree', 'empty.txt': '' });
    const lines = (first_line?: number, last_line?: number): Promise<unknown> =>
      box.call('read_file', {
        path: 'a.txt',
        ...(first_line !== undefined && { first_line }),
        ...(last_line !== undefined && { last_line }),
      });
    expect(await lines(2, 2)).toMatchObject({
      text: 'two\n',
      lines: { first: 2, last: 2, total: 3 },
    });
    expect(await lines(3)).toMatchObject({ text: 'three' });
    expect(await lines(undefined, 1)).toMatchObject({ text: 'one\r\n' });
    expect(await lines(2, 99)).toMatchObject({ text: 'two\nthree', lines: { last: 3 } });
    await expect(lines(4)).rejects.toMatchObject({
      code: 'PV4927',
      message: 'got line 4, but data/a.txt has 3 lines',
    });
    await expect(lines(3, 2)).rejects.toMatchObject({ code: 'PV4927' });
    await expect(lines(0)).rejects.toMatchObject({
      code: 'PV4201',
      message: expect.stringContaining('first_line'),
    });
    expect(await box.call('read_file', { path: 'empty.txt' })).toMatchObject({
      text: '',
      lines: { first: 1, last: 0, total: 0 },
    });
  });

  test.each<[string, string]>([
    ['../secret.txt', 'PV4920'],
    ['data/../../secret.txt', 'PV4920'],
    ['/etc/passwd', 'PV4920'],
    ['file:///etc/passwd', 'PV4920'],
    ['file://elsewhere/etc/passwd', 'PV4920'],
    ['a\0.txt', 'PV4920'],
    ['', 'PV4201'],
    ['link.txt', 'PV4920'],
    ['folder-link/secret.txt', 'PV4920'],
    ['loop', 'PV4920'],
    ['plain-name', 'PV4920'],
    ['.env', 'PV4920'],
    ['.git/config', 'PV4920'],
    ['nothing.txt', 'PV4921'],
    ['a.txt/b', 'PV4921'],
    ['inner', 'PV4923'],
    ['data', 'PV4923'],
    ['pipe', 'PV4923'],
    ['socket', 'PV4923'],
    ['null-link', 'PV4923'],
  ])('%j is closed: %s', async (path, code) => {
    using box = new Sandbox({
      'a.txt': 'a',
      '.env': 'KEY=1',
      '.git/config': '',
      'inner/b.txt': '',
    });
    symlinkSync('../secret.txt', join(box.data, 'link.txt'));
    symlinkSync(box.top, join(box.data, 'folder-link'));
    symlinkSync('loop', join(box.data, 'loop'));
    symlinkSync('.env', join(box.data, 'plain-name'));
    symlinkSync('/dev/zero', join(box.data, 'null-link'));
    execFileSync('mkfifo', [join(box.data, 'pipe')]);
    const server = createServer().listen(join(box.data, 'socket'));
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const failure = await box.call('read_file', { path }).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ code, answered: true, mayHaveActed: false });
      expect(String(failure)).not.toContain('a secret');
    } finally {
      server.close();
    }
  });

  test('links that stay inside are followed; allowed folders may be links', async () => {
    using box = new Sandbox({ 'a.txt': 'a', '.env': 'KEY=1' });
    symlinkSync('a.txt', join(box.data, 'b.txt'));
    symlinkSync(box.data, join(box.top, 'alias'));
    linkSync(join(box.data, 'a.txt'), join(box.data, 'c.txt'));
    expect(await box.call('read_file', { path: 'b.txt' })).toMatchObject({ text: 'a' });
    expect(await box.call('read_file', { path: 'c.txt' })).toMatchObject({ text: 'a' });
    const aliased = { read: [join(box.top, 'alias')] };
    expect(await box.call('read_file', { path: 'alias/a.txt' }, aliased)).toMatchObject({
      path: 'alias/a.txt',
    });
    expect(await box.call('read_file', { path: '.env' }, { hidden: true })).toMatchObject({
      text: 'KEY=1',
    });
  });

  test.each<[string, Uint8Array, string, string | undefined]>([
    ['UTF-8 with a mark', Buffer.from('\ufeffé'), 'é', undefined],
    ['UTF-16 with a mark', Buffer.from('\ufeffé', 'utf16le'), 'é', undefined],
    ['UTF-16 without', Buffer.from('abc', 'utf16le'), 'abc', 'no byte order mark'],
    ['an old encoding', Buffer.from('caf\xe9 \x80', 'latin1'), 'café €', 'windows-1252'],
  ])('%s', (_what, bytes, text, note) => {
    const decoded = decodeText(bytes, 'a.txt');
    expect(decoded.text).toBe(text);
    if (note === undefined) expect(decoded.note).toBe(undefined);
    else expect(decoded.note).toContain(note);
  });

  test('what is no text is refused, with what reads it', async () => {
    using box = new Sandbox({
      'a.pdf': '%PDF-1.4 …',
      'a.xlsx': Buffer.from('504b0304aa', 'hex'),
      'a.bin': Buffer.from('61006200630a00ff', 'hex'),
      'latin.txt': Buffer.from('caf\xe9', 'latin1'),
      'sjis.txt': Buffer.from('93fa967b', 'hex'),
    });
    const read = (path: string, encoding?: string): Promise<unknown> =>
      box.call('read_file', { path, ...(encoding !== undefined && { encoding }) });
    await expect(read('a.pdf')).rejects.toMatchObject({
      code: 'PV4924',
      message: 'data/a.pdf is a PDF, want text',
      hint: 'parse_pdf reads it',
    });
    await expect(read('a.xlsx')).rejects.toMatchObject({
      hint: 'read_table reads the sheets of an XLSX file',
    });
    await expect(read('a.bin')).rejects.toMatchObject({ code: 'PV4924' });
    await expect(read('latin.txt', 'utf-8')).rejects.toMatchObject({
      message: 'data/latin.txt is not utf-8',
    });
    await expect(read('latin.txt', 'klingon')).rejects.toMatchObject({
      message: 'encoding: got "klingon", want the name of one',
    });
    expect(await read('sjis.txt', 'shift_jis')).toMatchObject({ text: '日本' });
    await read('latin.txt');
    expect(box.context.warnings).toEqual([
      'data/latin.txt is not UTF-8: it was read as windows-1252; encoding names another',
    ]);
  });

  test('too much text is asked for in lines', async () => {
    using box = new Sandbox({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(50_000) });
    await expect(box.call('read_file', { path: 'big.txt' })).rejects.toMatchObject({
      code: 'PV4922',
      message: `data/big.txt: got 5000000 characters, want at most ${fileLimits.characters}`,
    });
    const last = await box.call('read_file', { path: 'big.txt', first_line: 50_000 });
    expect(last).toMatchObject({ lines: { first: 50_000, last: 50_000, total: 50_000 } });
  });

  test.runIf(process.platform === 'linux')(
    'a folder that is exchanged for a link at every moment leads out at none',
    async () => {
      using box = new Sandbox({ 'folder/file': 'fine' });
      box.write('outside/file', 'a secret');
      const workerData = { inside: box.data, outside: join(box.top, 'outside') };
      const swapper = new Worker(new URL('./swap-thread.ts', import.meta.url), { workerData });
      try {
        const seen = new Set<unknown>();
        // Enough that one which only compares files meets the moment dozens of times.
        for (let turn = 0; turn < 2_000; turn++) {
          const result = await openInside('folder/file', box.folders()).then(
            async (file) => {
              await using open = file;
              return await open.handle.readFile('utf8');
            },
            (thrown: { code?: string }) => thrown.code,
          );
          seen.add(result);
        }
        expect([...seen].filter((one) => !['PV4920', 'PV4921'].includes(String(one)))).toEqual([
          'fine',
        ]);
      } finally {
        await swapper.terminate();
      }
    },
  );

  test('nothing is read where no folder may be', async () => {
    using box = new Sandbox({ 'a.txt': 'a' });
    await expect(box.call('read_file', { path: 'a.txt' }, { read: [] })).rejects.toMatchObject({
      code: 'PV4920',
      hint: 'allow one: planvm:files?read=FOLDER',
    });
  });
});

describe('list_files', () => {
  const files = {
    'a.csv': '1',
    'b.txt': '22',
    'sub/c.csv': '',
    'sub/deep/d.csv': '',
    '.hidden.csv': '',
    '.git/e.csv': '',
  };
  const paths = (listed: unknown): string[] =>
    (listed as { path: string }[]).map(({ path }) => path);

  test.each<[Record<string, unknown>, string[]]>([
    [{}, ['data/a.csv', 'data/b.txt', 'data/sub/c.csv', 'data/sub/deep/d.csv']],
    [{ pattern: '*.csv' }, ['data/a.csv', 'data/sub/c.csv', 'data/sub/deep/d.csv']],
    [{ pattern: 'sub/*.csv' }, ['data/sub/c.csv']],
    [{ pattern: 'sub/**/*.csv' }, ['data/sub/c.csv', 'data/sub/deep/d.csv']],
    [{ pattern: '?.txt' }, ['data/b.txt']],
    [{ folder: 'sub' }, ['data/sub/c.csv', 'data/sub/deep/d.csv']],
    [{ pattern: '*.doc' }, []],
  ])('%j', async (args, expected) => {
    using box = new Sandbox(files);
    expect(paths(await box.call('list_files', args))).toEqual(expected);
  });

  test('with sizes; links to files that may be read count, others do not', async () => {
    using box = new Sandbox({ 'b.txt': '22' });
    symlinkSync('b.txt', join(box.data, 'link.txt'));
    symlinkSync('../secret.txt', join(box.data, 'out.txt'));
    symlinkSync(box.top, join(box.data, 'up'));
    expect(await box.call('list_files', {})).toEqual([
      { path: 'data/b.txt', bytes: 2, modified: expect.any(String) },
      { path: 'data/link.txt', bytes: 2, modified: expect.any(String) },
    ]);
    await expect(box.call('list_files', { folder: 'up' })).rejects.toMatchObject({
      code: 'PV4920',
    });
    await expect(box.call('list_files', { folder: 'none' })).rejects.toMatchObject({
      code: 'PV4921',
    });
  });

  test('more than one call lists', async () => {
    using box = new Sandbox();
    mkdirSync(join(box.data, 'many'));
    for (let at = 0; at <= fileLimits.listed; at++) box.write(`data/many/${at}.txt`, '');
    await expect(box.call('list_files', {})).rejects.toMatchObject({ code: 'PV4928' });
    expect(await box.call('list_files', { pattern: '100?.txt' })).toHaveLength(1);
  });
});

test.each<[string, string, boolean]>([
  ['a/b/c.txt', '**', true],
  ['a/b/c.txt', 'a/**/c.txt', true],
  ['a/c.txt', 'a/**/c.txt', true],
  ['a/b/c.txt', '**/b/*.txt', true],
  ['a/b/c.txt', 'a/*.txt', false],
  ['abc', 'a*c', true],
  ['abcd', 'a*c', false],
  ['abc', 'a?c', true],
  ['é', '?', true],
  ['a.c', 'a[.]c', false],
])('%s against %s: %s', (path, pattern, expected) => {
  expect(matchesGlob(path, pattern)).toBe(expected);
});

test('a pattern of many stars takes no time', () => {
  expect(matchesGlob('a'.repeat(4_000), `${'*a'.repeat(400)}b`)).toBe(false);
  expect(matchesGlob('a/'.repeat(2_000), `${'**/a/'.repeat(190)}b`)).toBe(false);
});
