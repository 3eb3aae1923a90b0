/** New names for the variables of a playbook whose lines stand in another one. */
import type { CompiledPlaybook, Does, Line, Variable } from '../compiled.ts';
import { variablesOf, writtenIn } from './flow.ts';

export interface Renaming {
  variable<V extends Variable>(variable: V): V;
  text(text: string): string;
}

/** Names that nothing has there stay as they are. All names are taken afterwards. */
export function renaming(
  callee: CompiledPlaybook,
  { state, taken }: { readonly state: ReadonlySet<string>; readonly taken: Set<string> },
): Renaming {
  const names = new Map<string, string>();
  for (const { name, scope } of variablesOf(callee)) {
    if (scope === 'state' || names.has(name)) continue;
    const base = `${callee.name.charAt(0).toLowerCase()}${callee.name.slice(1)}_${name}`;
    let free = name;
    for (let number = 1; taken.has(free) || state.has(free); number += 1) {
      free = number === 1 ? base : `${base}_${number}`;
    }
    names.set(name, free);
    taken.add(free);
  }
  const written = [...names.keys()].map(writtenIn(callee)).toSorted((a, b) => b.length - a.length);
  const words = written.map((name) => name.replace('$', '\\$')).join('|');
  const form = new RegExp(`(?<![\\p{XIDC}$.])(?:${words})(?!\\p{XIDC})`, 'gu');
  const replaced = (name: string): string =>
    name.startsWith('$') ? `$${names.get(name.slice(1))}` : (names.get(name) ?? name);
  return {
    variable: (variable) => {
      const name = variable.scope === 'local' ? names.get(variable.name) : undefined;
      return name === undefined ? variable : { ...variable, name };
    },
    text: (text) => (names.size === 0 ? text : text.replace(form, replaced)),
  };
}

export function renamedLine(line: Line, rename: Renaming): Line {
  const { block, does, names, text } = line;
  return {
    ...line,
    text: rename.text(text),
    ...(block !== undefined && { block: rename.text(block) }),
    names: names.map(rename.variable),
    does: renamedIn(does, rename) as Does,
  };
}

/** Variables and expressions wherever they stand in what a line does. */
function renamedIn(value: unknown, rename: Renaming): unknown {
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, renamedIn(item, rename)]);
  const copy = Object.fromEntries(entries);
  return 'scope' in value ? rename.variable(copy as Variable) : copy;
}
