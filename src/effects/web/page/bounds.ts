/**
 * What of the HTML of a page is read. Documents are built with every part in memory, and by a
 * parser whose work at each mark grows with the depth: so a page is cut where it has too many
 * marks, and levels that are too deep become lines of the one above. Both in one walk over the
 * text, as the parser will see it. Pure.
 */

export interface PageBounds {
  readonly characters: number;
  /** Tags, those that close among them. */
  readonly marks: number;
  readonly depth: number;
}

const pageBounds: PageBounds = { characters: 10_000_000, marks: 1_000_000, depth: 1_000 };

export interface BoundedHtml {
  readonly html: string;
  /** What is missing, in a sentence. */
  readonly left?: string;
}

export function boundedHtml(all: string, bounds: PageBounds = pageBounds): BoundedHtml {
  const html = all.slice(0, bounds.characters);
  const { text, read } = flattened(html, bounds);
  if (read === all.length) return { html: text };
  const most =
    read < html.length ? `its first ${bounds.marks} tags` : `${bounds.characters} characters`;
  return { html: text, left: `of the ${all.length} characters of the page, ${most} were read` };
}

/** Names of elements that end where these begin, for want of a tag. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  p: ['p'],
  li: ['li', 'p'],
  dd: ['dd', 'dt', 'p'],
  dt: ['dd', 'dt', 'p'],
  td: ['td', 'th', 'p'],
  th: ['td', 'th', 'p'],
  tr: ['tr', 'td', 'th', 'p'],
  tbody: ['tbody', 'thead', 'tr', 'td', 'th', 'p'],
  option: ['option'],
};

const voids: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'link', 'meta'],
  ...['param', 'source', 'track', 'wbr'],
]);

/** What is no markup until it ends. */
const raw: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/** `read`: how far the text was walked through. */
function flattened(html: string, bounds: PageBounds): { text: string; read: number } {
  const mark = /<(?:!--|(\/?)([a-z][^\s/><]*))/gi;
  const open: string[] = [];
  const counts = new Map<string, number>();
  const count = (name: string, by: number): number => {
    const now = (counts.get(name) ?? 0) + by;
    counts.set(name, now);
    return now;
  };
  const pop = (): void => {
    const name = open.pop();
    if (name !== undefined) count(name, -1);
  };
  const parts: string[] = [];
  let kept = 0;
  /** No element of its own; the rest of the tag stays, as that of one that has nothing in it. */
  const rename = (from: number, to: number, tag: string): void => {
    parts.push(html.slice(kept, from), tag);
    kept = to;
  };
  let marks = 0;
  for (let found = mark.exec(html); found; found = mark.exec(html)) {
    const [whole, slash, given] = found;
    if (given === undefined) {
      mark.lastIndex = after(html, '-->', mark.lastIndex);
      continue;
    }
    if (++marks > bounds.marks) {
      return { text: parts.join('') + html.slice(kept, found.index), read: found.index };
    }
    const name = given.toLowerCase();
    const end = found.index + whole.length;
    if (voids.has(name)) continue;
    if (slash === '/') {
      if ((counts.get(name) ?? 0) === 0) continue;
      while (open.at(-1) !== name) pop();
      pop();
      if (open.length >= bounds.depth) rename(found.index, end, '</wbr');
      continue;
    }
    const ended = endedBy[name];
    while (ended?.includes(open.at(-1) ?? '')) pop();
    if (open.length >= bounds.depth) rename(found.index, end, '<br');
    open.push(name);
    count(name, 1);
    if (raw.has(name)) mark.lastIndex = after(html, `</${name}`, end, 0);
  }
  return { text: kept === 0 ? html : parts.join('') + html.slice(kept), read: html.length };
}

/** Where a text ends, or begins, that is looked for in any case; else the end. */
function after(html: string, text: string, from: number, length: number = text.length): number {
  const form = new RegExp(text, 'gi');
  form.lastIndex = from;
  const at = form.exec(html)?.index;
  return at === undefined ? html.length : at + length;
}
