/** Markup whose values cannot be anything but text. */

/** Markup that may stand in a page as it is. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** A template of markup; what is put in is escaped unless it is markup itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = texts.reduce((sum, text, i) => sum + (i === 0 ? '' : shown(parts[i - 1])) + text);
  return { markup: texts.length === 1 ? (texts[0] ?? '') : markup };
}

/** What is the page's own: style sheets and scripts. */
export const raw = (markup: string): Markup => ({ markup });

function shown(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  if (isList(part)) return part.map(({ markup }) => markup).join('');
  return part.markup;
}

const isList = (part: Markup | readonly Markup[]): part is readonly Markup[] => Array.isArray(part);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
export const jsonMarkup = (text: string): Markup =>
  raw(
    text.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'),
  );
