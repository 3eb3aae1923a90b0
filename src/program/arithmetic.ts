/**
 * Evaluates arithmetic written as text, exactly and in bounded time: what a plan means by
 * `(${price} - 3) * 2`. Parsed here; nothing of it reaches the host as code.
 *
 * - Operators, loosest first: `+ -`, `* / // %`, signs, `**` (from the right; it binds tighter than
 *   a sign on its left). `× · ÷ −` are read as `* * / -`.
 * - Ints are exact at any size up to 10 000 digits. `/` of two ints is an int where it divides
 *   evenly, else a float; `//` and `%` round towards minus infinity.
 * - A float is computed with as the decimal that it is written as, exactly while that is short:
 *   0.1 + 0.2 is 0.3, and 1 / 3 * 3 is 1.
 * - `abs min max sum round sqrt floor ceil`; `round(x, digits)` rounds halves away from zero.
 *   Elements of a list are arguments: `max([1, 2])`.
 */
import * as N from './arithmetic/numbers.ts';
import { type Token, tokenize } from './arithmetic/tokens.ts';
import { nearest } from './diagnostic.ts';
import type { Value } from './value.ts';

export interface ArithmeticError {
  readonly message: string;
  /** From 1. */
  readonly column: number;
  /** Whether the text is no arithmetic at all, as opposed to arithmetic without a result. */
  readonly syntax: boolean;
}

export type Evaluated = { readonly value: Value } | { readonly error: ArithmeticError };

/**
 * The value of an expression; `$0`, `$1`, … in it stand for the given ints and floats. With
 * `notes`, its numbers may be written as people write them (`arithmetic/number-text.ts`).
 */
export function evaluate(text: string, values: readonly Value[] = [], notes?: string[]): Evaluated {
  const operand = (index: number): N.Num[] => {
    const number = N.numberOf(values[index]);
    return number === undefined ? [] : [number];
  };
  return evaluateWith(text, { count: values.length, numbers: operand }, notes);
}

/** What `$0` and those behind it stand for. */
export interface Operands {
  readonly count: number;
  /** One number, or several where it is all of an argument of a function (`isArgument`). */
  readonly numbers: (index: number, isArgument: boolean) => readonly N.Num[];
}

export function evaluateWith(text: string, operands: Operands, notes?: string[]): Evaluated {
  try {
    return { value: N.valueOfNumber(new Reader(tokenize(text, notes), operands).whole()) };
  } catch (error) {
    if (!(error instanceof N.NoResult)) throw error;
    const { message, column, syntax } = error;
    return { error: { message, column, syntax } };
  }
}

const nestingMax = 100;

/** Binary operators by how tightly they bind; all of these group from the left. */
const levels: readonly (readonly string[])[] = [
  ['+', '-'],
  ['*', '/', '//', '%'],
];

/** Reads and computes in one go: by recursive descent, whose depth is bounded. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #operands: Operands;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], operands: Operands) {
    this.#tokens = tokens;
    this.#operands = operands;
  }

  whole(): N.Num {
    const result = this.#binary(0);
    const rest = this.#next();
    if (rest.kind !== 'end') throw unexpected(rest, 'an operator');
    return result;
  }

  #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end', column: 1 };
  }

  /** Takes the next token if it is one of these signs. */
  #take(...signs: readonly string[]): Token | undefined {
    const token = this.#next();
    if (token.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.#at++;
    return token;
  }

  #binary(level: number): N.Num {
    const signs = levels[level];
    if (!signs) return this.#signed();
    let result = this.#binary(level + 1);
    for (let sign = this.#take(...signs); sign; sign = this.#take(...signs)) {
      result = N.operate(sign.text, result, this.#binary(level + 1), sign.column);
    }
    return result;
  }

  #signed(): N.Num {
    const sign = this.#take('+', '-');
    if (!sign) return this.#power();
    const value = this.#deeper(sign, () => this.#signed());
    return sign.text === '-' ? N.negate(value) : value;
  }

  #power(): N.Num {
    const base = this.#atom();
    const sign = this.#take('**');
    if (!sign) return base;
    return N.operate(
      '**',
      base,
      this.#deeper(sign, () => this.#signed()),
      sign.column,
    );
  }

  #atom(): N.Num {
    const token = this.#next();
    this.#at++;
    switch (token.kind) {
      case 'number':
        return token.value;
      case 'reference':
        return this.#reference(token.index, token);
      case 'name':
        return this.#call(token);
      case 'sign': {
        if (token.text !== '(') throw unexpected(token, 'a number');
        const inner = this.#deeper(token, () => this.#binary(0));
        this.#close(token);
        return inner;
      }
      case 'end':
        throw unexpected(token, 'a number');
    }
  }

  #reference(index: number, token: Token): N.Num {
    const [number] = this.#numbers(index, token, false);
    if (number === undefined) throw this.#missing(token);
    return number;
  }

  #call(name: Token): N.Num {
    const found = N.functions.get(name.text);
    if (!found) throw unexpected(name, 'a number or a function', hintFor(name.text));
    const open = this.#take('(');
    if (!open) throw unexpected(this.#next(), `( after ${name.text}`);
    const args: N.Num[] = [];
    do args.push(...this.#deeper(open, () => this.#argument()));
    while (this.#take(','));
    this.#close(open);
    if (args.length >= found.least && args.length <= found.most) {
      return found.call(args, name.column);
    }
    const atMost = found.most === Infinity ? 'more' : found.most;
    const want = found.least === found.most ? found.least : `${found.least} or ${atMost}`;
    const message = `${name.text}: got ${args.length} arguments, want ${want}`;
    throw new N.NoResult(message, name.column, true);
  }

  /** The numbers of an argument: several where it is a list. */
  #argument(): readonly N.Num[] {
    const open = this.#take('[');
    if (!open) return this.#whole() ?? [this.#binary(0)];
    const items: N.Num[] = [];
    if (this.#take(']')) return items;
    do items.push(this.#deeper(open, () => this.#binary(0)));
    while (this.#take(','));
    this.#close(open, ']');
    return items;
  }

  /** A reference that is an argument by itself. */
  #whole(): readonly N.Num[] | undefined {
    const [token, next] = [this.#next(), this.#tokens[this.#at + 1]];
    const isAlone = next?.kind === 'sign' && (next.text === ',' || next.text === ')');
    if (token.kind !== 'reference' || !isAlone) return undefined;
    this.#at++;
    return this.#numbers(token.index, token, true);
  }

  #numbers(index: number, token: Token, isArgument: boolean): readonly N.Num[] {
    if (index >= this.#operands.count) throw this.#missing(token);
    return this.#operands.numbers(index, isArgument);
  }

  #missing(token: Token): N.NoResult {
    return unexpected(token, `one of ${this.#operands.count} numbers`);
  }

  #close(open: Token, sign = ')'): void {
    if (this.#take(sign)) return;
    throw unexpected(this.#next(), `${sign} for the ${open.text} in column ${open.column}`);
  }

  #deeper<Read>(token: Token, read: () => Read): Read {
    if (this.#depth >= nestingMax) {
      throw new N.NoResult(`got nesting deeper than ${nestingMax}`, token.column, true);
    }
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }
}

function unexpected(token: Token, want: string, hint = ''): N.NoResult {
  return new N.NoResult(`got ${token.text}, want ${want}${hint}`, token.column, true);
}

function hintFor(name: string): string {
  const near = nearest(name, N.functions.keys());
  const known = [...N.functions.keys()].join(', ');
  return near ? `; did you mean ${near}?` : `; functions are ${known}`;
}
