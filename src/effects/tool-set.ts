/**
 * What a tool set is: tools that come along, which a run has where it names the set,
 * `planvm:wikipedia`, with options as in an address, `planvm:wikipedia?language=fr`. Its
 * declarations are there without running anything; what performs them is loaded on first use.
 */
import type { Handler } from '../engine/handler.ts';
import type { ToolSpec } from '../program/effect.ts';
import { BadToolSet, toolSetScheme as scheme, type ToolSetName } from './tool-set-names.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ToolSet {
  readonly name: ToolSetName;
  readonly about: string;
  /** By name, what each is; one with a `variable` is read from there where it is not given. */
  readonly options: Readonly<Record<string, SetOption>>;
  readonly specs: readonly ToolSpec[];
  /** What performs them, in the order of `specs`. Throws `BadToolSet`. */
  open(read: SetReader): Promise<readonly Handler[]>;
}

export interface SetOption {
  readonly about: string;
  readonly variable?: string;
  readonly default?: string;
  /** Of a number from 1: what it counts, and how large it may be. */
  readonly limit?: { readonly unit: string; readonly most: number };
}

/** The options of a set as it is opened with them. Each throws `BadToolSet`. */
export interface SetReader {
  readonly env: Environment;
  /** What is given before the variable before the default; else an empty text. */
  text(name: string, form?: RegExp, want?: string): string;
  flag(name: string): boolean;
  limit(name: string): number;
  /** An address of HTTP without a password. */
  address(name: string): URL;
}

export function readerOf(set: ToolSet, options: Environment, env: Environment): SetReader {
  const wrong = (name: string, given: string, want: string): BadToolSet =>
    new BadToolSet(`${scheme}${set.name}: ${name}: got ${given}, want ${want}`);
  const text: SetReader['text'] = (name, form = /^/, want = '') => {
    const option = set.options[name];
    if (!option) return '';
    const variable = env[option.variable ?? '']?.trim() || undefined;
    const given = options[name] ?? variable ?? option.default ?? '';
    if (form.test(given)) return given;
    throw wrong(name, given, want);
  };
  return {
    env,
    text,
    flag: (name) => text(name, /^(true|false)$/, 'true or false') === 'true',
    limit(name) {
      const most = set.options[name]?.limit?.most ?? 0;
      const want = `a number from 1 to ${most}`;
      const given = text(name, /^[1-9]\d{0,8}$/, want);
      if (Number(given) <= most) return Number(given);
      throw wrong(name, given, want);
    },
    address: (name) => addressOf(name, text(name)),
  };
}

/** What performs the tools of a set, opened with options. Throws `BadToolSet`. */
export async function openSet(
  set: ToolSet,
  options: Environment,
  env: Environment,
): Promise<readonly Handler[]> {
  return await set.open(readerOf(set, options, env));
}

function addressOf(name: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new BadToolSet(`${name}: got ${given}, want an address such as http://127.0.0.1:1880`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new BadToolSet(
    `${name}: got an address with a password in it`,
    'addresses are kept with the run; give a key by the environment',
  );
}
