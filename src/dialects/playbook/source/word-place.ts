/** Where in a line a word stands, for what is said of the word alone. */
import { type Written, written } from './import.ts';
import type { Place } from './tree.ts';

/** The place of a word in the item that begins at a place; that one where the word is not there. */
export type WordPlace = (item: Place, word: string) => Place;

export function wordPlaces(text: string): WordPlace {
  const source = written(text);
  const { at, texts } = source;
  const lines = new Map(texts.map((_, index) => [key(at(index, 1)), index]));
  return (item, word) => {
    const first = lines.get(key(item));
    if (first === undefined) return item;
    const from = Math.max(0, item.column - at(first, 1).column);
    return find(source, first, from, word) ?? item;
  };
}

const key = ({ file = '', line }: Place): string => `${line} ${file}`;

/** In the line, or in those that go on with it. */
function find(
  { at, texts }: Written,
  first: number,
  from: number,
  word: string,
): Place | undefined {
  const { target, form } = formsOf(word);
  for (let index = first; index < texts.length; index++) {
    const text = texts[index] ?? '';
    if (index > first && begins.test(text)) return undefined;
    const start = index === first ? from : 0;
    // What a line sets is not where it reads that.
    const [set = ''] = target.exec(text.slice(start)) ?? [];
    const found = form.exec(text.slice(start + set.length));
    if (found) return at(index, start + set.length + found.index + 1);
  }
  return undefined;
}

/** A line that is no part of the item before it. */
const begins = /^\s*(?:$|#|`{3}|[-*+•–]\s|\d+[.)]\s)/u;

function formsOf(word: string): { readonly target: RegExp; readonly form: RegExp } {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const before = /^[\p{XIDC}$]/u.test(word) ? String.raw`(?<![\p{XIDC}$])` : '';
  const behind = /\p{XIDC}$/u.test(word) ? String.raw`(?!\p{XIDC})` : '';
  return {
    target: new RegExp(String.raw`^${escaped}\s*(?::[^=]*)?=(?!=)`, 'u'),
    form: new RegExp(`${before}${escaped}${behind}`, 'u'),
  };
}
