/**
 * The parser's state: the scanner, the token before, and how deep the tree is. Owns how a wrong
 * token is reported. The files of the grammar call each other through `grammar`, so that none of
 * them imports another in a circle.
 */
import type { Note } from '../../../program/diagnostic.ts';
import { adviceFor } from './hints.ts';
import type { Options } from './options.ts';
import { type Scanner, scan, scanner } from './scanner.ts';
import type { Expression, FunctionNode, Name, Position } from './syntax.ts';
import { type Advice, fail } from './syntax-error.ts';
import { shown, type TokenKind } from './token.ts';

export interface Parser extends Scanner {
  readonly grammar: Grammar;
  /** The token before the current one: its kind and where it is. */
  previousKind: TokenKind;
  previousStart: number;
  previousEnd: number;
  /** Constructs around the current place. */
  depth: number;
  /** Levels of the expression parsed last. */
  height: number;
}

export interface Grammar {
  /** An expression without a comma. */
  test(p: Parser): Expression;
  /** One that is no lambda and no conditional. */
  operation(p: Parser): Expression;
  /** A primary expression with its suffixes. */
  operand(p: Parser): Expression;
  lambda(p: Parser, allowsConditional: boolean): Expression;
}

/**
 * Levels of a program's tree, statements and expressions together: what any part that walks the
 * tree by recursion must be able to bear. A chain `a + b + c` has a level for each operator.
 */
export const levelsMax = 250;

export function parser(text: string, options: Options, grammar: Grammar): Parser {
  const state: Parser = {
    ...scanner(text, options),
    grammar,
    previousKind: 'newline',
    previousStart: 0,
    previousEnd: 0,
    depth: 0,
    height: 0,
  };
  scan(state);
  return state;
}

/** Whether the current token is of a kind; asks again after every `advance`. */
export const is = (p: Parser, kind: TokenKind): boolean => p.kind === kind;

/** Goes on to the next token; gives the place of the one that was current. */
export function advance(p: Parser): Position {
  const { at } = p;
  p.previousKind = p.kind;
  p.previousStart = p.start;
  p.previousEnd = p.position;
  scan(p);
  return at;
}

/** Passes a token of the kind, or throws a `SyntaxFault`. */
export function consume(p: Parser, kind: TokenKind): Position {
  if (p.kind !== kind) unexpected(p, shown(kind));
  return advance(p);
}

/** Throws: the current token is not `wanted`. */
export function unexpected(p: Parser, wanted: string): never {
  refuse(p, `got ${shown(p.kind)}, want ${wanted}`, wanted);
}

function refuse(p: Parser, message: string, wanted: string): never {
  const { isForeign, hint } = adviceFor(p, wanted);
  const code = isForeign ? 'PV2307' : 'PV2306';
  failHere(p, code, message, { hint, notes: opened(p) });
}

/** Throws at the current token; the end of a line is a token on that line. */
export function failHere(p: Parser, code: string, message: string, advice: Advice = {}): never {
  fail(code, p.at, message, advice);
}

/** Where the bracket is that has no end yet, if something stands where its end should be. */
function opened(p: Parser): Note[] {
  const open = p.kind === 'end of file' ? p.brackets.at(-1) : undefined;
  if (open === undefined) return [];
  const before = p.text.slice(0, open).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return [{ line: before.length, column, message: `'${p.text[open]}' was opened here` }];
}

/** Passes a name, or throws a `SyntaxFault`. */
export function name(p: Parser): Name {
  if (p.kind !== 'identifier') {
    refuse(p, 'not an identifier', 'identifier');
  }
  return { kind: 'name', name: written(p), at: advance(p), binding: undefined };
}

/** The name that is the current token: the same for a letter with its marks in one, or apart. */
export const written = (p: Parser): string => p.text.slice(p.start, p.position).normalize('NFC');

/** The tree gets an inner node above levels as high as these. */
export function raise(p: Parser, height: number, at: Position = p.at): void {
  p.height = Math.max(p.height, height) + 1;
  if (p.depth + p.height > levelsMax) tooDeep(at);
}

/** Runs what parses the inside of a construct. */
export function nested<T>(p: Parser, inside: () => T): T {
  if (++p.depth > levelsMax) tooDeep(p.at);
  const result = inside();
  p.depth--;
  return result;
}

function tooDeep(at: Position): never {
  fail('PV2311', at, `got more than ${levelsMax} levels, want fewer`, {
    hint: 'give inner parts names, build long lists and texts in a loop or with join()',
  });
}

/** A function's tree, made of its parts. */
export const functionNode = (
  at: Position,
  functionName: string,
  parameters: FunctionNode['parameters'],
  body: FunctionNode['body'],
): FunctionNode => ({
  kind: 'function',
  at,
  name: functionName,
  parameters,
  body,
  frame: undefined,
});
