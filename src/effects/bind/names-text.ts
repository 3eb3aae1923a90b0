/** Variables as a model is shown them: name, type, and the value where it is small. */
import type { LiveName } from '../../engine/handler.ts';
import { isObject } from '../foreign-json.ts';
import { tokensOf } from '../model/window.ts';
import { written } from './written.ts';

/** Characters of a value that is shown whole, and of the beginning of one that is not. */
const wholeMax = 500;
const partMax = 200;
/** For the line that says how many are left out. */
const tokensAround = 20;

/**
 * A line for each, in no more than so many tokens: the last ones, which are nearest to the call.
 * Empty where there is none.
 */
export function namesText(names: readonly LiveName[], tokensMax: number): string {
  const lines: string[] = [];
  let room = tokensMax - tokensAround;
  for (const line of names.toReversed().map(lineOf)) {
    room -= tokensOf(line) + 1;
    if (room < 0) break;
    lines.unshift(line);
  }
  const left = names.length - lines.length;
  return [...(left > 0 ? [`(${left} more before these)`] : []), ...lines].join('\n');
}

function lineOf(one: LiveName): string {
  const { name, value } = one;
  if (!('value' in one)) return `${name}: not known yet`;
  const text = written(value);
  const type = typeOf(value);
  if (text.length <= wholeMax) return `${name} (${type}): ${text}`;
  return `${name} (${type}, ${text.length} characters), which begins: ${text.slice(0, partMax)}…`;
}

/** As programs name types; of what has parts, which. */
function typeOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (!isObject(value)) return 'value';
  const keys = Object.keys(value);
  const shown = keys.slice(0, 10).join(', ');
  return `dict of ${shown}${keys.length > 10 ? ', …' : ''}`;
}
