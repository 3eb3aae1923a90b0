/**
 * Quantities with units, and limits of tools, as options, variables and configuration files write
 * them.
 */
import { resolve } from 'node:path';
import { isToolSet, placedToolSet } from '../../effects/tool-set-names.ts';
import { nearest } from '../../program/diagnostic.ts';
import {
  type LimitName,
  limitTable,
  type ToolLimitName,
  type ToolLimits,
  toolLimitNames,
  toolLimitTable,
} from '../../program/limits.ts';

const scales: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  bytes: {
    b: 1,
    k: 1e3,
    kb: 1e3,
    kib: 2 ** 10,
    m: 1e6,
    mb: 1e6,
    mib: 2 ** 20,
    g: 1e9,
    gb: 1e9,
    gib: 2 ** 30,
  },
  milliseconds: { ms: 1, s: 1e3, m: 60e3, min: 60e3, h: 3600e3 },
  USD: { usd: 1 },
};

const counts: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

export const bytesForm = 'bytes, or 500KB, 4MiB, 2GB';

/** A number of bytes; undefined for what is none. */
export function readBytes(text: string): number | undefined {
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const scale = suffix === '' ? 1 : scales.bytes?.[suffix.toLowerCase()];
  if (digits === undefined || scale === undefined) return undefined;
  return Math.round(Number(digits) * scale);
}

/** `512 B`, `3.4 KB`, `12 MB`. */
export function showBytes(bytes: number): string {
  const names = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < names.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${names[unit]}`;
}

/** How a value of a limit is written, for help and messages. */
export function formOf(name: LimitName): string {
  const { unit } = limitTable[name];
  const none = mayBeNone(name) ? ', or none' : '';
  if (unit === 'bytes') return `bytes, or 500KB, 4MiB${none}`;
  if (unit === 'milliseconds') return `milliseconds, or 30s, 5m, 2h${none}`;
  if (unit === 'USD') return `USD, such as 0.50${none}`;
  return `a whole number of ${unit}${leastOf(name) > 0 ? ' from 1' : ''}${none}`;
}

/** The same in the fewest words: `effects, or none`. */
export function unitOf(name: LimitName): string {
  const { unit } = limitTable[name];
  if (unit === 'bytes' || unit === 'milliseconds' || unit === 'USD') return formOf(name);
  return `${unit}${mayBeNone(name) ? ', or none' : ''}`;
}

/** What is wrong with a quantity: *got X, want Y*. */
export class BadQuantity extends Error {
  override readonly name = 'BadQuantity';
}

/** The value of a limit in its own unit; Infinity for `none`. Throws `BadQuantity`. */
export function readLimit(name: LimitName, given: string | number): number {
  const { unit } = limitTable[name];
  const text = String(given).trim();
  if (/^(none|unlimited|infinity)$/i.test(text) && mayBeNone(name)) return Infinity;
  const [, digits, suffix = ''] = /^\$?(\d+(?:[._]\d+)*(?:e\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const scale = suffix === '' ? 1 : (scales[unit] ?? counts)[suffix.toLowerCase()];
  const value = Number(digits?.replaceAll('_', '')) * (scale ?? Number.NaN);
  const isWhole = unit === 'USD' || Number.isSafeInteger(value);
  if (!(value >= leastOf(name)) || !isWhole)
    throw new BadQuantity(`got ${text}, want ${formOf(name)}`);
  return value;
}

/** A budget and a stay may be nothing at all; what else protects or paces is one at least. */
const leastOf = (name: LimitName): number =>
  limitTable[name].effect === 'budget' || name === 'stayMs' ? 0 : 1;

/** Budgets and the time of one attempt may be unlimited; what protects the machine may not. */
const mayBeNone = (name: LimitName): boolean =>
  limitTable[name].effect === 'budget' || name === 'timeoutMs';

/** A limit in the form that is easiest to read: `16MiB`, `2m`, `1000`, `none`. */
export function showLimit(name: LimitName, value: number): string {
  if (value === Infinity) return 'none';
  const { unit } = limitTable[name];
  const whole = Object.entries(scales[unit] ?? {})
    .filter(([suffix, scale]) => shown.has(suffix) && scale > 1 && value % scale === 0)
    .sort(([, a], [, b]) => b - a);
  const [largest] = value === 0 ? [] : whole;
  if (largest === undefined) return String(value);
  return `${value / largest[1]}${unitNames[largest[0]] ?? largest[0]}`;
}

const shown: ReadonlySet<string> = new Set(['kib', 'mib', 'gib', 's', 'm', 'h']);
const unitNames: Readonly<Record<string, string>> = { kib: 'KiB', mib: 'MiB', gib: 'GiB' };

// Limits of single tools, as options, variables and configuration files write them.

export interface ToolLimit {
  readonly tool: string;
  readonly name: ToolLimitName;
  /** In the unit of the limit. */
  readonly value: number;
}

/** `search.timeoutMs=5s`. A tool's own name may have dots. Throws `BadQuantity`. */
export function readToolLimit(given: string): ToolLimit {
  const [, tool, name = '', value = ''] = /^([^=]+)\.(\w+)=(.+)$/.exec(given) ?? [];
  if (tool === undefined) throw new BadQuantity(`got ${given}, want TOOL.LIMIT=VALUE`);
  if (!isToolLimit(name)) {
    const meant = nearest(name, toolLimitNames);
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw new BadQuantity(`got ${tool}.${name}, want one of ${toolLimitNames.join(', ')}${hint}`);
  }
  return { tool, name, value: readLimit(toolLimitTable[name].as, value) };
}

const isToolLimit = (name: string): name is ToolLimitName => Object.hasOwn(toolLimitTable, name);

/** The last one of a limit counts. */
export function byTool(limits: readonly ToolLimit[]): Readonly<Record<string, ToolLimits>> {
  const made: Record<string, Partial<Record<ToolLimitName, number>>> = {};
  for (const { tool, name, value } of limits) made[tool] = { ...made[tool], [name]: value };
  return made;
}

/** Throws `BadQuantity`. */
export const readToolLimits = (given: readonly string[]): Readonly<Record<string, ToolLimits>> =>
  byTool(given.map(readToolLimit));

// Where tools come from, as settings name it.

/** A tools file by its absolute path; the name of a tool set as it is. */
export const toolSource = (folder: string, given: string): string =>
  isToolSet(given) ? placedToolSet(given, (path) => resolve(folder, path)) : resolve(folder, given);
