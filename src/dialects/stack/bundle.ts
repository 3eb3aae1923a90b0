/** A program with those that it uses, as one text. */
import { unbundle } from '../bundled.ts';
import type { Environment } from '../dialect.ts';
import { bundleBy, type ReadFile } from '../starlark/bundle.ts';
import { readStatements } from './reader.ts';
import { nameOfUsed, type Syntax } from './syntax.ts';

/**
 * Puts the programs that a text uses behind it, as far as `read` finds them; those that are there
 * already stay.
 */
export function bundleStack(text: string, read: ReadFile): string {
  const { main, files } = unbundle(text);
  return bundleBy(usedIn, main, (name) => files.get(name) ?? read(name));
}

/** The same with the saved programs of an environment. */
export const bundleUsed = (text: string, { programs = [] }: Environment): string =>
  bundleStack(text, (name) => programs.find((one) => one.name === name)?.text);

/** The names of the programs that a text uses. */
const usedIn = (text: string): string[] =>
  text.includes('use') ? readStatements(text).statements.flatMap(({ call }) => usesOf(call)) : [];

function usesOf(syntax: Syntax): string[] {
  switch (syntax.kind) {
    case 'list':
      return syntax.items.flatMap(usesOf);
    case 'object':
      return syntax.entries.flatMap(({ value }) => usesOf(value));
    case 'call': {
      const [first] = syntax.args;
      const own = first && nameOfUsed(first.value);
      if (syntax.name === 'use') return own === undefined ? [] : [own];
      return syntax.args.flatMap(({ value }) => usesOf(value));
    }
    default:
      return [];
  }
}
