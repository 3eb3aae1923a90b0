/** Reads what somebody has written of a server, and says of each value what it has to be. */
import type { Json } from '../../program/json.ts';

export type Members = Readonly<Record<string, Json>>;

/** What is wrong with what is written, with its place: *got X, want Y*. */
export class BadMcpFile extends Error {
  override readonly name = 'BadMcpFile';
  readonly code = 'PV4801';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** `what` is the way to a value, as messages have it: `remote.auth.type`, `files.args[1]`. */
export class Reader {
  readonly #placeOf: (what: string) => string;
  /** Whether numbers, true and false are texts, too, as in YAML, where nobody quotes them. */
  readonly #isLoose: boolean;

  constructor(placeOf: (what: string) => string, isLoose = false) {
    this.#placeOf = placeOf;
    this.#isLoose = isLoose;
  }

  wrong(what: string, problem: string, hint?: string): BadMcpFile {
    return new BadMcpFile(`${this.#placeOf(what)}: ${problem}`, hint);
  }

  unlike(what: string, value: Json | undefined, want: string, hint?: string): BadMcpFile {
    const got = Array.isArray(value) ? 'a list' : JSON.stringify(value ?? null);
    return this.wrong(what, `${what}: got ${got}, want ${want}`, hint);
  }

  object(what: string, value: Json | undefined, want = 'an object'): Members {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Members;
    }
    throw this.unlike(what, value, want);
  }

  text(what: string, value: Json | undefined): string {
    const text = this.#item(what, value);
    if (text !== '') return text;
    throw this.unlike(what, value, 'a text');
  }

  /** A text that may be empty. */
  #item(what: string, value: Json | undefined): string {
    if (typeof value === 'string') return value;
    if (this.#isLoose && ['number', 'boolean'].includes(typeof value)) return String(value);
    throw this.unlike(what, value, 'a text');
  }

  list(what: string, value: Json | undefined): string[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.unlike(what, value, 'a list of texts');
    return value.map((item, index) => this.#item(`${what}[${index}]`, item));
  }

  texts(what: string, value: Json | undefined): Record<string, string> {
    const members = Object.entries(value === undefined ? {} : this.object(what, value));
    return Object.fromEntries(
      members.map(([key, one]) => [key, this.#item(`${what}.${key}`, one)]),
    );
  }
}
