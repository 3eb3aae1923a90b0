/**
 * What a reply has a playbook say, while the line that says it still arrives: the beginning of the
 * text, as far as nothing has to be filled in. For who reads along; what counts is the whole line.
 */

/** The line so far is a Say whose text begins behind this. */
const beginning = /^\s*\{\s*"say"\s*:\s*"/;

/** A line that may still become one. */
const mayBegin = /^\s*(?:\{\s*(?:"(?:s(?:a(?:y(?:"\s*(?::\s*)?)?)?)?)?)?)?$/;

export class SayAhead {
  #line = '';
  #at = 0;
  #state: 'unknown' | 'saying' | 'over' = 'unknown';

  /**
   * The next piece of a line, with the line break at its end or without one. Gives what is new of
   * the text; `mayBegin` is asked once, when it is known that the line says something.
   */
  feed(piece: string, mayBeginNow: () => boolean): string {
    this.#line += piece;
    let found = '';
    if (this.#state === 'unknown') this.#begin(mayBeginNow);
    if (this.#state === 'saying') found = this.#text();
    if (piece.endsWith('\n')) {
      this.#line = '';
      this.#state = 'unknown';
    }
    return found;
  }

  #begin(mayBeginNow: () => boolean): void {
    const found = beginning.exec(this.#line);
    if (found) {
      this.#at = found[0].length;
      this.#state = mayBeginNow() ? 'saying' : 'over';
    } else if (!mayBegin.test(this.#line)) this.#state = 'over';
  }

  /** Up to the end of the text, what is to be filled in, or half of a mark. */
  #text(): string {
    const form = /\\(?:u(?!d[89a-f])[0-9a-f]{4}|["\\/bfnrt])|[^"\\{$\r\n\p{Cs}]/giuy;
    form.lastIndex = this.#at;
    let text = '';
    for (let one = form.exec(this.#line); one; one = form.exec(this.#line)) {
      text += one[0].startsWith('\\') ? JSON.parse(`"${one[0]}"`) : one[0];
      this.#at = form.lastIndex;
    }
    // The beginning of a mark, or half of a character, may go on with the next piece.
    const rest = this.#line.slice(this.#at);
    if (!/^(?:\\[\da-fu]{0,5}|[\ud800-\udbff])?$/i.test(rest)) this.#state = 'over';
    return text;
  }
}
