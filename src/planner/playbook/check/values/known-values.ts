/**
 * What acts of replies are compared by: what they act with, as far as that is known. `"Dune"` and a
 * variable that is "Dune" are one; a variable that has been set since is another one. What a call
 * in the same reply gives is not known there: the replies behind it have what it came to.
 */
import { GuestValue, stringify, toJson } from '../../../../program/json.ts';
import { sha256 } from '../../../../program/sha256.ts';
import type { ActedWith, Variable } from '../../parts.ts';
import type { Expr, Path } from '../../reply/term.ts';

export type Valued = Variable & { readonly value?: unknown };

/** `=` data; `$` what a variable is after so many changes; another word: what is made of some. */
type Mark =
  | readonly ['=', unknown]
  | readonly ['$', string, Path, number]
  | readonly ['text' | 'list' | 'dict' | 'operation', string, readonly Mark[]];

/** Longer keys of what is known are digests, since frames keep them. */
const keyMax = 200;

export class KnownValues {
  readonly #known = new Map<string, unknown>();
  readonly #changes = new Map<string, number>();

  constructor(variables: readonly Valued[]) {
    this.begin(variables);
  }

  /** With the values that a turn begins with. */
  begin(variables: readonly Valued[]): void {
    this.#known.clear();
    this.#changes.clear();
    for (const one of variables) {
      if (one.value !== undefined) this.#known.set(placeOf(one), plain(one.value));
    }
  }

  /** Gives what takes back all that is set from now on. */
  saved(): () => void {
    const [known, changes] = [new Map(this.#known), new Map(this.#changes)];
    return () => {
      refill(this.#known, known);
      refill(this.#changes, changes);
    };
  }

  /** `value` is absent where it is not known yet. */
  set(variable: Variable, value?: Expr): void {
    const place = placeOf(variable);
    const [kind, data] = value ? this.#mark(value) : ['?'];
    if (kind === '=') this.#known.set(place, data);
    else {
      this.#known.delete(place);
      this.#changes.set(place, (this.#changes.get(place) ?? 0) + 1);
    }
  }

  /** Equal for equal arguments, whatever the order of their names. */
  key(callee: string, args: Readonly<Record<string, Expr>>): string {
    const sorted = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
    return keyOf(
      callee,
      sorted.map(([name, expr]) => [name, this.#mark(expr)] as const),
    );
  }

  /** What it comes to; undefined where that is not known. */
  known(expr: Expr): (Expr & { readonly is: 'value' }) | undefined {
    const [kind, data] = this.#mark(expr);
    return kind === '=' ? { is: 'value', value: data } : undefined;
  }

  /** The same, as a text. */
  text(expr: Expr): string | undefined {
    const known = this.known(expr);
    return known && asText(known.value);
  }

  /** A text with what is filled in: numbers and texts, in the one way that these are written. */
  words(text: Expr | undefined): string | undefined {
    const parts = text?.is === 'text' ? text.parts : text ? [text] : [];
    const words = parts.map((part) => {
      const [kind, data] = typeof part === 'string' ? ['=', part] : this.#mark(part);
      return kind === '=' && /^(?:string|number|bigint)$/.test(typeof data)
        ? String(data)
        : undefined;
    });
    return text && !words.includes(undefined) ? words.join('') : undefined;
  }

  /** A key of an earlier reply, with the values that it was done with, as far as that was kept. */
  again(key: string, values: ActedWith = {}): string {
    const from = key.startsWith('?') ? key.indexOf(' [') : -1;
    if (from < 0) return key;
    const marks: (readonly [string, Mark])[] = JSON.parse(key.slice(from + 1));
    const now = marks.map(([name, mark]) => {
      const value = values[name];
      return [name, value ? this.#mark(value) : this.#again(mark)] as const;
    });
    return keyOf(key.slice(1, from), now);
  }

  #mark(expr: Expr): Mark {
    switch (expr.is) {
      case 'value':
        return ['=', plain(expr.value)];
      case 'ref':
        return this.#read(placeOf(expr), expr.path, true);
      case 'operation':
        return ['operation', expr.op, expr.of.map((one) => this.#mark(one))];
      case 'list':
        return made(
          'list',
          '',
          expr.items.map((one) => this.#mark(one)),
        );
      case 'dict': {
        const names = Object.keys(expr.items).sort();
        const items = names.flatMap((name) => expr.items[name] ?? []);
        return made(
          'dict',
          stringify(names),
          items.map((one) => this.#mark(one)),
        );
      }
      case 'text': {
        const marks = expr.parts.map(
          (part): Mark => (typeof part === 'string' ? ['=', part] : this.#mark(part)),
        );
        return made('text', '', marks);
      }
    }
  }

  /** `isOwn`: in this reply, where a variable may have changed since another mention of it. */
  #read(place: string, path: Path, isOwn: boolean): Mark {
    const found = this.#known.has(place) ? partOf(this.#known.get(place), path) : undefined;
    if (found !== undefined) return ['=', found];
    return ['$', place, path, isOwn ? (this.#changes.get(place) ?? 0) : 0];
  }

  #again(mark: Mark): Mark {
    if (mark[0] === '=') return mark;
    if (mark[0] === '$') return this.#read(mark[1], mark[2], false);
    const parts = mark[2].map((one) => this.#again(one));
    return mark[0] === 'operation' ? ['operation', mark[1], parts] : made(mark[0], mark[1], parts);
  }
}

function refill<K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of from) map.set(key, value);
}

/** Of what is known, data; else what it is made of. */
function made(kind: 'text' | 'list' | 'dict', names: string, parts: readonly Mark[]): Mark {
  const data = parts.flatMap((one) => (one[0] === '=' ? [one[1]] : []));
  if (data.length < parts.length) return [kind, names, parts];
  if (kind === 'list') return ['=', data];
  if (kind === 'text') return ['=', data.map(asText).join('')];
  const keys: string[] = JSON.parse(names);
  return ['=', Object.fromEntries(keys.map((key, index) => [key, data[index]]))];
}

function keyOf(callee: string, args: readonly (readonly [string, Mark])[]): string {
  const known = args.flatMap(([name, mark]) => (mark[0] === '=' ? [[name, mark[1]]] : []));
  if (known.length < args.length) return `?${callee} ${stringify(args)}`;
  const text = stringify(known);
  return `${callee} ${text.length > keyMax ? sha256(text) : text}`;
}

/** A text is itself, anything else JSON. */
export const asText = (data: unknown): string =>
  typeof data === 'string' ? data : stringify(data);

/** Equal for what is one variable. */
export const placeOf = ({ name, scope }: Variable): string => `${scope} ${name}`;

/** Undefined where there is no such part. */
const partOf = (data: unknown, path: Path): unknown =>
  path.reduce((of, key) => (of instanceof Object ? Reflect.get(of, key) : undefined), data);

/**
 * Equal for equal values, also where one of them has gone through a journal: a number that is
 * written with a point is the same number.
 */
export function plain(data: unknown): unknown {
  if (data instanceof GuestValue) return toJson(data.value);
  if (Array.isArray(data)) return data.map(plain);
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}
