/**
 * What a reply has a playbook say, while it still arrives: the beginning of the text, as far as
 * nothing has to be filled in. For who reads along; what counts is what is read once it is whole.
 *
 * In every form the text is a literal that begins within what is open: an operation of a line or of
 * a list, a step of a trace, a statement of a log or of Python.
 */
import { unescaped } from './forms/literals.ts';
import { type Said, stepIn } from './said.ts';

/** What of a reply has begun and has not ended: nothing of that has been read. */
export interface Reply {
  /** Another one for each; empty where nothing is to be heard. */
  readonly openKey: string;
  /** What it is with a piece that comes, and whether a call that stands there alone is made. */
  openWith(piece: string): { readonly text: string; readonly isCode: boolean };
}

/** The line that is named in the same breath, where one is. */
export type SaidStep = Said & { readonly is: 'step' };

interface Literal {
  readonly plain: RegExp;
  /** The beginning of a mark, or half of a character, may go on with the next piece. */
  readonly half: RegExp;
  readonly read: (mark: string) => string;
}

const json: Literal = {
  plain: /\\(?:u(?!d[89a-f])[0-9a-f]{4}|["\\/bfnrt])|[^"\\{$\r\n\p{Cs}]/giuy,
  half: /^(?:\\[\da-fu]{0,5}|[\ud800-\udbff])?$/i,
  read: (mark) => JSON.parse(`"${mark}"`),
};

const code = (quote: string): Literal => ({
  plain: new RegExp(
    String.raw`\\(?:u(?!d[89a-f])[0-9a-f]{4}|["'\\nt])|[^${quote}\\{}$\r\n\x60\p{Cs}]`,
    'giuy',
  ),
  half: json.half,
  read: unescaped,
});

const literals: Readonly<Record<string, Literal>> = { '"': code('"'), "'": code("'") };

const user = String.raw`(?<user>["'](?:user|human|you|me)?["']\s*,\s*)?`;
const args = String.raw`"args"\s*:\s*\[\s*${user}`;

/** An operation of JSON up to its text, with its line or below the name of that. */
const operation = new RegExp(
  [
    String.raw`^[\s,]*(?:\{\s*"[a-z_]+"\s*:\s*(?=\[))?(?:\[\s*)?\{\s*`,
    String.raw`(?:"(?:step|line)"\s*:\s*"(?<line>[^"\\]*)"\s*,\s*|`,
    String.raw`"(?<name>[^"\\]*\d[^"\\]*)"\s*:\s*\[\s*\{\s*)?`,
    String.raw`(?:(?<own>"say"\s*:\s*)|"call"\s*:\s*(?:\{\s*"fn"\s*:\s*)?"Say"\s*,\s*${args})"`,
  ].join(''),
  'i',
);

/** A statement, behind the name of its line. */
const statement = new RegExp(
  [
    String.raw`^\s*(?:[-*+]\s+)?(?:\x60?Step\[\s*"(?<line>[^"\]]*)"\s*\]\x60?[\s;,]*)?`,
    String.raw`(?<mark>\x60|await\s+(?:self\.)?)?Say\(\s*${user}[fF]?(?<quote>["'])`,
  ].join(''),
);

/** Nothing that says something has more in front of its text. */
const frontMax = 400;

/** Whom it is said to, for all that is known: `Say("user", …` begins so. */
const perhapsName = /^[\p{XIDC}' -]{0,24}$/u;

/** Whether what has come may go on to `"user", "…`. */
function isPerhapsUser(text: string): boolean {
  const [, word, mark] = /^(\w*)(["']?)\s*,?\s*$/.exec(text) ?? [];
  if (word === undefined) return false;
  return ['user', 'human', 'you', 'me'].some((one) =>
    mark === '' ? one.startsWith(word) : one === word,
  );
}

export class SayAhead {
  #key = '';
  #text = '';
  #at = 0;
  #state: 'unknown' | 'saying' | 'over' = 'unknown';
  #literal = json;
  /** What may be a name is not heard yet. */
  #mayBeName = false;
  #held = '';

  /**
   * Before the reader takes a piece, which ends where anything may close: gives what is new of the
   * text. `mayBegin` is asked once, when it is known that something is said there.
   */
  feed(piece: string, reply: Reply, mayBegin: (step?: SaidStep) => boolean): string {
    const key = reply.openKey;
    if (key !== this.#key) {
      this.#key = key;
      this.#state = key === '' ? 'over' : 'unknown';
    }
    if (this.#state === 'over') return '';
    if (this.#state === 'saying') this.#text += piece;
    else this.#begin(reply.openWith(piece), mayBegin);
    return this.#state === 'saying' ? this.#heard(this.#more()) : '';
  }

  #begin(
    { text, isCode }: ReturnType<Reply['openWith']>,
    mayBegin: (step?: SaidStep) => boolean,
  ): void {
    const own = operation.exec(text);
    const called = own ? undefined : statement.exec(text);
    const { line, name, user: to, quote, mark } = own?.groups ?? called?.groups ?? {};
    const found = own ?? (called && (isCode || mark !== undefined) ? called : undefined);
    if (!found) {
      if (text.length > frontMax) this.#state = 'over';
      return;
    }
    const isAddressed = own?.groups?.own !== undefined || to !== undefined;
    if (!isAddressed && isPerhapsUser(text.slice(found[0].length))) return;
    const named = line ?? name;
    const step = named === undefined ? undefined : stepIn(named);
    this.#text = text;
    this.#at = found[0].length;
    this.#literal = literals[quote ?? ''] ?? json;
    this.#mayBeName = !isAddressed;
    this.#held = '';
    const isNamed = named === undefined || step?.is === 'step';
    const may = isNamed && mayBegin(step?.is === 'step' ? step : undefined);
    this.#state = may ? 'saying' : 'over';
  }

  #heard(more: string): string {
    this.#held += more;
    if (this.#mayBeName && perhapsName.test(this.#held)) return '';
    this.#mayBeName = false;
    const heard = this.#held;
    this.#held = '';
    return heard;
  }

  /** Up to the end of the text, what is to be filled in, or half of a mark. */
  #more(): string {
    const { plain, half, read } = this.#literal;
    plain.lastIndex = this.#at;
    let text = '';
    for (let one = plain.exec(this.#text); one; one = plain.exec(this.#text)) {
      text += one[0].startsWith('\\') ? read(one[0]) : one[0];
      this.#at = plain.lastIndex;
    }
    if (!half.test(this.#text.slice(this.#at))) this.#state = 'over';
    return text;
  }
}
