/** Data as Starlark writes it, long containers an item a line. */
import type { Json } from '../../../program/json.ts';

/** Longest text of a container that stands in one line. */
const lineMost = 80;

export function literal(value: Json, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const deeper = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([key, item]) => `${quoted(key)}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= lineMost && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`;
}

/** JSON's escapes are Starlark's, but for those of lone surrogates, which no text of UTF-8 has. */
const quoted = (text: string): string => JSON.stringify(text.toWellFormed());
