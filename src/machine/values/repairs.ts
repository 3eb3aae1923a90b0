/** Says what was done to a text to read it as JSON (design rule 9). */
import type { Repair } from '../../text/json-text.ts';
import type { Surroundings } from './surroundings.ts';

/** How many repairs a warning lists. */
const listed = 3;

export function warnOf(repairs: readonly Repair[], around: Surroundings | undefined): void {
  if (repairs.length === 0) return;
  const places = repairs.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  const more = places.length > listed ? `; and ${places.length - listed} more` : '';
  const first = places.slice(0, listed).join('; ');
  around?.warn?.(`a text was mended to be read as JSON: ${first}${more}`);
}
