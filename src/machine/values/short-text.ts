/**
 * Canonical text of values as arguments mostly are: a few names, with short texts, numbers and
 * small containers behind them. One walk does for them what takes three in general: to see that
 * they are data, what it costs to write them, and to write them.
 */
import { settled, type Value } from '../../program/value.ts';

/** Characters of a text that is short; what is longer is charged by its length as well. */
export const shortMax = 1000;
const depthMax = 4;

/** Takes note of what a text has cost beyond its length, in units. */
export interface ShortWork {
  units: number;
}

/** The text that `encode` gives; undefined for a value that is not short, or may be no data. */
export function shortText(value: Value, work: ShortWork, depth = 0): string | undefined {
  if (typeof value === 'string') return value.length > shortMax ? undefined : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `${value}`;
  if (typeof value === 'bigint' || depth > depthMax) return undefined;
  if (value.kind === 'pending') {
    const seen = settled(value);
    return seen === value ? undefined : shortText(seen, work, depth + 1);
  }
  let text = '';
  if (value.kind === 'list') {
    for (const item of value.items) {
      const inner = shortText(item, work, depth + 1);
      if (inner === undefined || text.length > shortMax) return undefined;
      text += text === '' ? inner : `,${inner}`;
    }
    work.units++;
    return `[${text}]`;
  }
  if (value.kind !== 'dict') return undefined;
  for (const slot of value.slots) {
    if (!slot) continue;
    const key = slot[0];
    // Keys of other forms make it another text, or put it into another order.
    if (typeof key !== 'string' || !isName(key)) return undefined;
    const inner = shortText(slot[1], work, depth + 1);
    if (inner === undefined || text.length > shortMax) return undefined;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${inner}`;
  }
  work.units++;
  return `{${text}}`;
}

/** Whether a key begins with a letter or a lowline, which neither a tag nor an index does. */
function isName(key: string): boolean {
  const first = key.charCodeAt(0) | 32;
  return (first >= 97 && first <= 122) || first === 127;
}
