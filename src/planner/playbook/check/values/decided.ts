/**
 * What the text of a line decides itself: a literal, a variable whose value is known, what is
 * computed of these. A reply that says otherwise there is wrong; what is not known says nothing.
 */
import { GuestValue, stringify, toJson } from '../../../../program/json.ts';
import type { Variable } from '../../parts.ts';
import { shortly } from '../../reply/said.ts';
import type { Expr, Term } from '../../reply/term.ts';
import { computed } from './computed.ts';
import type { KnownValues } from './known-values.ts';
import { type Names, NoValue } from './names.ts';
import { plainWords } from './quoted.ts';

type Value = Expr & { readonly is: 'value' };

export interface Undecided {
  readonly want: string;
  readonly got: string;
}

export class Decided {
  readonly #names: Names;
  readonly #values: KnownValues;
  /** Those of the agent that are known although something was called that may set others. */
  #since: Set<string> | undefined;
  /** Those that something was called for which may set them. */
  #changed = new Set<string>();

  constructor(names: Names, values: KnownValues) {
    this.#names = names;
    this.#values = values;
  }

  begin(): void {
    this.#since = undefined;
    this.#changed.clear();
  }

  set({ name }: Variable): void {
    this.#since?.add(name);
    this.#changed.delete(name);
  }

  /** A playbook or a function was called, which may set these variables of the agent, or any. */
  called(sets: ReadonlySet<string> | undefined): void {
    if (sets === undefined || sets.has('*')) this.#since = new Set();
    for (const name of sets ?? []) this.#changed.add(name.replace('$', ''));
  }

  /** What a line has there, and what the reply; undefined where they are one, or not known. */
  otherwise(term: Term, value: Expr): Undecided | undefined {
    const wanted = this.of(term);
    const given = wanted && this.#worth(value);
    if (!wanted || !given || isAlike(wanted.value, given.value)) return undefined;
    const want = term.is === 'ref' ? term.written : valueInWords(wanted.value);
    return { want, got: valueInWords(given.value) };
  }

  /** Whether what a line has there is known to be what there is. */
  isAlready(term: Term, value: Expr): boolean {
    const wanted = this.of(term);
    const given = wanted && this.#worth(value);
    return wanted !== undefined && given !== undefined && isAlike(wanted.value, given.value);
  }

  /** Whether what is passed on comes to a value, as far as that is known. */
  comesTo(value: Value, given: Expr): boolean {
    const found = this.#worth(given);
    return found !== undefined && isAlike(value.value, found.value);
  }

  /** What it comes to; undefined where that is not known, or for a model to say. */
  of(term: Term): Value | undefined {
    return this.#isPlain(term) ? this.#known(term) : undefined;
  }

  /** With what is computed in a text, where there is one way to write what that comes to. */
  filled(expr: Expr): Expr {
    if (expr.is === 'operation') return this.#exact(expr) ?? expr;
    if (expr.is !== 'text') return expr;
    const parts = expr.parts.map((part) =>
      typeof part === 'string' ? part : (this.#exact(part) ?? part),
    );
    return { ...expr, parts };
  }

  #exact(expr: Expr): Value | undefined {
    const worth = isRounded(expr) ? undefined : this.#worth(expr);
    const value = worth && plainOf(worth.value);
    const isExact = typeof value === 'string' || Number.isSafeInteger(value);
    return isExact ? { is: 'value', value } : undefined;
  }

  #known(term: Term): Value | undefined {
    const expr = this.#resolved(term);
    return expr && this.#worth(expr);
  }

  /** With its variables, whether it is known what they have or not; undefined for words. */
  plain(term: Term): Expr | undefined {
    return this.#isPlain(term) ? this.#resolved(term) : undefined;
  }

  #resolved(term: Term): Expr | undefined {
    try {
      return this.#names.resolve(term);
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }

  /** A word without a dollar may be a word; a number in a text may be written in several ways. */
  #isPlain(term: Term): boolean {
    switch (term.is) {
      case 'value':
        return true;
      case 'ref':
        return term.to.sign || this.#names.find(term.to)?.scope === 'local';
      case 'list':
        return term.items.every((one) => this.#isPlain(one));
      case 'dict':
        return Object.values(term.items).every((one) => this.#isPlain(one));
      case 'operation':
        return term.of.every((one) => this.#isPlain(one));
      case 'text':
        return term.parts.every((one) => {
          if (typeof one === 'string') return true;
          if (one.is === 'ref' && !this.#names.find(one.to)) return false;
          const of = one.is === 'filled' ? one.of : one.is === 'ref' ? one : undefined;
          return of && typeof this.#known(of)?.value === 'string';
        });
    }
  }

  #worth(expr: Expr): Value | undefined {
    if (this.#mayHaveChanged(expr)) return undefined;
    if (expr.is !== 'operation') return this.#values.known(expr);
    const of = expr.of.map((one) => this.#worth(one));
    const known = of.flatMap((one) => (one ? [plainOf(one.value)] : []));
    const value = known.length === of.length ? computed(expr.op, known) : undefined;
    return value === undefined ? undefined : { is: 'value', value };
  }

  #mayHaveChanged(expr: Expr): boolean {
    switch (expr.is) {
      case 'value':
        return false;
      case 'ref':
        if (expr.scope !== 'state') return false;
        return this.#since?.has(expr.name) === false || this.#changed.has(expr.name);
      case 'operation':
        return expr.of.some((one) => this.#mayHaveChanged(one));
      case 'list':
        return expr.items.some((one) => this.#mayHaveChanged(one));
      case 'dict':
        return Object.values(expr.items).some((one) => this.#mayHaveChanged(one));
      case 'text':
        return expr.parts.some((one) => typeof one !== 'string' && this.#mayHaveChanged(one));
    }
  }
}

/** Whether numbers with a point come of it, which may be written in several ways. */
const isRounded = (expr: Expr): boolean =>
  expr.is === 'operation' &&
  (expr.op === '/' || expr.op === 'float' || expr.of.some((one) => isRounded(one)));

export const plainOf = (data: unknown): unknown =>
  data instanceof GuestValue ? toJson(data.value) : data;

export function valueInWords(data: unknown): string {
  const text = stringify(plainOf(data));
  return typeof data === 'string' ? shortly(data) : text.length > 120 ? shortly(text) : text;
}

/** `1`, `1.0` and `"1"` are one, and so are `"Open"` and `"open."`; what is rounded is no other. */
function isAlike(wanted: unknown, given: unknown): boolean {
  const [want, got] = [wanted, given].map((one) => {
    const data = plainOf(one);
    return plainWords(typeof data === 'string' ? data : stringify(data));
  });
  if (want === got) return true;
  if (want === undefined || got === undefined || want === '' || got === '') return false;
  const digits = /\.(\d+)$/.exec(got)?.[1]?.length ?? 0;
  const [due, number] = [Number(want), Number(got)];
  return due === number || (digits > 0 && digits < 20 && due.toFixed(digits) === got);
}
