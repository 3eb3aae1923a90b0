/** What stands in brackets, braces and parentheses: lists, dicts, tuples, comprehensions. */
import { advance, consume, is, nested, type Parser, raise, unexpected } from './cursor.ts';
import type { Clause, Comprehension, Entry, Expression } from './syntax.ts';
import type { TokenKind } from './token.ts';

/** `[…]` */
export function list(p: Parser): Expression {
  const at = advance(p);
  if (p.kind === ']') {
    advance(p);
    return { kind: 'list', at, items: [] };
  }
  const first = p.grammar.test(p);
  if (p.kind === 'for') return comprehension(p, at, first, ']');
  const items = commaSeparated(p, first, ']', p.grammar.test);
  consume(p, ']');
  raise(p, 0, at);
  return { kind: 'list', at, items };
}

/** `{…}` */
export function braces(p: Parser): Expression {
  const at = advance(p);
  if (p.kind === '}') {
    advance(p);
    return { kind: 'dict', at, entries: [] };
  }
  const first = entry(p);
  if (p.kind === 'for') return comprehension(p, at, first, '}');
  const entries = commaSeparated(p, first, '}', entry);
  consume(p, '}');
  raise(p, 0, at);
  return { kind: 'dict', at, entries };
}

/** `(…)`: a tuple, or one expression that stands for itself. */
export function parentheses(p: Parser): Expression {
  const at = advance(p);
  if (p.kind === ')') {
    advance(p);
    return { kind: 'tuple', at, items: [] };
  }
  const first = p.grammar.test(p);
  if (p.kind !== ',') {
    consume(p, ')');
    return first;
  }
  const items = commaSeparated(p, first, ')', p.grammar.test);
  consume(p, ')');
  raise(p, 0, at);
  return { kind: 'tuple', at, items };
}

/** What follows the first of several; a comma may stand before `end`. Sets the height of all. */
function commaSeparated<T>(p: Parser, first: T, end: TokenKind, one: (p: Parser) => T): T[] {
  const all = [first];
  let { height } = p;
  while (p.kind === ',') {
    advance(p);
    if (is(p, end)) break;
    all.push(one(p));
    height = Math.max(height, p.height);
  }
  p.height = height;
  return all;
}

function entry(p: Parser): Entry {
  const { at } = p;
  const key = p.grammar.test(p);
  const { height } = p;
  const operatorAt = consume(p, ':');
  const value = p.grammar.test(p);
  p.height = Math.max(p.height, height);
  return { kind: 'entry', at, key, operatorAt, value };
}

/** The clauses of a comprehension up to and with its end. */
function comprehension(
  p: Parser,
  at: number,
  result: Comprehension['result'],
  end: TokenKind,
): Comprehension {
  const clauses: Clause[] = [];
  let { height } = p;
  while (p.kind !== end) {
    if (p.kind !== 'for' && p.kind !== 'if') unexpected(p, `'${end}', for, or if`);
    clauses.push(clause(p));
    height = Math.max(height, p.height);
  }
  advance(p);
  raise(p, height, at);
  return { kind: 'comprehension', at, result, clauses };
}

function clause(p: Parser): Clause {
  const { at } = p;
  const isFor = p.kind === 'for';
  advance(p);
  if (!isFor) {
    const { grammar } = p;
    const condition = nested(p, () =>
      p.kind === 'lambda' ? grammar.lambda(p, false) : grammar.operation(p),
    );
    return { kind: 'if', at, condition };
  }
  const target = loopTarget(p);
  const { height } = p;
  consume(p, 'in');
  const iterable = nested(p, () => p.grammar.operation(p));
  p.height = Math.max(height, p.height);
  return { kind: 'for', at, target, iterable };
}

/** The variables of a loop: operands, since an expression would take the `in` for its own. */
export function loopTarget(p: Parser): Expression {
  const { at } = p;
  const first = p.grammar.operand(p);
  if (p.kind !== ',') return first;
  const items = commaSeparated(p, first, 'in', p.grammar.operand);
  raise(p, 0, at);
  return { kind: 'tuple', at, items };
}
