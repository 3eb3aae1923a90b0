/** Variables as a model sees them: in full, in short, or by name alone. */
import type { Variable } from '../../../dialects/playbook/compiled.ts';
import { counted } from '../../../program/diagnostic.ts';
import { stringify } from '../../../program/json.ts';
import { shortened } from '../../prompt.ts';
import type { ShownVariable } from '../turn-arguments.ts';

const startMax = 120;

/** The whole value, or as much of it as one turn may have, and where it goes on. */
export function wholeLine(variable: ShownVariable, most: number): string {
  const { value, from = 0 } = variable;
  const name = writtenName(variable);
  if (isWhole(variable, most)) return fullLine(variable);
  const words = typeof value === 'string' ? value : stringify(value ?? null);
  const piece = wholeCharacters(words, from, from + most);
  const next = from + piece.length;
  const more =
    next < words.length ? `; ${words.length - next} more: {"show":["${name}"],"from":${next}}` : '';
  return `${name} from character ${from} on, of ${words.length}${more}:\n${JSON.stringify(piece)}`;
}

/** The same in short, for later turns. */
export function onceLine(variable: ShownVariable, most: number): string {
  const shown = isWhole(variable, most)
    ? 'it stood here whole'
    : `a part of it, from character ${variable.from ?? 0} on, stood here`;
  return `${valueLine(variable)} (${shown} for the reply below)`;
}

const isWhole = ({ value, from = 0 }: ShownVariable, most: number): boolean =>
  from === 0 && stringify(value ?? null).length <= most;

/** A character of two halves is not cut in the middle. */
function wholeCharacters(text: string, from: number, to: number): string {
  const isHalf = (at: number): boolean => /[\uDC00-\uDFFF]/.test(text.charAt(at));
  return text.slice(isHalf(from) ? from + 1 : from, isHalf(to) ? to - 1 : to);
}

/** Of these, the length of the text says nothing. */
const sizeless: ReadonlySet<string> = new Set(['int', 'float', 'bool', 'function']);

export const writtenName = ({ name, scope }: Variable): string =>
  scope === 'state' ? `$${name}` : name;

const fullLine = (variable: ShownVariable): string =>
  `${writtenName(variable)} = ${stringify(variable.value ?? null)}`;

/** `$day = "Sunday"`, also where less would do and is not shorter. */
export function valueLine(variable: ShownVariable): string {
  const full = fullLine(variable);
  if (variable.how === 'full') return full;
  const short = shortLine(variable);
  return variable.value !== undefined && full.length <= short.length ? full : short;
}

function shortLine(variable: ShownVariable): string {
  const { how, value, about = {} } = variable;
  const name = writtenName(variable);
  const { type: kind = 'a value', size } = about;
  const isSized = size !== undefined && !sizeless.has(kind);
  const type = isSized ? `${kind} of ${counted(size, 'character')}` : kind;
  if (how === 'name') return `${name}: ${type}, not shown`;
  const start = about.start ?? (value === undefined ? '' : stringify(value));
  return `${name}: ${type}, begins ${JSON.stringify(shortened(start, startMax))}`;
}
