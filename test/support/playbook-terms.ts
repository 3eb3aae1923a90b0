/** Values and conditions as lines of playbooks write them, computed as a careful reader would. */

/** Of a variable, by its name without a dollar; throws where nobody can know it yet. */
export type Lookup = (name: string) => unknown;

const token = /\s*(?:(\d+)|("(?:\\.|[^"\\])*")|(\$?[a-zA-Z_]\w*)|(==|!=|<=|>=|[-+*<>[\](),.]))/y;

function tokensIn(text: string): readonly string[] | undefined {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const [whole] = token.exec(text) ?? [];
    if (whole === undefined) return undefined;
    found.push(whole.trim());
  }
  return found;
}

/** What an expression gives; undefined where it is none, but words. */
export function computed(text: string, lookup: Lookup): { readonly value: unknown } | undefined {
  const tokens = tokensIn(text);
  if (!tokens || tokens.length === 0) return undefined;
  const reader = new Reader(tokens, lookup);
  const value = reader.either();
  return reader.isAtEnd ? { value } : undefined;
}

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...([
    ['None', null],
    ['null', null],
  ] as const),
  ...([
    ['True', true],
    ['true', true],
    ['False', false],
    ['false', false],
  ] as const),
]);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** As Starlark has it. */
const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

class Reader {
  #at = 0;
  readonly #tokens: readonly string[];
  readonly #lookup: Lookup;

  constructor(tokens: readonly string[], lookup: Lookup) {
    this.#tokens = tokens;
    this.#lookup = lookup;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(): unknown {
    let value = this.#both();
    while (this.#takes('or')) {
      const other = this.#both();
      value = isTrue(value) ? value : other;
    }
    return value;
  }

  #both(): unknown {
    let value = this.#compared();
    while (this.#takes('and')) {
      const other = this.#compared();
      value = isTrue(value) ? other : value;
    }
    return value;
  }

  #compared(): unknown {
    if (this.#takes('not')) return !isTrue(this.#compared());
    const left = this.#sum();
    if (this.#takes('==') || this.#takes('is')) return isSame(left, this.#sum());
    if (this.#takes('!=')) return !isSame(left, this.#sum());
    for (const [sign, holds] of orders) {
      if (this.#takes(sign)) return holds(Number(left), Number(this.#sum()));
    }
    return left;
  }

  #sum(): unknown {
    let value = this.#part();
    for (;;) {
      if (this.#takes('+')) value = added(value, this.#part());
      else if (this.#takes('-')) value = Number(value) - Number(this.#part());
      else return value;
    }
  }

  #part(): unknown {
    let value = this.#whole();
    while (this.#takes('[')) {
      const at = Number(this.either());
      this.#takes(']');
      value = Array.isArray(value) ? value.at(at) : undefined;
    }
    return value;
  }

  #whole(): unknown {
    const first = this.#tokens[this.#at++] ?? '';
    if (first === '[') return this.#list();
    if (first === '-') return -Number(this.#whole());
    if (/^[\d"]/.test(first)) return this.#text(JSON.parse(first));
    if (constants.has(first)) return constants.get(first);
    if (first === 'len' && this.#takes('(')) {
      const value = this.either();
      this.#takes(')');
      return Array.isArray(value) ? value.length : String(value).length;
    }
    if (!/^[$\w]/.test(first)) this.#at = Number.POSITIVE_INFINITY;
    return this.#lookup(first.replace('$', ''));
  }

  #text(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    return value.replace(/\{\$?(\w+)\}/g, (_, name) => {
      const one = this.#lookup(name);
      return typeof one === 'string' ? one : JSON.stringify(one ?? null);
    });
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    while (!this.#takes(']') && this.#at < this.#tokens.length) {
      items.push(this.either());
      this.#takes(',');
    }
    return items;
  }

  #takes(wanted: string): boolean {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at++;
    return true;
  }
}

const orders: readonly (readonly [string, (one: number, other: number) => boolean])[] = [
  ['<=', (one, other) => one <= other],
  ['>=', (one, other) => one >= other],
  ['<', (one, other) => one < other],
  ['>', (one, other) => one > other],
];

function added(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  return typeof one === 'string' ? one + String(other) : Number(one) + Number(other);
}

/** Parts between the commas of a list that is not within brackets or quotes. */
export function listedIn(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, isQuoted, part] = [0, false, ''];
  for (const one of text) {
    if (one === '"') isQuoted = !isQuoted;
    if (!isQuoted && '[('.includes(one)) depth++;
    if (!isQuoted && ')]'.includes(one)) depth--;
    if (one === ',' && depth === 0 && !isQuoted) {
      parts.push(part.trim());
      part = '';
    } else part += one;
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}
