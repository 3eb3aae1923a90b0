/** Reads TypeScript as far as its brackets, strings and comments: never as a program. */

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const closing: ReadonlySet<string> = new Set(Object.values(pairs));

/** Behind the string, comment or character that begins at an index. */
function past(text: string, at: number): number {
  const sign = text[at];
  if (text.startsWith('//', at)) return indexOr(text, '\n', at);
  if (text.startsWith('/*', at)) return indexOr(text, '*/', at) + 2;
  if (text.startsWith('=>', at)) return at + 2;
  if (sign !== '"' && sign !== "'" && sign !== '`') return at + 1;
  let end = at + 1;
  while (end < text.length && text[end] !== sign) end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

function indexOr(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** The index behind the bracket that closes the one at `at`; the end where none does. */
export function behind(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; ) {
    const sign = text[index] ?? '';
    if (Object.hasOwn(pairs, sign)) depth++;
    else if (closing.has(sign) && --depth === 0) return index + 1;
    index = past(text, index);
  }
  return text.length;
}

/** The parts between separators that stand in no bracket and no string. */
export function splitAt(text: string, separators: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; ) {
    const sign = text[index] ?? '';
    if (Object.hasOwn(pairs, sign)) index = behind(text, index);
    else if (separators.includes(sign)) {
      parts.push(text.slice(from, index));
      from = ++index;
    } else index = past(text, index);
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}

/** Where one of some signs first stands in no bracket and no string; -1 where none does. */
export function find(text: string, signs: string): number {
  for (let index = 0; index < text.length; ) {
    const sign = text[index] ?? '';
    const isArrow = text.startsWith('=>', index);
    if (signs.includes(sign) && !isArrow) return index;
    index = Object.hasOwn(pairs, sign) ? behind(text, index) : past(text, index);
  }
  return -1;
}

export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ').trim();
