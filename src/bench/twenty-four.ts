/** Expressions of the game of 24, read and computed. */

export interface Expression {
  /** In the order in which they stand. */
  readonly numbers: readonly number[];
  /** NaN where something is divided by zero. */
  readonly value: number;
}

/** Whether it uses each number exactly once and comes to 24. */
export function makes24({ numbers, value }: Expression, puzzle: readonly number[]): boolean {
  const same = sorted(numbers).join() === sorted(puzzle).join();
  // Thirds and sevenths are not exact; no other value of four numbers comes as near.
  return same && Math.abs(value - 24) < 1e-9;
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

  sum(): number {
    let value = this.#product();
    for (let sign = this.#next('+', '-'); sign !== undefined; sign = this.#next('+', '-')) {
      const right = this.#product();
      value += sign === '+' ? right : -right;
    }
    return value;
  }

  #product(): number {
    let value = this.#factor();
    for (let sign = this.#next('*', '/'); sign !== undefined; sign = this.#next('*', '/')) {
      const right = this.#factor();
      if (sign === '*') value *= right;
      else value = right === 0 ? Number.NaN : value / right;
    }
    return value;
  }

  #factor(): number {
    if (this.#next('-') !== undefined) return -this.#factor();
    if (this.#next('(') !== undefined) {
      const value = this.sum();
      if (this.#next(')') === undefined) this.isBroken = true;
      return value;
    }
    const token = this.#tokens[this.#index] ?? '';
    if (!/^\d+$/.test(token)) {
      this.isBroken = true;
      return Number.NaN;
    }
    this.#index++;
    this.numbers.push(Number(token));
    return Number(token);
  }

  #next(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#index];
    if (token === undefined || !signs.includes(token)) return undefined;
    this.#index++;
    return token;
  }
}
