/** How much there is to a value, before anything walks all of it. */
import { settled, type Value } from './value.ts';

/**
 * About how many characters the text of a value has, each part counted as often as it would be
 * written; undefined where that is more than `most`, or where the value contains itself.
 */
export function charactersOf(value: Value, most: number): number | undefined {
  if (typeof value === 'number') return most < 4 ? undefined : 4;
  let characters = 0;
  const queue: Value[] = [value];
  for (let given = queue.pop(); given !== undefined; given = queue.pop()) {
    const one = settled(given);
    characters += typeof one === 'string' ? one.length + 2 : 4;
    if (characters > most) return undefined;
    if (one === null || typeof one !== 'object') continue;
    switch (one.kind) {
      case 'list':
      case 'tuple':
        for (const item of one.items) queue.push(item);
        break;
      case 'dict':
        for (const slot of one.slots) if (slot) queue.push(slot[0], slot[1]);
        break;
      case 'set':
        for (const member of one.slots) if (member !== undefined) queue.push(member);
        break;
      case 'struct':
        for (const [name, item] of one.fields) queue.push(name, item);
        break;
      case 'bytes':
        characters += 2 * one.bytes.length;
        break;
      default:
    }
  }
  return characters;
}

// Sizes of texts in bytes, counted here because the core has no encoder of a platform.

/** Bytes of a text in UTF-8; a lone surrogate counts as the three of U+FFFD. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is two units and four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
