/** Where in a line a word stands, for what is said of the word alone. */
import { writtenText } from './import.ts';
import type { Place } from './tree.ts';

/** The place of a word in what begins at a place; that one where the word is not there. */
export type WordPlace = (item: Place, word: string) => Place;

export function wordPlaces(text: string): WordPlace {
  const { at, texts } = writtenText(text);
  const key = ({ file = '', line }: Place): string => `${line} ${file}`;
  const lines = new Map(texts.map((_, index) => [key(at(index, 1)), index]));
  return (item, word) => {
    const first = lines.get(key(item)) ?? texts.length;
    const from = Math.max(0, item.column - at(first, 1).column);
    for (let index = first; index < texts.length; index++) {
      const text = texts[index] ?? '';
      if (index > first && /^\s*(?:$|#|[-*+]\s)/.test(text)) break;
      const found = text.indexOf(word, index === first ? from : 0);
      if (found >= 0) return at(index, found + 1);
    }
    return item;
  };
}
