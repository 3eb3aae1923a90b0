/**
 * A page as a browser shows it, as a text of HTML: after its scripts, and with what nobody sees of
 * it marked.
 */
import type { Page } from 'playwright-core';
import { refusal } from '../../engine/handler.ts';
import { unseenMark } from '../web/page/unseen.ts';

/** Of the text of HTML. */
const charactersMax = 30_000_000;

/**
 * Runs in the page. What the browser does not show is marked, whatever sheet or script says so;
 * the marks are gone again afterwards. Boxes without a size hold what floats out of them, so they
 * tell nothing.
 */
const script = `((mark) => {
  const isUnseen = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < 2 || parseFloat(style.opacity) < 0.05) return true;
    if (/^(transparent|rgba\\(.*, 0\\))$/.test(style.color)) return true;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return false;
    if (box.width <= 1 && box.height <= 1) return true;
    return box.right + scrollX < 0 || box.bottom + scrollY < 0;
  };
  const marked = [];
  for (const element of document.body?.querySelectorAll('*') ?? []) {
    if (element.textContent.trim() === '' || !isUnseen(element)) continue;
    element.setAttribute(mark, '');
    marked.push(element);
  }
  const html = document.documentElement.outerHTML;
  for (const element of marked) element.removeAttribute(mark);
  return html;
})('${unseenMark}')`;

/** Throws `EffectFailure` PV4743. */
export async function renderedHtml(page: Page): Promise<string> {
  const html = String(await page.evaluate(script));
  if (html.length <= charactersMax) return html;
  throw refusal('PV4743', `the page has more than ${charactersMax} characters`);
}
