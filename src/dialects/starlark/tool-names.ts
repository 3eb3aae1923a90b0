/**
 * Tools under names that a program can write: `get-weather` and `mail.send` are called as
 * `get_weather(…)` and `mail_send(…)`.
 */
import type { ToolSpec } from '../../program/effect.ts';
import { words } from './token.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

const known = new WeakMap<Tools, Tools>();

/** By the name in programs. Where two tools come to one name, the one that has it gets it. */
export function callable(tools: Tools): Tools {
  const before = known.get(tools);
  if (before) return before;
  const named = new Map([...tools].filter(([name]) => isName(name)));
  for (const [name, spec] of tools) {
    let alias = name.replace(/\W/g, '_');
    if (words.has(alias)) alias += '_';
    if (!named.has(alias)) named.set(alias, spec);
  }
  known.set(tools, named);
  return named;
}

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !words.has(name);
