/**
 * What is wrong with the grammar of a whole text. The parser stops at the first error; a model that
 * thinks in another language has made several, and may correct its program a few times only.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Options } from './options.ts';
import { parse } from './parser.ts';

const errorsMax = 8;
/** Prose has an error in each line: the text is read so many times at most. */
const readsMax = 40;

/**
 * The first error, and behind it one of each further kind that is sure to be one: what is of
 * another language, with a hint that says so. The line of each is passed over for the next.
 */
export function allErrors(text: string, options: Options): readonly Diagnostic[] {
  const [first] = parse(text, options).errors;
  if (!first) return [];
  const found = [first];
  const lines = text.split('\n');
  let last = first;
  for (let reads = 1; reads < readsMax && found.length < errorsMax; reads++) {
    if (!passOver(lines, last)) break;
    const [next] = parse(lines.join('\n'), options).errors;
    if (!next || next.line <= last.line || !isForeign(next)) break;
    if (found.every(({ hint }) => hint !== next.hint)) found.push(next);
    last = next;
  }
  return found;
}

const foreignCodes: readonly string[] = ['PV2306', 'PV2307'];

const isForeign = ({ code, hint }: Diagnostic): boolean =>
  hint !== undefined && foreignCodes.includes(code);

/** A `#` in quotes begins no comment; one before quotes is taken for one in them. */
function withoutComment(line: string): string {
  const quote = Math.max(line.lastIndexOf("'"), line.lastIndexOf('"'));
  for (let at = line.indexOf('#', quote + 1); at >= 0; at = line.indexOf('#', at + 1)) {
    if (/\s/.test(line[at - 1] ?? '')) return line.slice(0, at).trimEnd();
  }
  return line.trimEnd();
}

/** Puts something in place of the line that goes on as it did; false where that cannot be told. */
function passOver(lines: string[], error: Diagnostic): boolean {
  const line = lines[error.line - 1];
  if (line === undefined || !isForeign(error) || /"""|'''/.test(line)) return false;
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const code = withoutComment(line);
  const name = /^\s*(?:async\s+)?def\s+(\w+)/.exec(code)?.[1];
  const block = name === undefined ? 'if True:' : `def ${name}():`;
  lines[error.line - 1] = indent + (code.endsWith(':') ? block : 'pass');
  return true;
}
