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
