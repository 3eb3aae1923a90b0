/** Expressions by recursive descent, operators by climbing their precedence. */
import { argumentsOf, parameters } from './call.ts';
import {
  advance,
  consume,
  functionNode,
  type Grammar,
  is,
  name,
  nested,
  type Parser,
  raise,
  unexpected,
} from './cursor.ts';
import { braces, list, parentheses } from './display.ts';
import { formatString } from './format-string.ts';
import type {
  ArithmeticOperator,
  BinaryOperator,
  Call,
  Chain,
  Comparison,
  Expression,
  Position,
  Sequence,
  Unary,
} from './syntax.ts';
import { fail } from './syntax-error.ts';
import type { TokenKind } from './token.ts';

export const grammar: Grammar = { test, operation, operand, lambda };

/** One expression, or a tuple of several without parentheses. */
export function expression(p: Parser): Expression {
  const { at } = p;
  const first = test(p);
  if (p.kind !== ',') return first;
  let { height } = p;
  const items = [first];
  while (p.kind === ',') {
    const comma = advance(p);
    if (endsList(p.kind)) {
      fail('PV2306', comma, 'unparenthesized tuple with trailing comma', {
        hint: 'leave the comma out, or put parentheses around the tuple',
      });
    }
    items.push(test(p));
    height = Math.max(height, p.height);
  }
  raise(p, height, at);
  return { kind: 'tuple', at, items } satisfies Sequence;
}

const enders: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['end of file', 'newline', '=', '}', ']', ')', ';'] as const),
]);

const endsList = (kind: TokenKind): boolean => enders.has(kind);

function test(p: Parser): Expression {
  return nested(p, () => {
    if (p.kind === 'lambda') return lambda(p, true);
    const { at } = p;
    const then = operation(p);
    if (p.kind !== 'if') return then;
    let { height } = p;
    const ifAt = advance(p);
    const condition = operation(p);
    height = Math.max(height, p.height);
    if (!is(p, 'else')) {
      fail('PV2306', ifAt, 'conditional expression without else clause', {
        hint: 'write `a if condition else b`; to leave elements out: [x for x in xs if condition]',
      });
    }
    advance(p);
    const orElse = test(p);
    raise(p, height, at);
    return { kind: 'conditional', at, condition, then, orElse };
  });
}

/** `allowsConditional` is false in the `if` of a comprehension. */
function lambda(p: Parser, allowsConditional: boolean): Expression {
  const at = advance(p);
  p.height = 0;
  const formal = is(p, ':') ? [] : parameters(p);
  const { height } = p;
  consume(p, ':');
  const bodyAt = p.at;
  const value = allowsConditional
    ? test(p)
    : p.kind === 'lambda'
      ? nested(p, () => lambda(p, false))
      : operation(p);
  raise(p, height, at);
  const body = [{ kind: 'return', at: bodyAt, value }] as const;
  return { kind: 'lambda', at, function: functionNode(at, 'lambda', formal, body) };
}

function operation(p: Parser): Expression {
  return binary(p, 0);
}

/** Precedence of the operators that stand between operands. */
const precedence: Partial<Record<TokenKind, number>> = {
  ...{ or: 0, and: 1 },
  ...{ '==': 3, '!=': 3, '<': 3, '>': 3, '<=': 3, '>=': 3, in: 3, 'not in': 3 },
  ...{ '|': 4, '^': 5, '&': 6, '<<': 7, '>>': 7, '-': 8, '+': 8 },
  ...{ '*': 9, '/': 9, '//': 9, '%': 9 },
};

const notPrecedence = 2;
const comparing = 3;

/** Operators of precedence `least` and above, left to right. */
function binary(p: Parser, least: number): Expression {
  const { at } = p;
  let left = p.kind === 'not' && least <= notPrecedence ? negation(p) : unary(p);
  let { height } = p;
  for (;;) {
    const operatorAt = p.at;
    if (p.kind === 'not') notIn(p);
    const level = precedence[p.kind] ?? -1;
    if (level < least) {
      p.height = height;
      return left;
    }
    const operator = p.kind as BinaryOperator;
    advance(p);
    const right = nested(p, () => binary(p, level + 1));
    raise(p, height, operatorAt);
    left = { kind: 'binary', at, operator, operatorAt, left, right };
    if (level === comparing) left = chain(p, left);
    ({ height } = p);
  }
}

function negation(p: Parser): Unary {
  const at = advance(p);
  const operand = nested(p, () => binary(p, notPrecedence));
  raise(p, 0, at);
  return { kind: 'unary', at, operator: 'not', operand };
}

