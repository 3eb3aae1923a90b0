/** What stands in the parentheses of a call and of a function. Its order is the resolver's. */
import { advance, consume, failHere, is, name, type Parser } from './cursor.ts';
import type { Argument, Expression, Parameter } from './syntax.ts';

/** Arguments up to the closing parenthesis, which stays. */
export function argumentsOf(p: Parser): Argument[] {
  const all: Argument[] = [];
  let height = 0;
  while (p.kind !== ')' && p.kind !== 'end of file') {
    if (all.length > 0) consume(p, ',');
    if (is(p, ')')) break;
    all.push(argument(p));
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

/** Parameters up to the parenthesis or colon that ends them, which stays. */
export function parameters(p: Parser): Parameter[] {
  const all: Parameter[] = [];
  let height = 0;
  while (p.kind !== ')' && p.kind !== ':' && p.kind !== 'end of file') {
    if (all.length > 0) consume(p, ',');
    if (is(p, ')')) break;
    p.height = 0;
    all.push(parameter(p));
    height = Math.max(height, p.height);
  }
  p.height = height;
  return all;
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
