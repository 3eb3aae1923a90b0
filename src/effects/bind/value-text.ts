/** Values as a model is shown them: within marks, and no longer than a model has to read. */
import { stringify } from '../../program/json.ts';
import { dataBlock } from '../model/prompt.ts';

export const shownCharactersMax = 20_000;

/** A text as it is, anything else as JSON; what is cut off is named. */
export function shown(value: unknown, most: number = shownCharactersMax): string {
  const text = typeof value === 'string' ? value : stringify(value);
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n(${text.length - most} more characters are left out here)`;
}

export const block = (value: unknown, name: string): string => dataBlock(shown(value), name);
