/** Variables as a model sees them: in full, in short, or by name alone. */
import { lastResult } from '../../dialects/playbook/last-result.ts';
import { stringify } from '../../program/json.ts';
import { shortened } from '../prompt.ts';
import type { Variable } from './parts.ts';

export interface ShownVariable extends Variable {
  readonly how: 'full' | 'summary' | 'name';
  /** JSON-like data. */
  readonly value?: unknown;
  /** Of a value that is not shown whole. */
  readonly about?:
    | {
        readonly type?: string | undefined;
        readonly size?: number | undefined;
        readonly start?: string | undefined;
      }
    | undefined;
}

const startMax = 120;

/** Of these, the length of the text says nothing. */
const sizeless: ReadonlySet<string> = new Set(['int', 'float', 'bool', 'function']);

export const writtenName = ({ name, scope }: Variable): string =>
  scope === 'state' ? `$${name}` : name === '_' ? lastResult : name;

/** `$day = "Sunday"`. */
export function valueLine(variable: ShownVariable): string {
  const { how, value, about = {} } = variable;
  const name = writtenName(variable);
  if (how === 'full') return `${name} = ${stringify(value ?? null)}`;
  const { type: kind = 'a value', size } = about;
  const type = size === undefined || sizeless.has(kind) ? kind : `${kind} of ${size}`;
  if (how === 'name') return `${name}: ${type}, not shown`;
  const start = about.start ?? (value === undefined ? '' : stringify(value));
  return `${name}: ${type}, begins ${JSON.stringify(shortened(start, startMax))}`;
}
