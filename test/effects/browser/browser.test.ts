/** Pages by a real browser: with scripts, signed in, and kept to what may be reached. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { browserSet } from '../../../src/effects/browser/set.ts';
import { openSet } from '../../../src/effects/tool-set.ts';
import type { Handler } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { noBrowser } from '../../support/browser.ts';
import { type Page, startSite } from '../web/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

async function call(
  name: 'open_page' | 'browse',
  args: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
  context = attempt(),
) {
  const handlers = await openSet(browserSet, { private: 'loopback', ...options }, env);
  const handler = handlers.find(({ spec }) => spec.name === name) as Handler;
  const result = (await handler
    .perform(args, context)
    .catch((thrown: unknown) => thrown)) as Record<string, unknown>;
  await handler.ended?.(context.run);
  return { result, context };
}

const words = 'The tide comes in twice a day. '.repeat(10);

const scripted = `<!doctype html><title>App</title><link rel="stylesheet" href="/app.css">
<div id="root"></div><p class="gone">SECRET by a sheet</p>
<script>setTimeout(() => {
  document.getElementById('root').innerHTML = '<article><h1>Tides</h1><p>${words}</p><p id="late">late</p>'
    + '<p style="position:absolute;left:-4000px">SECRET aside</p></article>';
  document.title = 'Tides';
}, 50)</script>`;

const form = `<!doctype html><title>Sign in</title><p>Please sign in.</p><form method="post" action="/login">
<input name="user" id="user"><input name="password" id="password" type="password">
<button id="send">Sign in</button></form>`;

const sheet = { type: 'text/css', body: '.gone { display: none }' };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
};

/** A shop with a sign-in by cookie. `seen` has what was sent to it. */
async function startShop(seen: string[]) {
  const signedIn = ({ headers }: IncomingMessage): boolean =>
    String(headers.cookie ?? '').includes('session=open');
  const to = (location: string, cookie: string): Page => ({
    ...{ status: 303, headers: { location, 'set-cookie': cookie } },
  });
  return await startSite({
    '/login': (request) => {
      if (request.method !== 'POST') return { body: form };
      void bodyOf(request).then((body) => seen.push(body));
      return to('/account', 'session=open; Path=/; Max-Age=3600');
    },
    '/account': (request) =>
      signedIn(request)
        ? {
            body:
              '<title>Account</title><h1>Welcome, ann-the-user</h1><ul><li class="order">tea 3.50</li>' +
              '<li class="order">jam 2.20</li></ul><a id="out" href="/logout">Sign out</a>',
          }
        : to('/login', 'x=y'),
    '/logout': () => {
      seen.push('signed out');
      return to('/login', 'session=; Path=/; Max-Age=0');
    },
  });
}

describe.skipIf(noBrowser !== undefined)('calls of one run', () => {
  const signIn = (url: string): object[] => [
    { goto: `${url}/login` },
    { fill: '#user', with: { env: 'SHOP_USER' } },
    { click: '#send' },
  ];
  const orders = [{ extract: 'h1', name: 'greeting' }];

  /** `browse` as one process has it, called for runs. */
  async function openBrowse(url: string) {
    const secrets = `SHOP_USER@${new URL(url).host}`;
    const env = { SHOP_USER: 'ann-the-user' };
    const handlers = await openSet(browserSet, { private: 'loopback', secrets }, env);
    const browse = handlers.find(({ spec }) => spec.name === 'browse') as Handler;
    const inRun = async (run: string, steps: readonly object[]): Promise<unknown> =>
      await browse.perform({ steps }, { ...attempt(), run }).catch((thrown: unknown) => thrown);
    return { inRun, end: async (run: string) => await browse.ended?.(run) };
  }

  test('go on where the one before was, signed in, with its secrets unseen', async () => {
    await using site = await startShop([]);
    const { inRun, end } = await openBrowse(site.url);
    const first = await inRun('a', signIn(site.url));
    expect(first).toMatchObject({ session: 'new', url: `${site.url}/account` });
    expect(await inRun('a', orders)).toEqual({
      ...{ url: `${site.url}/account`, title: 'Account', session: 'continued' },
      extracted: { greeting: 'Welcome, ***' },
    });
    expect(await inRun('a', [{ goto: 'no address' }])).toMatchObject({ code: 'PV4756' });
    expect(await inRun('a', [{ click: '#out' }])).toMatchObject({ url: `${site.url}/login` });
    await end('a');
  });

  test('share nothing with those of another run, nor with the same in another process', async () => {
    await using site = await startShop([]);
    const [here, there] = [await openBrowse(site.url), await openBrowse(site.url)];
    await here.inRun('a', signIn(site.url));
    const look = [{ goto: `${site.url}/account` }];
    const isNew = { session: 'new', url: `${site.url}/login` };
    expect(await here.inRun('b', look)).toMatchObject(isNew);
    expect(await there.inRun('a', look)).toMatchObject(isNew);
    await here.end('a');
    expect(await here.inRun('a', look)).toMatchObject(isNew);
    await Promise.all([here.end('a'), here.end('b'), there.end('a')]);
  });

  test('are in a new browser after one that was given up', async () => {
    await using site = await startShop([]);
    const handlers = await openSet(browserSet, { private: 'loopback' }, {});
    const browse = handlers.find(({ spec }) => spec.name === 'browse') as Handler;
    const look = { steps: [{ goto: `${site.url}/login` }] };
    await browse.perform(look, { ...attempt(), run: 'a' });
    const stop = new AbortController();
    const waiting = browse.perform(
      { steps: [{ wait: '#never' }] },
      { ...attempt(), run: 'a', signal: stop.signal },
    );
    stop.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    const later = await browse.perform(look, { ...attempt(), run: 'a' });
    expect(later).toMatchObject({ session: 'new' });
    await browse.ended?.('a');
  });
});

