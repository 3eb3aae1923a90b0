/** Variables as a model sees them: in full, in short, or by name alone. */
import type { Variable } from '../../../dialects/playbook/compiled.ts';
import { counted } from '../../../program/diagnostic.ts';
import { stringify } from '../../../program/json.ts';
import { shortened } from '../../prompt.ts';
import type { ShownVariable } from '../turn-arguments.ts';

const startMax = 120;

/** The whole value, or as much of its beginning as one turn may have. */
export function wholeLine(variable: ShownVariable, most: number): string {
  const { value } = variable;
  if (isWhole(variable, most)) return fullLine(variable);
  const words = typeof value === 'string' ? value : stringify(value ?? null);
  const piece = words.slice(0, most).toWellFormed();
  const name = writtenName(variable);
  return `${name}, ${most} characters of ${words.length}:\n${JSON.stringify(piece)}`;
}

/** The same in short, for later turns. */
export function onceLine(variable: ShownVariable, most: number): string {
  const part = isWhole(variable, most) ? 'it stood here whole' : 'its beginning stood here';
  return `${valueLine(variable)} (${part} for the reply below)`;
}

const isWhole = ({ value }: ShownVariable, most: number): boolean =>
  stringify(value ?? null).length <= most;

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
