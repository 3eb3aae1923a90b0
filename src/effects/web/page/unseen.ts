/**
 * Takes out of a page what nobody sees who reads it. Text that people do not see and a model does
 * is how strangers give it orders; whatever is left over here is still data, and no more. What
 * counts is what the page says itself, in attributes and in its own style sheets: those of other
 * addresses are not fetched.
 */
import { isElement, isText, type PageDocument, type PageElement, type PageNode } from './dom.ts';

/** Never shown as text. */
const silent = 'script:not([type="application/ld+json"]), template, noscript, object, embed, svg';
/** Rules of style sheets that are looked at. */
const rulesMax = 20_000;
/** Elements that are held against a selector, for all that are more than a class. */
const looksMax = 10_000_000;

/** Whoever knows more than the page says, as a browser does, marks what nobody sees by this. */
export const unseenMark = 'data-planvm-unseen';

/** Changes the document. Returns how many elements with text it has left out for being unseen. */
export function dropUnseen(document: PageDocument): number {
  for (const one of [...document.querySelectorAll(silent)]) one.remove();
  dropComments(document.documentElement);
  const unseen = new Set<PageElement>();
  const marked = `[hidden], [aria-hidden="true"], [style], [${unseenMark}]`;
  for (const one of document.querySelectorAll(marked)) {
    if (isUnseen(one)) unseen.add(one);
  }
  const sheets = [...document.querySelectorAll('style')];
  for (const one of unseenBySheets(document, sheets)) unseen.add(one);
  if (sheets.length === 0 && document.querySelector('link[rel~="stylesheet"]') === null) {
    for (const one of whiteOnNothing(document)) unseen.add(one);
  }
  for (const sheet of sheets) sheet.remove();
  let count = 0;
  for (const one of unseen) {
    if (one.localName === 'body' || one.localName === 'html') continue;
    if ((one.textContent ?? '').trim() !== '') count++;
    one.remove();
  }
  return count;
}

function dropComments(root: PageNode | null): void {
  const open: PageNode[] = root ? [root] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of [...node.childNodes]) {
      if (isElement(child)) open.push(child);
      else if (!isText(child)) child.remove();
    }
  }
}

function isUnseen(element: PageElement): boolean {
  // `until-found` shows itself to a search.
  const hidden = element.getAttribute('hidden');
  if (hidden !== null && hidden !== 'until-found') return true;
  if (element.getAttribute('aria-hidden') === 'true') return true;
  if (element.getAttribute(unseenMark) !== null) return true;
  return hides(declarations(element.getAttribute('style') ?? ''));
}

type Declarations = ReadonlyMap<string, string>;

function declarations(style: string): Declarations {
  const found = new Map<string, string>();
  for (const one of style.slice(0, 4000).toLowerCase().split(';')) {
    const at = one.indexOf(':');
    const value = one.slice(at + 1).replace(/!\s*important/, '');
    if (at > 0) found.set(one.slice(0, at).trim(), value.trim());
  }
  return found;
}

