/**
 * A text that may still be arriving: the part that can still be looked at, and where its lines
 * begin. Offsets count UTF-16 units from the start of the whole text, however it was cut.
 *
 * Owns the window; the reader says by `keep` what it will not look at again, so that a long text in
 * small pieces is not copied with every piece.
 */

export class Source {
  readonly #pieces: string[] = [];
  readonly #lineStarts: number[] = [0];
  #window = '';
  #base = 0;
  #line = 0;
  #ended = false;

  push(piece: string): void {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) {
      this.#lineStarts.push(this.length + at + 1);
    }
    this.#pieces.push(piece);
    this.#window += piece;
  }

  /** No more text comes. */
  end(): void {
    this.#ended = true;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How much text has arrived. */
  get length(): number {
    return this.#base + this.#window.length;
  }

  /** The code unit at an offset; -1 where no text is, yet or ever. */
  code(offset: number): number {
    const at = offset - this.#base;
    return at < this.#window.length ? this.#window.charCodeAt(at) : -1;
  }

  /** Part of the text that is still kept. */
  slice(from: number, to: number = this.length): string {
    return this.#window.slice(from - this.#base, to - this.#base);
  }

  /** Offset of the next `wanted` at or after an offset; -1 when it has not arrived. */
  find(wanted: string, from: number): number {
    const at = this.#window.indexOf(wanted, from - this.#base);
    return at < 0 ? -1 : at + this.#base;
  }

  /** Offset of the next match of a global pattern of one character; -1 when there is none. */
  search(pattern: RegExp, from: number): number {
    pattern.lastIndex = from - this.#base;
    const found = pattern.exec(this.#window);
    return found === null ? -1 : found.index + this.#base;
  }

  /** Gives up everything before the offset. */
  keep(offset: number): void {
    if (offset <= this.#base) return;
    this.#window = this.#window.slice(offset - this.#base);
    this.#base = offset;
  }

  /** Takes back what `keep` gave up. */
  rewind(offset: number): void {
    this.#window = this.whole().slice(offset);
    this.#base = offset;
  }

  /** The whole text that has arrived. */
  whole(): string {
    const text = this.#pieces.join('');
    this.#pieces.splice(0, this.#pieces.length, text);
    return text;
  }

  /** Line and column, from 1. */
  place(offset: number): { line: number; column: number } {
    const starts = this.#lineStarts;
    let low = this.#line;
    // Places are mostly asked for in the order of the text: look near the last one first.
    if ((starts[low] ?? 0) > offset || (starts[low + 8] ?? Infinity) <= offset) {
      low = lastAtMost(starts, offset);
    } else {
      while ((starts[low + 1] ?? Infinity) <= offset) low++;
    }
    this.#line = low;
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? Infinity) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
