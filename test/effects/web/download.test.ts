/** `download`: pages, files, what is no text, and what is said of what is missing. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openFetch } from '../../../src/effects/web/fetch-page.ts';
import { openRobots } from '../../../src/effects/web/robots.ts';
import { attempt } from '../../support/attempt.ts';
import { startWebServer } from '../../support/web-server.ts';
import { type Page, type Site, startSite, webTools } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-web-'));
afterAll(() => rmSync(folder, { recursive: true }));

const words = 'The tide comes in twice a day, and goes out as often. '.repeat(12);

const article = `<!doctype html><html lang="en"><head><title>Tides &amp; moons</title>
<meta name="author" content="Ann Example"><meta property="article:published_time" content="2026-03-01">
</head><body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>Tides</h1><p>${words} See <a href="more/moon?x=1#top">the moon</a>.</p>
<table><tr><th>port</th><th>high</th><th>low</th></tr><tr><td>Brest</td><td>6.1</td><td>1.4</td></tr>
<tr><td colspan="2">Cadiz | south</td><td>0.9</td></tr></table>
<iframe src="/map.html" title="Map"></iframe></article><footer>Imprint</footer></body></html>`;

async function download(
  page: Page,
  args: Readonly<Record<string, unknown>> = {},
  options: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<Awaited<ReturnType<typeof webTools>>>> & { site: string }> {
  await using site = await startSite({ '/a/page': page });
  const call = await webTools(options);
  return { ...(await call('download', { url: `${site.url}/a/page`, ...args })), site: site.url };
}

describe('a page', () => {
  test('its content as Markdown, with its tables, absolute links and where it is from', async () => {
    const { result, sources, site } = await download({ body: article });
    expect(result).toMatchObject({
      ...{ title: 'Tides & moons', author: 'Ann Example', published: '2026-03-01' },
      ...{ contentType: 'text/html', language: 'en', url: `${site}/a/page` },
      frames: [`${site}/map.html`],
    });
    expect(result.text).toContain(`[the moon](${site}/a/more/moon?x=1#top)`);
    expect(result.text).toContain(
      ['| port | high | low |', '| --- | --- | --- |', '| Brest | 6.1 | 1.4 |'].join('\n'),
    );
    expect(result.text).toContain('| Cadiz \\| south |  | 0.9 |');
    expect(result.text).toContain(`[Frame: Map](${site}/map.html)`);
    expect(result.text).not.toMatch(/Imprint|About/);
    expect(sources).toEqual([
      {
        url: `${site}/a/page`,
        title: 'Tides & moons',
        fetchedAt: Date.parse(String(result.fetchedAt)),
      },
    ]);
  });

  test('all of it, and its links, where that is wanted', async () => {
    const { result, site } = await download({ body: article }, { whole: true, links: true });
    expect(result.text).toMatch(/About[\s\S]*# Tides[\s\S]*Imprint/);
    expect(result.links).toContainEqual({ text: 'the moon', url: `${site}/a/more/moon?x=1#top` });
  });

  test('of pages without content of their own, all of it', async () => {
    const body = '<p><a href=a>A</a></p><p><a href=b>B</a></p><ul><li>one<li>two</ul>';
    const { result, site } = await download({ body });
    expect(result.text).toContain(`[A](${site}/a/a)`);
    expect(result.text).toMatch(/one[\s\S]*two/);
  });

  test('what nobody sees of it stays out', async () => {
    const hidden = [
      '<p style="display:none">SECRET</p>',
      '<p style="visibility: hidden">SECRET</p>',
      '<p hidden>SECRET</p>',
      '<p aria-hidden="true">SECRET</p>',
      '<p style="font-size:0">SECRET</p>',
      '<p style="font-size: 1px">SECRET</p>',
      '<p style="opacity:0.01">SECRET</p>',
      '<p style="position:absolute;left:-9999px">SECRET</p>',
      '<p style="text-indent:-5000px">SECRET</p>',
      '<p style="color:#FFF;background:#fff">SECRET</p>',
      '<p style="color: transparent">SECRET</p>',
      '<p style="height:0;overflow:hidden">SECRET</p>',
      '<p style="clip-path: inset(100%)">SECRET</p>',
      '<!-- SECRET -->',
      '<script>SECRET</script>',
      '<noscript>SECRET</noscript>',
      '<template>SECRET</template>',
      '<svg><text>SECRET</text></svg>',
      '<object>SECRET</object>',
      `<p>seen${[...'SECRET'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}</p>`,
    ].join('\n');
    const body = article
      .replace('</head>', '<style>.SECRET { display: none }</style></head>')
      .replace('</article>', `${hidden}</article>`);
    for (const whole of [false, true]) {
      const { result } = await download({ body }, { whole });
      expect(result.text).not.toContain('SECRET');
      expect(result.text).not.toMatch(/[\u{E0000}-\u{E007F}]/u);
      expect(result.text).toContain('The tide comes in');
      expect(result.hidden).toBe(13);
    }
  });

  test('one that leads on by itself is followed, and not in a circle', async () => {
    const lead = (to: string): Page => ({
      body: `<meta http-equiv="Refresh" content="0; URL='${to}'">`,
    });
    const pages: Record<string, Page> = {
      '/a': lead('/b'),
      '/b': { body: `<p>${words}</p>` },
      '/c': lead('/d'),
      '/d': lead('/c'),
      '/e': lead('http://169.254.169.254/latest'),
      '/f': lead('javascript:alert(1)'),
    };
    await using site: Site = await startSite(pages);
    const call = await webTools();
    const at = async (path: string) => (await call('download', { url: site.url + path })).result;
    expect(await at('/a')).toMatchObject({ url: `${site.url}/b` });
    expect(await at('/c')).toMatchObject({ code: 'PV4742' });
    expect(await at('/e')).toMatchObject({ code: 'PV4741' });
    expect(await at('/f')).toMatchObject({ code: 'PV4748' });
  });

  test('a set of frames says which', async () => {
    const body =
      '<html><head><title>Old</title></head><frameset cols="1,2"><frame src="a.html" name="menu"><frame src="b.html"></frameset></html>';
    const { result, site } = await download({ body });
    expect(result.frames).toEqual([`${site}/a/a.html`, `${site}/a/b.html`]);
    expect(result.text).toContain(`[Frame: menu](${site}/a/a.html)`);
  });

  test('too deep and too large for a search of its content', async () => {
    const deep = `${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`;
    const large = `<p>${'large '.repeat(300_000)}</p>`;
    const { result } = await download({ body: deep + large }, { maxCharacters: 1000 });
    expect(result.text).toMatch(/^deep\s+large large/);
    expect(result.truncated).toBe('characters 0 to 1000 of 1800005; offset=1000 goes on');
  });
});

describe('how much', () => {
  test('a part is said to be one, and the next goes on', async () => {
    const body = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n');
    const { result, context } = await download(
      { type: 'text/plain', body },
      { maxCharacters: 100 },
    );
    expect(result).toMatchObject({
      text: body.slice(0, 100),
      truncated: `characters 0 to 100 of ${body.length}; offset=100 goes on`,
    });
    expect(context.warnings).toEqual([
      expect.stringContaining('not all of it: characters 0 to 100'),
    ]);
    const rest = await download({ type: 'text/plain', body }, { offset: 100 });
    expect(rest.result.text).toBe(body.slice(100));
    const beyond = await download({ type: 'text/plain', body }, { offset: 5000 });
    expect(beyond.result).toMatchObject({ code: 'PV4751' });
  });

  test('a character stays whole', async () => {
    const body = `${'a'.repeat(99)}🐻`;
    const { result } = await download({ type: 'text/plain', body }, { maxCharacters: 100 });
    expect(result.text).toBe('a'.repeat(99));
  });

  test('what is too large is not fetched', async () => {
    const body = gzipSync(Buffer.alloc(2 ** 21, 'a'));
    const page = { type: 'text/plain', headers: { 'content-encoding': 'gzip' }, body };
    const { result } = await download(page, {}, { megabytes: '1' });
    expect(result).toMatchObject({ code: 'PV4743', hint: 'ask for less' });
  });
});

describe('what the bytes are', () => {
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0', 'latin1'),
    deflateSync(Buffer.alloc(100)),
  ]);

  const jpeg = Buffer.from(
    `ffd8ffe00010${'00'.repeat(14)}ffc40004aaaaffc2001108${'01e00280'}03${'00'.repeat(9)}`,
    'hex',
  );
  const webp = (chunk: string, rest: string): Buffer =>
    Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`), Buffer.from(rest, 'hex')]);

  test.each<[string, Page, object]>([
    ['JSON that is called a page', { body: '{"a": [1, 2]}' }, { text: '{"a": [1, 2]}' }],
    [
      'a page without a type',
      { type: '', body: `<!DOCTYPE html><p>${words}` },
      { contentType: 'text/html' },
    ],
    [
      'a page that is called data',
      { type: 'application/octet-stream', body: `<html><p>${words}` },
      { contentType: 'text/html' },
    ],
    [
      'a page that is called text stays as it is',
      { type: 'text/plain', body: '<html><p>x' },
      { text: '<html><p>x', contentType: 'text/plain' },
    ],
    [
      'CSV',
      { type: 'text/csv', body: 'a,b\n1,2\n' },
      { text: 'a,b\n1,2\n', contentType: 'text/csv' },
    ],
    ['XML', { type: 'application/xml', body: '<a>1</a>' }, { text: '<a>1</a>' }],
    ['nothing', { type: 'text/plain', body: '' }, { text: '' }],
  ])('%s', async (_what, page, expected) => {
    expect((await download(page)).result).toMatchObject(expected);
  });

  test.each<[string, Page, RegExp]>([
    [
      'a picture',
      { type: 'image/png', body: png },
      /it is an image \(image\/png, 640 × 480\), \d+ bytes/,
    ],
    ['a picture that is called a page', { body: png }, /an image \(image\/png/],
    ['a JPEG with tables before its frame', { body: jpeg }, /an image \(image\/jpeg, 640 × 480\)/],
    ['a JPEG that breaks off', { body: jpeg.subarray(0, 20) }, /an image \(image\/jpeg\)/],
    ['a WebP with losses', { body: webp('VP8 ', '0000009d012a8002e001') }, /webp, 640 × 480/],
    ['one without', { body: webp('VP8L', '2f7fc277000000000000') }, /webp, 640 × 480/],
    ['one of several', { body: webp('VP8X', '000000007f0200df0100') }, /webp, 640 × 480/],
    ['an archive', { body: Buffer.from('PK\x03\x04xl/workbook', 'latin1') }, /an archive/],
    ['a program', { type: 'text/html', body: Buffer.from('\x7fELF\x02', 'latin1') }, /a program/],
    [
      'what nobody knows',
      { type: 'application/x-thing', body: Buffer.from([1, 2, 0, 3]) },
      /of the type application\/x-thing, 4 bytes/,
    ],
  ])('%s is a failure where no picture is asked for', async (_what, page, message) => {
    const { result } = await download(page);
    expect(result).toMatchObject({ code: 'PV4746', answered: true });
    expect(result.message).toMatch(message);
  });

  test('a picture that is asked for is returned, with what it is as text', async () => {
    const { result } = await download({ type: 'image/png', body: png }, { picture: true });
    expect(result).toMatchObject({
      ...{ text: 'an image (image/png, 640 × 480)', title: '', contentType: 'image/png' },
      picture: {
        ...{ type: 'image', mimeType: 'image/png', bytes: png.byteLength },
        data: Buffer.from(png).toString('base64'),
      },
    });
    const archive = { body: Buffer.from('PK\x03\x04xl/workbook', 'latin1') };
    expect((await download(archive, { picture: true })).result).toMatchObject({ code: 'PV4746' });
  });
});

describe('encodings', () => {
  const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  test.each<[string, Page, string, number]>([
    ['UTF-8 with nothing said', { type: 'text/plain', body: 'Zürich' }, 'Zürich', 0],
    ['a mark', { type: 'text/plain', body: '\ufeffZürich' }, 'Zürich', 0],
    [
      'UTF-16 with its mark',
      { type: 'text/plain', body: Buffer.from('\ufeffZürich', 'utf16le') },
      'Zürich',
      0,
    ],
    [
      'what was said',
      { type: 'text/plain; charset=ISO-8859-1', body: latin('Zürich') },
      'Zürich',
      0,
    ],
    ['said, and wrong', { type: 'text/plain; charset=utf-8', body: latin('Zürich') }, 'Zürich', 1],
    ['nothing said, and wrong', { type: 'text/plain', body: latin('Zürich €') }, 'Zürich', 1],
    [
      'called Latin, but UTF-8',
      { type: 'text/plain; charset=latin1', body: 'Zürich' },
      'Zürich',
      1,
    ],
    ['a name of none', { type: 'text/plain; charset=klingon', body: latin('Zürich') }, 'Zürich', 1],
    [
      'said by the page',
      { body: latin('<meta charset="windows-1252"><p>Zürich is a city.</p>') },
      'Zürich',
      0,
    ],
    [
      'said by the page in the old way',
      {
        body: Buffer.concat([
          Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>'),
          Buffer.from([0xed, 0xcf, 0xd3, 0xcb, 0xd7, 0xc1]),
        ]),
      },
      'Москва',
      0,
    ],
    [
      'Japanese',
      {
        type: 'text/plain; charset=Shift_JIS',
        body: Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      },
      '日本',
      0,
    ],
  ])('%s', async (_what, page, text, warnings) => {
    const { result, context } = await download(page);
    expect(result.text).toContain(text);
    expect(context.warnings).toHaveLength(warnings);
  });
});

describe('a file', () => {
  const read = async (name: string, options: Record<string, string> = {}) => {
    const call = await webTools({ read: folder, ...options });
    return (await call('download', { url: name })).result;
  };

  test('inside of the folders that are allowed', async () => {
    writeFileSync(join(folder, 'note.txt'), 'a note');
    writeFileSync(join(folder, 'page.html'), `<title>P</title><p>${words}<a href="b.html">b</a>`);
    expect(await read('note.txt')).toMatchObject({ text: 'a note', contentType: 'text/plain' });
    expect(await read(join(folder, 'page.html'))).toMatchObject({ title: 'P' });
    expect(await read(`file://${folder}/note.txt`)).toMatchObject({ text: 'a note' });
  });

  test('and nowhere else', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.txt'));
    for (const path of ['/etc/passwd', 'file:///etc/passwd', '../../../etc/passwd', 'link.txt']) {
      expect(await read(path)).toMatchObject({ code: 'PV4920' });
    }
  });

  test('what looks like an address without its beginning', async () => {
    expect(await read('www.example.com/x')).toMatchObject({
      ...{ code: 'PV4751', hint: 'write https://www.example.com/x' },
    });
  });
});

describe('what a site says', () => {
  test.each<[number, Record<string, string>, object]>([
    [404, {}, { code: 'PV4747', message: expect.stringMatching(/no such page \(404\)$/) }],
    [401, {}, { code: 'PV4747', hint: expect.stringContaining('browse of planvm:browser') }],
    [403, { 'cf-mitigated': 'challenge' }, { hint: expect.stringContaining('a browser') }],
    [451, {}, { message: expect.stringContaining('by law') }],
    [204, {}, { code: 'PV4747' }],
    [429, { 'retry-after': '3' }, { code: 'PV4702', retryable: true, retryAfterMs: 3000 }],
    [503, {}, { code: 'PV4702', retryable: true }],
  ])('%i', async (status, headers, failure) => {
    const { result } = await download({ status, headers });
    expect(result).toMatchObject({ retryable: false, ...failure });
  });

  const robots = 'User-agent: *\nDisallow: /a\n\nUser-agent: friend\nAllow: /\n';

  test('its rules for programs are kept', async () => {
    const pages = { '/a/page': { body: article }, '/b': { body: article } };
    await using site = await startSite({
      ...pages,
      '/robots.txt': { type: 'text/plain', body: robots },
    });
    const call = await webTools();
    const refused = (await call('download', { url: `${site.url}/a/page` })).result;
    expect(refused).toMatchObject({
      code: 'PV4745',
      hint: expect.stringContaining('robots=ignore'),
    });
    expect((await call('download', { url: `${site.url}/b` })).result).toHaveProperty('text');
    expect(site.asked).toEqual(['/robots.txt', '/b']);
    for (const options of [{ robots: 'ignore' }, { userAgent: 'friend/2.0' }]) {
      const other = await webTools(options);
      expect((await other('download', { url: `${site.url}/a/page` })).result).toHaveProperty(
        'text',
      );
    }
  });

  test('by a redirect, too', async () => {
    await using site = await startSite({
      '/robots.txt': { type: 'text/plain', body: robots },
      '/go': { status: 302, headers: { location: '/a/page' } },
      '/a/page': { body: article },
    });
    const call = await webTools();
    const { result } = await call('download', { url: `${site.url}/go` });
    expect(result).toMatchObject({ code: 'PV4745' });
    expect(site.asked).not.toContain('/a/page');
  });

  test('that one call was given up while it asked for them costs no other', async () => {
    const [first, second] = [attempt(), attempt()];
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let times = 0;
    await using server = await startWebServer(({ url }) => {
      if (url.pathname !== '/robots.txt') return { body: article };
      isAsked();
      return times++ === 0 ? { hang: true } : { status: 404 };
    });
    const visit = openFetch({
      ...{ inside: 'loopback', userAgent: 'planvm', bytesMax: 2 ** 20, robots: openRobots() },
    });
    const one = visit(new URL('/b', server.url), first);
    const other = visit(new URL('/b', server.url), second);
    await asked;
    first.abort(new Error('too late'));
    await expect(one).rejects.toThrow('too late');
    expect(await other).toMatchObject({ status: 200 });
  });

  test('rules that cannot be had forbid all, for now; none forbid nothing', async () => {
    await using site = await startSite({ '/robots.txt': { status: 503 }, '/b': { body: article } });
    const call = await webTools();
    const { result } = await call('download', { url: `${site.url}/b` });
    expect(result).toMatchObject({ code: 'PV4702', retryable: true });
    expect(site.asked).not.toContain('/b');
  });
});