/** Makes one token of `not` and the `in` that must follow it between operands. */
function notIn(p: Parser): void {
  advance(p);
  if (p.kind !== 'in') unexpected(p, 'in');
  p.kind = 'not in';
}

/** What follows the comparison `first` if that is another comparison. */
function chain(
  p: Parser,
  first: Expression & { readonly kind: 'binary' },
): Expression & {
  readonly kind: 'binary' | 'chain';
} {
  const links: Chain['links'][number][] = [];
  let { height } = p;
  for (;;) {
    const operatorAt = p.at;
    if (p.kind === 'not') notIn(p);
    if (precedence[p.kind] !== comparing) break;
    const operator = p.kind as Comparison;
    if (!p.options.chainedcomparison) {
      const message = `${first.operator} does not associate with ${operator} (use parens)`;
      fail('PV2309', operatorAt, message, { hint: 'write a < b and b < c' });
    }
    advance(p);
    const right = nested(p, () => binary(p, comparing + 1));
    raise(p, height, operatorAt);
    links.push({ operator, operatorAt, right });
    ({ height } = p);
  }
  p.height = height;
  if (links.length === 0) return first;
  const { at, left, operator, operatorAt, right } = first;
  const start = { operator: operator as Comparison, operatorAt, right };
  return { kind: 'chain', at, first: left, links: [start, ...links] };
}

function unary(p: Parser): Expression {
  if (p.kind !== '+' && p.kind !== '-' && p.kind !== '~') return power(p);
  const operator = p.kind;
  const at = advance(p);
  const operand = nested(p, () => unary(p));
  raise(p, 0, at);
  return { kind: 'unary', at, operator, operand };
}

/** `x ** y`: binds closer than the sign of its left operand, and to the right. */
function power(p: Parser): Expression {
  const left = operand(p);
  if (p.kind !== '**' || !p.options.power) return left;
  const { height } = p;
  const operatorAt = advance(p);
  const right = nested(p, () => unary(p));
  raise(p, height, operatorAt);
  const operator: ArithmeticOperator = '**';
  return { kind: 'binary', at: left.at, operator, operatorAt, left, right };
}

function operand(p: Parser): Expression {
  const { at } = p;
  if (p.kind === '+' || p.kind === '-' || p.kind === '~') return unary(p);
  let object = primary(p);
  for (;;) {
    if (p.kind === '.') object = attribute(p, at, object);
    else if (p.kind === '[') object = subscript(p, at, object);
    else if (p.kind === '(') object = call(p, at, object);
    else return object;
  }
}

function attribute(p: Parser, at: Position, object: Expression): Expression {
  const { height } = p;
  const operatorAt = advance(p);
  const { name: text, at: nameAt } = name(p);
  p.height = height;
  raise(p, height, operatorAt);
  return { kind: 'attribute', at, object, operatorAt, name: text, nameAt };
}

function call(p: Parser, at: Position, callee: Expression): Call {
  const { height } = p;
  const operatorAt = advance(p);
  const args = argumentsOf(p);
  consume(p, ')');
  raise(p, height, operatorAt);
  return { kind: 'call', at, callee, operatorAt, arguments: args };
}

/** `x[i]` or `x[low:high:step]`. */
function subscript(p: Parser, at: Position, object: Expression): Expression {
  let { height } = p;
  const operatorAt = advance(p);
  const bound = (parse: (p: Parser) => Expression): Expression => {
    const value = parse(p);
    height = Math.max(height, p.height);
    return value;
  };
  const low = p.kind === ':' ? undefined : bound(expression);
  if (low && p.kind === ']') {
    advance(p);
    raise(p, height, operatorAt);
    return { kind: 'index', at, object, operatorAt, index: low };
  }
  let high: Expression | undefined;
  let step: Expression | undefined;
  if (p.kind === ':') {
    advance(p);
    if (!isBoundEnd(p.kind)) high = bound(test);
  }
  if (p.kind === ':') {
    advance(p);
    if (!isBoundEnd(p.kind)) step = bound(test);
  }
  consume(p, ']');
  raise(p, height, operatorAt);
  return { kind: 'slice', at, object, operatorAt, low, high, step };
}

const isBoundEnd = (kind: TokenKind): boolean => kind === ':' || kind === ']';

function primary(p: Parser): Expression {
  p.height = 1;
  switch (p.kind) {
    case 'identifier':
      return name(p);
    case 'int literal':
    case 'float literal':
    case 'string literal':
    case 'bytes literal': {
      const { value } = p;
      return { kind: 'literal', at: advance(p), value };
    }
    case 'f-string':
      return formatString(p);
    case '[':
      return list(p);
    case '{':
      return braces(p);
    case '(':
      return parentheses(p);
    default:
      return unexpected(p, 'primary expression');
  }
}
