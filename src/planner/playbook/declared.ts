/** Types that lines and parameters declare, `$n:int`, and whether what a reply sets is of them. */
import type { LinkedPlaybook } from '../../dialects/playbook/linked.ts';
import { assignmentIn } from '../../dialects/playbook/variables.ts';
import { GuestValue } from '../../program/json.ts';
import { shortly } from './said.ts';
import type { Expr } from './term.ts';

/** By name, without the dollar; the first line that says one decides. */
export function declaredTypes({ lines, parameters }: LinkedPlaybook): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const declare = (name: string, type: string | undefined): void => {
    const key = name.replace('$', '');
    if (type !== undefined && !types.has(key)) types.set(key, type.toLowerCase());
  };
  for (const { name, type } of parameters) declare(name, type);
  for (const { step } of lines.values()) {
    const found = step.writes.length === 0 ? undefined : assignmentIn(step.text);
    if (found) declare(found.target, found.type);
  }
  return types;
}

/** What is wrong with a value for a type: *got X, want Y*. What is computed later is let pass. */
export function mistyped(name: string, value: Expr, type: string | undefined): string | undefined {
  const fits = type === undefined ? undefined : kinds[type];
  const kind = kindOf(value);
  if (!fits || kind === undefined || fits.includes(kind)) return undefined;
  const got = value.is === 'value' ? shown(value.value) : `a ${kind}`;
  return `got ${got} for $${name}, want a value of the type ${type}`;
}

/** A number or a truth that was written as a text, where the type says that it is none. */
export function unquoted(value: Expr, type: string | undefined): Expr {
  const fits = type === undefined ? undefined : kinds[type];
  if (!fits || fits.includes('text') || value.is !== 'value') return value;
  const text = typeof value.value === 'string' ? value.value.trim() : '';
  if (fits.includes('bool') && /^(?:true|false)$/i.test(text)) {
    return { is: 'value', value: text.toLowerCase() === 'true' };
  }
  const isNumber =
    /^-?\d{1,15}$/.test(text) || (fits.includes('float') && /^-?\d+\.\d+$/.test(text));
  return fits.includes('int') && isNumber ? { is: 'value', value: Number(text) } : value;
}

const shown = (data: unknown): string =>
  typeof data === 'string' ? shortly(data) : String(JSON.stringify(data));

type Kind = 'null' | 'bool' | 'int' | 'float' | 'text' | 'list' | 'dict';

const numbers: readonly Kind[] = ['int', 'float', 'null'];

/** Which values a type has, by each of its names; others are not checked. */
const kinds: Readonly<Record<string, readonly Kind[]>> = {
  int: ['int', 'null'],
  integer: ['int', 'null'],
  float: numbers,
  number: numbers,
  str: ['text', 'null'],
  string: ['text', 'null'],
  text: ['text', 'null'],
  bool: ['bool', 'null'],
  boolean: ['bool', 'null'],
  list: ['list', 'null'],
  array: ['list', 'null'],
  dict: ['dict', 'null'],
  object: ['dict', 'null'],
};

function kindOf(value: Expr): Kind | undefined {
  if (value.is === 'text') return 'text';
  if (value.is === 'list' || value.is === 'dict') return value.is;
  return value.is === 'value' ? kindOfData(value.value) : undefined;
}

function kindOfData(data: unknown): Kind | undefined {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'list';
  switch (typeof data) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(data) ? 'int' : 'float';
    case 'string':
      return 'text';
    case 'object':
      return data instanceof GuestValue ? undefined : 'dict';
    default:
      return undefined;
  }
}
