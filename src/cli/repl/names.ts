/** What may follow what is typed: names of the session, of the language, and attributes. */
import { functionRows, nameOf } from '../../dialects/starlark/describe/library.ts';
import { universe } from '../../dialects/starlark/resolve/universe.ts';
import { attributeNames } from '../../machine/attribute.ts';
import { methods, modules } from '../../machine/builtins/starlark.ts';
import type { Value } from '../../program/value.ts';

const keywords = [
  ...['and', 'break', 'continue', 'def', 'elif', 'else', 'for', 'if', 'in', 'lambda', 'not', 'or'],
  ...['pass', 'return', 'while'],
];

export interface Names {
  readonly variables: ReadonlyMap<string, Value>;
  readonly tools: Iterable<string>;
  readonly commands: readonly string[];
}

const functions: ReadonlySet<string> = new Set(functionRows.map(nameOf));

/** As readline wants it: candidates, and the end of the line that they take the place of. */
export function complete(line: string, names: Names): [string[], string] {
  if (line.trim() === '') return [[`${line}    `], line];
  if (line.startsWith('/')) return [names.commands.filter((one) => one.startsWith(line)), line];
  const word = /[\p{XIDC}.]*$/u.exec(line)?.[0] ?? '';
  if (word === '') return [[], ''];
  const point = word.lastIndexOf('.');
  const all = point < 0 ? namesOf(names) : membersOf(word.slice(0, point), names);
  return [all.filter((one) => one.startsWith(word)).sort(), word];
}

function namesOf({ variables, tools }: Names): string[] {
  const callable = [...universe, ...tools].map((name) =>
    functions.has(name) || !universe.has(name) ? `${name}(` : name,
  );
  return [...new Set([...keywords, ...callable, ...variables.keys()])];
}

function membersOf(object: string, { variables, tools }: Names): string[] {
  const value = variables.get(object) ?? modules.get(object);
  const own =
    value === undefined ? [] : attributeNames(value, methods).map((name) => `${object}.${name}`);
  if (variables.has(object)) return own;
  return [...own, ...[...tools].filter((name) => name.includes('.')).map((name) => `${name}(`)];
}