/** Whether these alone keep an element from being seen. */
function hides(of: Declarations): boolean {
  const is = (name: string, form: RegExp): boolean => form.test(of.get(name) ?? '');
  const nothing = /^0*(\.0*)?(px|em|rem|%|pt)?$|^[01](\.\d+)?px$/;
  const isNothing = (name: string): boolean => (of.get(name) ?? '') !== '' && is(name, nothing);
  const isFar = (name: string): boolean => is(name, /^-\d{3,}(\.\d+)?(px|em|rem|%|vw|vh|pt)?$/);
  const cut = is('overflow', /hidden|clip/);
  const background = of.get('background-color') ?? of.get('background');
  return (
    is('display', /^none$/) ||
    is('visibility', /^(hidden|collapse)$/) ||
    is('content-visibility', /^hidden$/) ||
    is('opacity', /^(0+|0*\.0\d*|[0-4]?%)$/) ||
    isNothing('font-size') ||
    is('font', /(^|\s)[01]px/) ||
    isFar('text-indent') ||
    isFar('margin-left') ||
    (is('position', /absolute|fixed/) && ['left', 'top', 'right', 'bottom'].some(isFar)) ||
    (cut && ['height', 'max-height', 'width', 'max-width'].some(isNothing)) ||
    is('clip', /^rect\(\s*[01](px)?[\s,]+[01](px)?[\s,]+[01](px)?[\s,]+[01](px)?\s*\)$/) ||
    is('clip-path', /inset\(\s*(50|100)%|circle\(\s*0/) ||
    is('transform', /scale\(\s*0(\.0+)?\s*[,)]|translate[xy]?\(\s*-\d{4,}/) ||
    is('color', /^transparent$|^(rgba|hsla)\([^)]*,\s*0(\.0+)?\s*\)$/) ||
    (background !== undefined && background !== '' && of.get('color') === background)
  );
}

function* unseenBySheets(
  document: PageDocument,
  sheets: readonly PageElement[],
): Generator<PageElement> {
  const text = sheets.map((sheet) => sheet.textContent ?? '').join('\n');
  const classes = new Set<string>();
  const others: string[] = [];
  for (const { selector, style } of topRules(text, rulesMax)) {
    if (!hides(declarations(style))) continue;
    const parts = selector.split(',').map((one) => one.trim());
    if (parts.every((one) => /^\.[\w-]+$/.test(one))) {
      for (const one of parts) classes.add(one.slice(1));
    } else others.push(selector);
  }
  if (classes.size === 0 && others.length === 0) return;
  let elements = 0;
  for (const one of document.querySelectorAll('*')) {
    elements++;
    const own = one.getAttribute('class')?.split(/\s+/) ?? [];
    if (own.some((name) => classes.has(name))) yield one;
  }
  // Each is a walk through the page.
  const most = Math.ceil(looksMax / Math.max(1, elements));
  for (const selector of others.slice(0, most)) yield* selected(document, selector);
}

/** Rules that always hold: those within `@media` and the like are for other times. */
function* topRules(
  text: string,
  most: number,
): Generator<{ readonly selector: string; readonly style: string }> {
  let rules = 0;
  const css = text.slice(0, 1_000_000).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
  let from = 0;
  let depth = 0;
  let selector = '';
  for (let at = 0; at < css.length && rules < most; at++) {
    if (css[at] === '{') {
      if (depth === 0) selector = css.slice(from, at).trim();
      depth++;
      if (depth === 1) from = at + 1;
    } else if (css[at] === '}' && depth > 0) {
      depth--;
      if (depth > 0) continue;
      if (!selector.startsWith('@')) {
        rules++;
        yield { selector, style: css.slice(from, at) };
      }
      from = at + 1;
    }
  }
}

/** Selectors of states and of other engines select nothing here. */
function selected(document: PageDocument, selector: string): Iterable<PageElement> {
  if (selector.length > 500 || /:(?!not|is|where|first|last|nth)/.test(selector)) return [];
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    return [];
  }
}

const white = /^(#fff|#ffffff|white|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))$/;

/** White text where nothing gives the page another colour. */
function* whiteOnNothing(document: PageDocument): Generator<PageElement> {
  for (const one of document.querySelectorAll('[style*="color"], font[color]')) {
    const color = declarations(one.getAttribute('style') ?? '').get('color');
    if (!white.test(color ?? one.getAttribute('color')?.toLowerCase() ?? '')) continue;
    if (!hasBackground(one)) yield one;
  }
}

function hasBackground(element: PageElement): boolean {
  for (let one: PageElement | null = element; one; one = one.parentElement) {
    const given = `${one.getAttribute('style') ?? ''};${one.getAttribute('bgcolor') ?? ''}`;
    const background = /background(?:-color)?\s*:\s*([^;]+)/i.exec(given)?.[1]?.trim();
    if (background !== undefined) return !white.test(background.toLowerCase());
    if (one.getAttribute('bgcolor') !== null) return true;
  }
  return false;
}

/**
 * Characters that show nothing and carry text for a model all the same: tags, which repeat ASCII
 * unseen; marks that turn the direction of writing; those of no width that no script needs.
 */
export const withoutUnseenCharacters = (text: string): string =>
  text.replace(
    /[\u{E0000}-\u{E0FFF}\u200B\u2060-\u2064\u202A-\u202E\u2066-\u206F\uFEFF\u00AD]/gu,
    '',
  );
