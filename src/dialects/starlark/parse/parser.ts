/** Text to tree: statements by recursive descent. Stops at the first error. */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { packPosition } from '../../../program/program.ts';
import { parameters } from './call.ts';
import {
  advance,
  consume,
  functionNode,
  is,
  name,
  nested,
  type Parser,
  parser,
  unexpected,
} from './cursor.ts';
import { loopTarget } from './display.ts';
import { expression, grammar } from './expression.ts';
import { load } from './load.ts';
import type { Options } from './options.ts';
import type { ArithmeticOperator, Expression, File, If, Position, Statement } from './syntax.ts';
import { SyntaxFault } from './syntax-error.ts';
import type { TokenKind } from './token.ts';

export interface ParsedFile {
  /** Present exactly when there is no error. */
  readonly file?: File;
  readonly errors: readonly Diagnostic[];
}

/** The tree of a program, or the first error in it. Never throws, for any text. */
export function parse(text: string, options: Options): ParsedFile {
  try {
    const p = parser(text, options, grammar);
    const body: Statement[] = [];
    while (p.kind !== 'end of file') {
      if (p.kind === 'newline') advance(p);
      else statement(p, body);
    }
    const at = packPosition(1, 1);
    return { file: { kind: 'file', at, body, frame: undefined, globals: [] }, errors: [] };
  } catch (error) {
    if (error instanceof SyntaxFault) return { errors: [error.diagnostic] };
    throw error;
  }
}

/** Appends a statement, or those of a line, to `body`. */
function statement(p: Parser, body: Statement[]): void {
  switch (p.kind) {
    case 'def':
      body.push(def(p));
      return;
    case 'if':
      body.push(conditional(p));
      return;
    case 'for':
      body.push(loop(p));
      return;
    case 'while':
      body.push(whileLoop(p));
      return;
    default:
      line(p, body);
  }
}

function def(p: Parser): Statement {
  const at = advance(p);
  const own = name(p);
  consume(p, '(');
  const formal = nested(p, () => parameters(p));
  consume(p, ')');
  consume(p, ':');
  const body = suite(p);
  return { kind: 'def', at, name: own, function: functionNode(at, own.name, formal, body) };
}

/** `if` or `elif` and what belongs to it. An `elif` counts as a level, since it is one. */
function conditional(p: Parser): If {
  const at = advance(p);
  const condition = p.grammar.test(p);
  consume(p, ':');
  const body = suite(p);
  if (p.kind === 'elif') {
    return { kind: 'if', at, condition, body, orElse: [nested(p, () => conditional(p))] };
  }
  if (p.kind !== 'else') return { kind: 'if', at, condition, body, orElse: [] };
  advance(p);
  consume(p, ':');
  return { kind: 'if', at, condition, body, orElse: suite(p) };
}

function loop(p: Parser): Statement {
  const at = advance(p);
  const target = nested(p, () => loopTarget(p));
  consume(p, 'in');
  const iterable = expression(p);
  consume(p, ':');
  return { kind: 'for', at, target, iterable, body: suite(p) };
}

function whileLoop(p: Parser): Statement {
  const at = advance(p);
  const condition = p.grammar.test(p);
  consume(p, ':');
  return { kind: 'while', at, condition, body: suite(p) };
}

/** The statements after a colon: those of the line, or an indented block. */
function suite(p: Parser): Statement[] {
  return nested(p, () => {
    const body: Statement[] = [];
    if (p.kind !== 'newline') {
      line(p, body);
      return body;
    }
    advance(p);
    consume(p, 'indent');
    while (!is(p, 'outdent') && !is(p, 'end of file')) {
      statement(p, body);
    }
    consume(p, 'outdent');
    return body;
  });
}

/** Simple statements with semicolons between them. */
function line(p: Parser, body: Statement[]): void {
  for (;;) {
    body.push(small(p));
    if (p.kind !== ';') break;
    advance(p);
    if (is(p, 'newline') || is(p, 'end of file')) break;
  }
  if (p.kind !== 'end of file') consume(p, 'newline');
}

function small(p: Parser): Statement {
  switch (p.kind) {
    case 'return': {
      const at = advance(p);
      return { kind: 'return', at, value: endsStatement(p.kind) ? undefined : expression(p) };
    }
    case 'break':
    case 'continue':
    case 'pass': {
      const { kind } = p;
      return { kind, at: advance(p) };
    }
    case 'load':
      return load(p);
    default:
      return assignment(p);
  }
}

const endsStatement = (kind: TokenKind): boolean =>
  kind === 'newline' || kind === ';' || kind === 'end of file';

function assignment(p: Parser): Statement {
  const { at } = p;
  const target = expression(p);
  if (p.kind === '=') {
    const operatorAt = advance(p);
    const value = expression(p);
    if (is(p, '=')) unexpected(p, 'newline');
    return { kind: 'assign', at, target, operatorAt, value };
  }
  const operator = augmented(p.kind);
  if (operator === undefined) return { kind: 'expression', at, value: target };
  return augment(p, at, target, operator);
}

function augment(
  p: Parser,
  at: Position,
  target: Expression,
  operator: ArithmeticOperator,
): Statement {
  const operatorAt = advance(p);
  return { kind: 'augmented', at, target, operator, operatorAt, value: expression(p) };
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=']);

/** The operator of `+=` and its kind. */
const augmented = (kind: TokenKind): ArithmeticOperator | undefined =>
  kind.endsWith('=') && kind !== '=' && !comparisons.has(kind)
    ? (kind.slice(0, -1) as ArithmeticOperator)
    : undefined;
