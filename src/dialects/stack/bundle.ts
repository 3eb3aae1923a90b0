/** A program with those that it uses, as one text. */
import { readStatements } from './reader.ts';
import type { Syntax } from './syntax.ts';

/** Puts the programs that a text uses behind it, as far as `read` finds them. */
export function bundleStack(main: string, read: (name: string) => string | undefined): string {
  const files = new Map<string, string>();
  const queue = [main];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const name of usedIn(text)) {
      if (files.has(name) || /["\n]/.test(name)) continue;
      const found = read(name);
      if (found === undefined) continue;
      files.set(name, found);
      queue.push(found);
    }
  }
  const parts = [...files].map(([name, text]) => `#: file "${name}"\n${ended(text)}`);
  return parts.length === 0 ? main : ended(main) + parts.join('');
}

const ended = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`);

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
      const own = first?.value.kind === 'literal' ? first.value.value : undefined;
      if (syntax.name === 'use') return typeof own === 'string' ? [own] : [];
      return syntax.args.flatMap(({ value }) => usesOf(value));
    }
    default:
      return [];
  }
}
