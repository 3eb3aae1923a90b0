/**
 * The text of a message while its line is still being written, as far as nothing has to be filled
 * in. For who watches: what counts is what is read once the line is whole.
 */
import type { ObjectListener } from './reader.ts';

export interface SayStreamOptions {
  /** Whether a message that begins now may be shown; `line` is the one that it names before it. */
  readonly mayBegin: (line?: string) => boolean;
  /** The next piece of a message; empty where it has begun and nothing of it is known yet. */
  readonly show: (text: string) => void;
}

/** An object up to the text of its message. */
const head = /^\{\s*(?:"at"\s*:\s*"([^"\\]{0,40})"\s*,\s*)?"say"\s*:\s*"/;
const headMax = 200;

const plain = /\\(?:u(?!d[89a-f])[0-9a-f]{4}|["\\/bfnrt])|[^"\\{$\r\n\p{Cs}]+/giuy;
/** The beginning of a mark, or half of a character, may go on with the next piece. */
const half = /^(?:\\[\da-fu]{0,5}|[\ud800-\udbff])?$/i;

export class SayStream implements ObjectListener {
  readonly #options: SayStreamOptions;
  #state: 'head' | 'text' | 'over' = 'over';
  #pending = '';

  constructor(options: SayStreamOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#state = 'head';
    this.#pending = '';
  }

  more(text: string): void {
    if (this.#state === 'over') return;
    this.#pending += text;
    if (this.#state === 'head') this.#readHead();
    else this.#readText();
  }

  #readHead(): void {
    const found = head.exec(this.#pending);
    if (!found) {
      if (this.#pending.length > headMax) this.#state = 'over';
      return;
    }
    const { mayBegin, show } = this.#options;
    this.#state = mayBegin(found[1]) ? 'text' : 'over';
    if (this.#state === 'over') return;
    show('');
    this.#pending = this.#pending.slice(found[0].length);
    this.#readText();
  }

  /** Shows all up to the end of the text, what is to be filled in, or half of a mark. */
  #readText(): void {
    let text = '';
    let end = 0;
    plain.lastIndex = 0;
    for (let found = plain.exec(this.#pending); found; found = plain.exec(this.#pending)) {
      text += found[0].startsWith('\\') ? JSON.parse(`"${found[0]}"`) : found[0];
      end = plain.lastIndex;
    }
    this.#pending = this.#pending.slice(end);
    if (!half.test(this.#pending)) this.#state = 'over';
    if (text !== '') this.#options.show(text);
  }
}
