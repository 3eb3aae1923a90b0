/** Pages that have no text before their scripts have run: by a browser, where there is one. */
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../support/browser.ts';
import { type Called, startSite, webTools } from './site.ts';

async function download(body: string, options: Readonly<Record<string, string>>): Promise<Called> {
  await using site = await startSite({ '/a': { body } });
  return await (await webTools(options))('download', { url: `${site.url}/a` });
}

test.each([
  '<div id="root"></div><script src="/app.js"></script>',
  '<div id="root"></div><noscript>No.</noscript><script type="module">1</script>',
])('one that scripts would have to make, without a browser: %s', async (body) => {
  const { result } = await download(body, { executable: '/nowhere' });
  expect(result).toMatchObject({
    ...{ code: 'PV4748', answered: true },
    hint: expect.stringMatching(/by scripts, which were not run: .*no \/nowhere; install/),
  });
});

test('one that only says that it is loading, without a browser', async () => {
  const body = '<div id="root">Loading…</div><script src="/app.js"></script>';
  const { result, context } = await download(body, { executable: '/nowhere' });
  expect(result).toMatchObject({ text: 'Loading…' });
  expect(context.warnings).toEqual([expect.stringContaining('no /nowhere; install')]);
});

describe.skipIf(noBrowser !== undefined)('in a browser', () => {
  const script = `document.getElementById('root').textContent = 'The tide comes in.'`;
  test.each([
    ['', {}, 2],
    ['Loading…', {}, 2],
    ['Enough for a reader.', {}, 1],
    ['Enough for a reader.', { browser: true }, 1],
  ])('that has the text %j without scripts, with %j', async (before, args, count) => {
    const body = `<div id="root">${before}</div><script>${script}</script>`;
    await using site = await startSite({ '/a': { body } });
    const { result } = await (await webTools())('download', { url: `${site.url}/a`, ...args });
    const isRead = before.startsWith('Enough') && !('browser' in args);
    expect(result).toMatchObject({ text: isRead ? before : 'The tide comes in.' });
    expect(site.asked.filter((path) => path === '/a')).toHaveLength(count);
  });
});
