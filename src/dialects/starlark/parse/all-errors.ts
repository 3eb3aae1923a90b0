/**
 * What is wrong with the grammar of a whole text. The parser stops at the first error; a model that
 * thinks in another language has made several, and may correct its program a few times only. So the
 * line of each error is passed over, and what is left of the program is checked, too.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Options } from './options.ts';
import { parse } from './parser.ts';
import type { File } from './syntax.ts';

const errorsMax = 8;
/** Prose has an error in each line: the text is read so many times at most. */
const readsMax = 40;

export interface BrokenText {
  readonly errors: readonly Diagnostic[];
  /** The program without the lines of the errors, which bind the names that they bound. */
  readonly rest?: File;
}

/**
 * The first error, and after it those that are sure to be one: what is of another language, once
 * for each hint, and, where all that is left can be read, any other. An error may otherwise come of
 * the line that was passed over.
 */
export function readAround(text: string, options: Options): BrokenText {
  const [first] = parse(text, options).errors;
  if (!first) return { errors: [] };
  const errors = [first];
  const lines = text.split('\n');
  let sure = 1;
  let last = first;
  for (let reads = 1; reads < readsMax && errors.length < errorsMax; reads++) {
    if (!passOver(lines, last)) break;
    const { file, errors: more } = parse(lines.join('\n'), options);
    if (file) return { errors, rest: file };
    const [next] = more;
    if (!next || next.line <= last.line) break;
    const isNew = !isForeign(next) || errors.every(({ hint }) => hint !== next.hint);
    if (isNew) errors.push(next);
    if (isNew && isForeign(next) && sure === errors.length - 1) sure++;
    last = next;
  }
  return { errors: errors.slice(0, sure) };
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
  if (line === undefined || /"""|'''/.test(line)) return false;
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const code = withoutComment(line);
  lines[error.line - 1] = indent + (code.endsWith(':') ? blockFor(code) : boundBy(code));
  return true;
}

function blockFor(code: string): string {
  const [, name] = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(code) ?? [];
  if (name !== undefined) return `def ${name}():`;
  const [, bound] = /\bas\s+(\w+)\s*:$/.exec(code) ?? [];
  return bound === undefined ? 'if True:' : `for ${bound} in [None]:`;
}

/** A statement that binds the names that a line of Python binds. */
function boundBy(code: string): string {
  const imported = /^\s*(?:from\s+\S+\s+)?import\s+(.*)$/.exec(code)?.[1];
  const listed =
    imported?.split(',').map(
      (one) =>
        one
          .trim()
          .split(/(?<!\s)\s+as\s+/)
          .at(-1) ?? '',
    ) ?? namesBefore(code, code.lastIndexOf('='));
  const names = listed
    .map((name) => name.split('.', 1)[0] ?? '')
    .filter((name) => isPlain.test(name));
  return names.length === 0 ? 'pass' : names.map((name) => `${name} = None`).join('; ');
}

/** Names that a comma, a colon or an equals sign follows, up to the last of these signs. */
const namesBefore = (code: string, last: number): string[] =>
  [...code.matchAll(/(?:^|[;,])\s*(\w+)\s*(?=[:,]|=(?!=))/g)]
    .filter(({ 0: part, index }) => index + part.length <= last)
    .map(([, name = '']) => name);

const isPlain = /^[A-Za-z_]\w*$/;
