/** What of a page is read that is too large, or too deep, to be read whole. */
import { expect, test } from 'vitest';
import { boundedHtml } from '../../../src/effects/web/page/bounds.ts';
import { type PageElement, pageParser } from '../../../src/effects/web/page/dom.ts';
import { startSite, webTools } from './site.ts';

const documentOf = await pageParser();

const bounds = { characters: 1000, marks: 100, depth: 5 };

function depthOf(element: PageElement): number {
  const children = [...element.childNodes].filter((one): one is PageElement => one.nodeType === 1);
  return 1 + Math.max(0, ...children.map(depthOf));
}

test('a page within its bounds stays as it is', () => {
  const html = '<!doctype html><html><body><ul><li>one<li>two</ul></body></html>';
  expect(boundedHtml(html, bounds)).toEqual({ html });
});

test('what ends without a tag is not taken for depth', () => {
  const rows = '<table><tr><td>a<td>b<tr><td>c</table><p>d<p>e<p>f<p>g<p>h<dl><dt>i<dd>j</dl>';
  expect(boundedHtml(rows.repeat(3), bounds)).toEqual({ html: rows.repeat(3) });
});

test('levels that are too deep become lines; their text is kept, and what follows is level', () => {
  const html = `<body>${'<div>x '.repeat(9)}deep${'</div>'.repeat(9)}<p>after</p></body>`;
  const { html: flat, left } = boundedHtml(html, bounds);
  expect(left).toBeUndefined();
  const document = documentOf(flat);
  expect(depthOf(document.body)).toBe(6);
  expect(document.body.textContent?.match(/x|deep|after/g)).toHaveLength(11);
  expect(document.querySelector('p')?.parentElement?.localName).toBe('body');
});

test('what a script or a comment says is no depth', () => {
  const html = `<p>a</p><script>for (i = 0; i<n; i++) ${'a<b;'.repeat(20)}</script><!-- ${'<b>'.repeat(20)} --><p>b</p>`;
  expect(boundedHtml(html, bounds)).toEqual({ html });
});

test('a page with too many tags is cut before one of them, and says so', () => {
  const html = '<b>x</b>'.repeat(60);
  const { html: cut, left } = boundedHtml(html, bounds);
  expect(cut).toBe('<b>x</b>'.repeat(50));
  expect(left).toBe('of the 480 characters of the page, its first 100 tags were read');
});

test('one with too many characters, too', () => {
  const { html, left } = boundedHtml('x'.repeat(1001), bounds);
  expect(html).toHaveLength(1000);
  expect(left).toBe('of the 1001 characters of the page, 1000 characters were read');
});

test('closing tags without a beginning, and beginnings without an end, cost no more', () => {
  const html = '<div></x>'.repeat(100_000);
  const { html: flat } = boundedHtml(html, { characters: 1e7, marks: 1e6, depth: 20 });
  expect(flat.match(/<div>/g)).toHaveLength(20);
});

test('a page of ten million characters and more is read in part, with a word about the rest', async () => {
  const body = `<!doctype html><html><body><p>first</p><pre>${'x'.repeat(10_000_000)}</pre><p>last</p>`;
  await using site = await startSite({ '/': { body } });
  const call = await webTools();
  const { result, context } = await call('download', { url: `${site.url}/`, maxCharacters: 100 });
  expect(result.text).toContain('first');
  expect(result.truncated).toMatch(/^of the 100\d+ characters of the page, 10000000 characters/);
  expect(context.warnings.join()).toContain('10000000 characters were read');
});

test('a page of a hundred thousand levels is read as far as it has text', async () => {
  await using site = await startSite({ '/': { body: `<body>${'<div>x '.repeat(100_000)}` } });
  const call = await webTools();
  const { result } = await call('download', { url: `${site.url}/`, maxCharacters: 4_000_000 });
  expect(String(result.text).match(/x/g)).toHaveLength(100_000);
});
