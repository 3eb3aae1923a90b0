/**
 * The part of a document that is read and changed here. The documents are those of linkedom: their
 * parts are not made as the standard says where a page leaves tags out, so that is mended first.
 */
import { importOptional } from '../../optional-package.ts';

export interface PageNode {
  /** 1 element, 3 text, 8 comment. */
  readonly nodeType: number;
  readonly childNodes: Iterable<PageNode>;
  textContent: string | null;
  remove(): void;
}

export interface PageElement extends PageNode {
  readonly localName: string;
  readonly parentElement: PageElement | null;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  append(...nodes: readonly (PageNode | string)[]): void;
  after(...nodes: readonly (PageNode | string)[]): void;
  replaceWith(...nodes: readonly (PageNode | string)[]): void;
  cloneNode(deep: boolean): PageElement;
}

export interface PageDocument {
  readonly documentElement: PageElement | null;
  readonly body: PageElement;
  createElement(name: string): PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** Makes a document of any text. Throws `EffectFailure` PV4900. */
export async function pageParser(): Promise<(html: string) => PageDocument> {
  const { parseHTML } = await importOptional<typeof import('linkedom')>(packages, 'linkedom');
  return (html) => documentOf(html, (text) => parseHTML(text).document as unknown as PageDocument);
}

function documentOf(html: string, parsed: (html: string) => PageDocument): PageDocument {
  // Large pages are not read twice to find out that they leave these out.
  if (/<html\b/i.test(html) && /<(body|frameset)\b/i.test(html)) {
    const document = parsed(html);
    const root = document.documentElement;
    if (root?.localName === 'html' && root.querySelector('body, frameset')) return document;
  }
  const tagOf = (name: string): string => {
    const tag = new RegExp(`<${name}\\b[^>]*>?`, 'i').exec(html)?.[0];
    return tag?.endsWith('>') ? tag : `<${name}>`;
  };
  const bare = html.replace(/<!doctype[^>]*(?:>|$)|<\/?(html|body)\b[^>]*(?:>|$)/gi, '');
  // What stands before the end of a head is its own.
  const [, head = '', rest = bare] = /^([\s\S]*?<\/head\s*>)([\s\S]*)$/i.exec(bare) ?? [];
  const inner = head.replace(/<\/?head\b[^>]*(?:>|$)/gi, '');
  const whole = `${tagOf('html')}<head>${inner}</head>${tagOf('body')}${rest}</body></html>`;
  return parsed(`<!doctype html>${whole}`);
}

/** What reading a page needs, as it is installed. */
export const packages = 'defuddle linkedom@0.18.12';

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
export const isText = (node: PageNode): boolean => node.nodeType === 3;
