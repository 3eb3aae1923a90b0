/** What stands in the parentheses of a call and of a function. Its order is the resolver's. */
import { advance, consume, failHere, is, name, type Parser } from './cursor.ts';
import type { Argument, Expression, Parameter } from './syntax.ts';
import type { TokenKind } from './token.ts';

/** Arguments up to the closing parenthesis, which stays. */
export const argumentsOf = (p: Parser): Argument[] => listed(p, [')', 'end of file'], argument);

/** Parameters up to the parenthesis or colon that ends them, which stays. */
export const parameters = (p: Parser): Parameter[] =>
  listed(p, [')', ':', 'end of file'], parameter);

/** A comma may stand before the closing parenthesis. Sets the height of all. */
function listed<T>(p: Parser, ends: readonly TokenKind[], one: (p: Parser) => T): T[] {
  const all: T[] = [];
  let height = 0;
  while (!ends.includes(p.kind)) {
    if (all.length > 0) consume(p, ',');
    if (is(p, ')')) break;
    p.height = 0;
    all.push(one(p));
    height = Math.max(height, p.height);
  }
  p.height = height;
  return all;
}

function argument(p: Parser): Argument {
  const { at } = p;
  if (p.kind === '*' || p.kind === '**') {
    const kind = p.kind === '*' ? 'star' : 'starstar';
    advance(p);
    return { kind, at, value: p.grammar.test(p) };
  }
  const isName = p.kind === 'identifier';
  const value = p.grammar.test(p);
  if (p.kind !== '=') return { kind: 'positional', at, value };
  if (!isName || value.kind !== 'name') {
    const hint = 'compare with ==';
    failHere(p, 'PV2306', 'keyword argument must have form name=expr', { hint });
  }
  advance(p);
  return { kind: 'named', at, name: value.name, value: p.grammar.test(p) };
}

function parameter(p: Parser): Parameter {
  const { at } = p;
  if (p.kind === '**') {
    advance(p);
    return { kind: 'starstar', at, name: name(p) };
  }
  if (p.kind === '*') {
    advance(p);
    return { kind: 'star', at, name: is(p, 'identifier') ? name(p) : undefined };
  }
  const own = name(p);
  if (p.kind !== '=') return { kind: 'parameter', at, name: own };
  advance(p);
  const value: Expression = p.grammar.test(p);
  return { kind: 'optional', at, name: own, value };
}