test('steps for a page that no call has opened are refused before anything is done', async () => {
  const { result } = await call('browse', { steps: [{ click: '#send' }] });
  expect(result).toMatchObject({
    ...{ code: 'PV4758', mayHaveActed: false },
    hint: expect.stringContaining('begin with {"goto": address}'),
  });
});

describe.skipIf(noBrowser !== undefined)('a browser', () => {
  test('reads what scripts make, and not what nobody sees', async () => {
    await using site = await startSite({ '/': { body: scripted }, '/app.css': sheet });
    const { result } = await call('open_page', { url: site.url, wait: '#late' });
    expect(result).toMatchObject({ title: 'Tides', url: `${site.url}/`, contentType: 'text/html' });
    expect(result.text).toContain('The tide comes in');
    expect(result.text).not.toContain('SECRET');
  });

  test('signs in, reads, and signs out, with a password that nobody sees', async () => {
    const seen: string[] = [];
    await using site = await startShop(seen);
    const { host } = new URL(site.url);
    const env = { SHOP_USER: 'ann-the-user', SHOP_PASSWORD: 'open sesame' };
    const steps = [
      { goto: `${site.url}/login` },
      { fill: '#user', with: { env: 'SHOP_USER' } },
      { fill: '#password', with: { env: 'SHOP_PASSWORD' } },
      { click: '#send' },
      { wait: '.order' },
      { extract: 'h1', name: 'greeting' },
      { extract: '.order', name: 'orders', all: true },
      { extract: '#out', name: 'out', attribute: 'href' },
    ];
    const args = { steps, finally: [{ click: '#out' }, { wait: '#user' }] };
    const secrets = `SHOP_USER@${host},SHOP_PASSWORD@${host}`;
    const { result } = await call('browse', args, { secrets }, env);
    expect(result).toEqual({
      ...{ url: `${site.url}/login`, title: 'Sign in', session: 'new' },
      extracted: { greeting: 'Welcome, ***', orders: ['tea 3.50', 'jam 2.20'], out: '/logout' },
    });
    expect(seen).toEqual(['user=ann-the-user&password=open+sesame', 'signed out']);
  });

  test('signs out when a step fails, too, and says which and what was done', async () => {
    const seen: string[] = [];
    await using site = await startShop(seen);
    const steps = [
      { goto: `${site.url}/login` },
      { fill: '#user', with: 'a' },
      { goto: 'no address' },
    ];
    const { result } = await call('browse', { steps, finally: [{ goto: `${site.url}/logout` }] });
    expect(result).toMatchObject({
      ...{ code: 'PV4756', answered: true },
      message: expect.stringMatching(
        /^step 3 \(goto no address\): got no address.*steps 1 to 2 were/,
      ),
    });
    expect(seen).toEqual(['signed out']);
  });

  test('goes on with the sessions of a profile', async () => {
    const seen: string[] = [];
    await using site = await startShop(seen);
    const profile = join(folder, 'profile');
    const enter = [{ goto: `${site.url}/login` }, { fill: '#user', with: 'a' }, { click: '#send' }];
    expect((await call('browse', { steps: enter }, { profile })).result).toMatchObject({
      title: 'Account',
    });
    const later = await call('open_page', { url: `${site.url}/account` }, { profile });
    expect(later.result.text).toContain('Welcome');
    const other = await call('open_page', { url: `${site.url}/account` });
    expect(other.result).toMatchObject({ url: `${site.url}/login` });
    expect(existsSync(profile)).toBe(true);
  });

  test('reaches nothing inside, whoever names it: the program, a redirect, a page', async () => {
    let stolen = 0;
    await using inner = await startSite({
      '/': () => {
        stolen++;
        return { headers: { 'access-control-allow-origin': '*' }, body: 'SECRET' };
      },
    });
    const port = new URL(inner.url).port;
    const closed = { private: 'none' };
    for (const url of [inner.url, `http://localhost:${port}/`, 'http://169.254.169.254/latest']) {
      const { result } = await call('open_page', { url }, closed);
      expect(result).toMatchObject({ code: 'PV4741' });
    }
    expect(stolen).toBe(0);
    const { result } = await call('open_page', { url: 'file:///etc/passwd' });
    expect(result).toMatchObject({ code: 'PV4741', message: expect.stringContaining('file:') });
  });

  test('a page that reaches for what is closed gets nothing', async () => {
    const page = `<title>T</title><p>${words}</p><pre id="got"></pre>
      <img src="http://169.254.169.254/x.png"><iframe src="http://10.0.0.1/"></iframe>
      <script>fetch('http://169.254.169.254/latest/meta-data/').then((r) => r.text())
        .then((t) => { got.textContent = 'GOT ' + t; }, () => { got.textContent = 'refused'; })</script>`;
    await using site = await startSite({ '/': { body: page } });
    const { result } = await call('browse', {
      steps: [{ goto: site.url }, { extract: '#got', name: 'got' }],
    });
    // What the proxy says instead is of another origin, which a page cannot read.
    expect(result).toMatchObject({ extracted: { got: 'refused' } });
  });

  test('says when a page is a file, is not there, or asks', async () => {
    await using site = await startSite({
      '/file': {
        type: 'application/zip',
        headers: { 'content-disposition': 'attachment' },
        body: 'x',
      },
      '/gone': { status: 410, body: '<p>Gone.</p>' },
      '/asks': { body: `<p>${words}</p><script>alert('Who are you?')</script>` },
    });
    const file = await call('open_page', { url: `${site.url}/file` });
    expect(file.result).toMatchObject({ code: 'PV4756', hint: 'download reads files' });
    const none = await call('open_page', { url: `${site.url}/none` });
    expect(none.result).toMatchObject({
      message: `${site.url}/none answers with a failure, and no page`,
    });
    const gone = await call('open_page', { url: `${site.url}/gone` });
    expect(gone.result).toMatchObject({ message: `${site.url}/gone answers with 410` });
    const asks = await call('open_page', { url: `${site.url}/asks` });
    expect(asks.result).toHaveProperty('text');
    expect(asks.context.warnings).toEqual(['the page asks, and was not answered: Who are you?']);
  });

  test('takes no file, and opens no second window, and says so', async () => {
    const open = "window.open('/other'); document.querySelector('a').click()";
    await using site = await startSite({
      '/': {
        body: `<p>${words}</p><a href="/f.zip" download="f.zip">f</a><script>${open}</script>`,
      },
      '/other': { body: `<p>other ${words}</p>` },
      '/f.zip': { type: 'application/zip', body: 'PK' },
    });
    const { result, context } = await call('browse', {
      steps: [{ goto: `${site.url}/` }, { click: 'a' }, { extract: 'p', name: 'text' }],
    });
    expect(result.extracted).toEqual({ text: words.trim() });
    expect(context.warnings.join('\n')).toContain('offers a file, which was not taken: f.zip');
  });

  test('ends with its attempt', async () => {
    const context = attempt();
    await using site = await startSite({
      '/': () => {
        setImmediate(() => context.abort(new Error('too late')));
        return { body: '<script>for (;;);</script>' };
      },
    });
    const { result } = await call('open_page', { url: site.url }, {}, {}, context);
    expect(result).toMatchObject({ message: 'too late' });
  });

  test('fills a secret in nowhere but where it belongs', async () => {
    await using site = await startSite({ '/': { body: form } });
    const fill = { steps: [{ goto: site.url }, { fill: '#user', with: { env: 'KEY' } }] };
    const env = { KEY: 'hidden-value', OTHER: 'x' };
    const { host } = new URL(site.url);
    const at = async (secrets: string, env: Record<string, string>) =>
      (await call('browse', fill, { secrets }, env)).result;
    expect(await at('', env)).toMatchObject({
      code: 'PV4757',
      hint: expect.stringContaining('KEY@'),
    });
    expect(await at('KEY@bank.example.com', env)).toMatchObject({
      message: expect.stringContaining(`KEY is for bank.example.com, and the page is of ${host}`),
    });
    expect(await at(`KEY@${host}`, {})).toMatchObject({
      message: expect.stringContaining('not set'),
    });
    expect(await at(`KEY@${host}`, env)).toHaveProperty('extracted');
  });
});

test('steps that are none are refused before anything is done', async () => {
  const at = async (step: object) =>
    (await call('browse', { steps: [step] }, { executable: '/none' })).result;
  expect(await at({ jump: 'x' })).toMatchObject({ code: 'PV4758' });
  expect(await at({ click: 'a', goto: 'b' })).toMatchObject({ code: 'PV4758' });
  expect(await at({ fill: '#a' })).toMatchObject({ code: 'PV4758' });
});

test('no browser there: what to install', async () => {
  const { result } = await call('open_page', { url: 'http://a.test' }, { executable: '/none' });
  expect(result).toMatchObject({
    ...{ code: 'PV4754', message: 'a browser is needed, and there is no /none' },
    hint: expect.stringContaining('PLANVM_BROWSER'),
  });
});

test('a secret without a site is refused', async () => {
  await expect(openSet(browserSet, { secrets: 'SHOP_PASSWORD' }, {})).rejects.toThrow(
    'planvm:browser: secrets: got SHOP_PASSWORD, want VARIABLE@host',
  );
});
