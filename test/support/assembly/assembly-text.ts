/** The tokens of a line of assembly, and the names and constants that they write. */
import { decode, type Json } from '../../../src/program/json.ts';
import * as V from '../../../src/program/value.ts';

export interface Token {
  /**
   * `word`: up to a space; `text`: a JSON string; `json`: a JSON object or array; `gloss`: what
   * stands in parentheses, for the reader only; `comment`: from a semicolon to the end of the line.
   */
  readonly kind: 'word' | 'text' | 'json' | 'gloss' | 'comment';
  readonly text: string;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['comment', /;[\s\S]*/y],
  ['word', /(?:tool|builtin):"(?:[^"\\]|\\.)*"/y],
  ['text', /"(?:[^"\\]|\\.)*"?/y],
  ['word', /[^\s;"()[\]{}]+/y],
];

/** The tokens of one line; a bracket that is never closed takes the rest of the line. */
export function tokens(text: string, line: number): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at++;
      continue;
    }
    const [kind, end] = tokenAt(text, at);
    found.push({ kind, text: text.slice(at, end), line, column: at + 1 });
    at = end;
  }
  return found;
}

function tokenAt(text: string, at: number): [Token['kind'], number] {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return [kind, pattern.lastIndex];
  }
  return [text[at] === '(' ? 'gloss' : 'json', closing(text, at)];
}

/** The end of what the bracket at `at` opens. */
function closing(text: string, at: number): number {
  const pattern = /"(?:[^"\\]|\\.)*"?|[([{]|[)\]}]|[^"()[\]{}]+/y;
  pattern.lastIndex = at;
  let depth = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if ('([{'.includes(match[0])) depth++;
    if (')]}'.includes(match[0])) depth--;
    if (depth <= 0) return pattern.lastIndex;
  }
  return text.length;
}

/** The name that a token writes; undefined where it writes none. */
export function nameIn(token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return token.text;
  if (token?.kind !== 'text') return undefined;
  const value = parsed(token.text);
  return typeof value === 'string' ? value : undefined;
}

/** The constant that a token writes. Throws `SyntaxError` where it writes none. */
export function constantIn(token: Token): V.Value {
  const { text } = token;
  const [, kind, name] = /^(tool|builtin):(.+)$/s.exec(text) ?? [];
  if (token.kind === 'word' && kind !== undefined && name !== undefined) {
    const bare = name.startsWith('"') ? String(JSON.parse(name)) : name;
    return kind === 'tool' ? V.tool(bare) : V.builtin(bare);
  }
  if (token.kind === 'word' && /^-?(0|[1-9]\d*)$/.test(text)) return V.int(BigInt(text));
  if (token.kind === 'word' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return V.float(Number(text));
  }
  return decode(JSON.stringify(JSON.parse(text, keepNumber)));
}

/** Ints of any size and floats stay what their digits say. */
function keepNumber(_key: string, value: Json, context?: { source?: string }): Json {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  if (/^-?\d+$/.test(context.source)) {
    return Number.isSafeInteger(value) ? value : { $int: context.source };
  }
  return Number.isInteger(value) ? { $float: Object.is(value, -0) ? '-0' : String(value) } : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
