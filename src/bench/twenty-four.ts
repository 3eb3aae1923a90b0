/**
 * Expressions of the game of 24: read and computed exactly, as fractions. A division by zero has no
 * value.
 */

export interface Expression {
  /** In the order in which they stand. */
  readonly numbers: readonly number[];
  /** Undefined where something is divided by zero. */
  readonly value: Fraction | undefined;
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Whether it uses each number exactly once and comes to 24. */
export function makes24({ numbers, value }: Expression, puzzle: readonly number[]): boolean {
  const same = sorted(numbers).join() === sorted(puzzle).join();
  return same && value !== undefined && value.over === 24n * value.under;
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** Undefined for a text that is not an expression of whole numbers, `+ - * /` and parentheses. */
export function readExpression(text: string): Expression | undefined {
  const tokens = text.match(/\d+|[-+*/()]|\S/g) ?? [];
  if (tokens.length > tokensMax) return undefined;
  const reader = new Reader(tokens);
  const value = reader.sum();
  return reader.isOver && !reader.isBroken ? { numbers: reader.numbers, value } : undefined;
}

/** A model may repeat itself: no more than this is read. */
const tokensMax = 200;

class Reader {
  readonly numbers: number[] = [];
  readonly #tokens: readonly string[];
  #index = 0;
  isBroken = false;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isOver(): boolean {
    return this.#index === this.#tokens.length;
  }

  sum(): Fraction | undefined {
    let value = this.#product();
    for (let sign = this.#next('+', '-'); sign !== undefined; sign = this.#next('+', '-')) {
      const right = this.#product();
      value = value && right && added(value, sign === '+' ? right : negative(right));
    }
    return value;
  }

  #product(): Fraction | undefined {
    let value = this.#factor();
    for (let sign = this.#next('*', '/'); sign !== undefined; sign = this.#next('*', '/')) {
      const right = this.#factor();
      const factor = sign === '*' ? right : right && inverse(right);
      value = value &&
        factor && { over: value.over * factor.over, under: value.under * factor.under };
    }
    return value;
  }

  #factor(): Fraction | undefined {
    if (this.#next('-') !== undefined) {
      const value = this.#factor();
      return value && negative(value);
    }
    if (this.#next('(') !== undefined) {
      const value = this.sum();
      if (this.#next(')') === undefined) this.isBroken = true;
      return value;
    }
    const token = this.#tokens[this.#index] ?? '';
    if (!/^\d+$/.test(token)) {
      this.isBroken = true;
      return undefined;
    }
    this.#index++;
    this.numbers.push(Number(token));
    return { over: BigInt(token), under: 1n };
  }

  #next(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#index];
    if (token === undefined || !signs.includes(token)) return undefined;
    this.#index++;
    return token;
  }
}

const added = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});

const negative = ({ over, under }: Fraction): Fraction => ({ over: -over, under });

const inverse = ({ over, under }: Fraction): Fraction | undefined =>
  over === 0n ? undefined : { over: under, under: over };
