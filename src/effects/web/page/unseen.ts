/**
 * Takes out of a page what nobody sees who reads it. Text that people do not see and a model does
 * is how strangers give it orders; whatever is left over here is still data, and no more. What
 * counts are the attributes of elements: style sheets are not read. A browser knows those, too.
 */
import { isElement, isText, type PageDocument, type PageElement, type PageNode } from './dom.ts';

/** Never shown as text. */
const silent = 'script:not([type="application/ld+json"]), template, noscript, object, embed, svg';

/** Whoever knows more than the page says, as a browser does, marks what nobody sees by this. */
export const unseenMark = 'data-planvm-unseen';

/** Changes the document. Returns how many elements with text it has left out for being unseen. */
export function dropUnseen(document: PageDocument): number {
  for (const one of [...document.querySelectorAll(silent)]) one.remove();
  dropComments(document.documentElement);
  for (const sheet of [...document.querySelectorAll('style')]) sheet.remove();
  const marked = `[hidden], [aria-hidden="true"], [style], [${unseenMark}]`;
  const unseen = [...document.querySelectorAll(marked)].filter(isUnseen);
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

/**
 * Characters that show nothing and carry text for a model all the same: tags, which repeat ASCII
 * unseen; marks that turn the direction of writing; those of no width that no script needs.
 */
export const withoutUnseenCharacters = (text: string): string =>
  text.replace(
    /[\u{E0000}-\u{E0FFF}\u200B\u2060-\u2064\u202A-\u202E\u2066-\u206F\uFEFF\u00AD]/gu,
    '',
  );
