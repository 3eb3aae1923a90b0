/**
 * References of plans, `$1` and `${1.rows[0].name}`, in expressions of the debugger: a result is a
 * variable whose name is a number, which no expression in Starlark can say. Nor can it say `$day`,
 * a variable of an agent of playbooks.
 */
import { namePattern } from '../../program/name.ts';
import type { Value } from '../../program/value.ts';

/** An expression without references, and the variables that its own names stand for. */
export interface Named {
  readonly text: string;
  readonly names: ReadonlyMap<string, string>;
}

const field = String.raw`\.${namePattern}`;
const member = new RegExp(String.raw`\.(${namePattern})`, 'gu');
const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const braced = String.raw`\$\{\s*(\d+)((?:${field}|\[[^\]]*\])*)\s*\}`;
/** Texts in quotes are passed over. */
const reference = new RegExp(
  String.raw`${quoted}|${braced}|\$(\d+)((?:${field})*)|\$(${namePattern})`,
  'gu',
);

/** `scope` has what the results are: the fields of a failure are not those of data. */
export function withoutReferences(text: string, scope: ReadonlyMap<string, Value>): Named {
  const names = new Map<string, string>();
  const plain = text.replace(
    reference,
    (all, inBraces?: string, innerPath = '', alone?: string, path = '', named?: string) => {
      if (named !== undefined) {
        names.set(`state_${named}`, scope.has(named) && !scope.has(all) ? named : all);
        return `state_${named}`;
      }
      const id = inBraces ?? alone;
      if (id === undefined) return all;
      const name = `result_${id}`;
      names.set(name, id);
      const value = scope.get(id);
      const isStruct = typeof value === 'object' && value?.kind === 'struct';
      const parts = `${innerPath}${path}`;
      return name + (isStruct ? parts : parts.replace(member, '["$1"]'));
    },
  );
  return { text: plain, names };
}

/** The variable that a person means by `$1`, `${1}` or its plain name. */
export const variableNamed = (written: string): string =>
  /^\$\{?(\d+)\}?$/.exec(written.trim())?.[1] ?? written;

/** A variable as a person types it. */
export const writtenName = (name: string): string => (/^\d+$/.test(name) ? `$${name}` : name);
