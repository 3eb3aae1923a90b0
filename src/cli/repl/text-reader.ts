/**
 * Lines become texts: a goal or a question is a line; more of them where a line ends in a
 * backslash, or where they are pasted at once.
 */

export class TextReader {
  readonly #isTyped: boolean;
  #lines: string[] = [];

  /** `isTyped`: lines that come at once are pasted. Those of a pipe always do. */
  constructor(isTyped: boolean) {
    this.#isTyped = isTyped;
  }

  /** Whether more lines are wanted. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** Takes a line; gives the text that is whole by it. `more`: the next one is there already. */
  push(line: string, more = false): string | undefined {
    if (line.endsWith('\\')) {
      this.#lines.push(line.slice(0, -1));
      return undefined;
    }
    this.#lines.push(line);
    return this.#isTyped && more ? undefined : this.end();
  }

  /** What is there; undefined where that is nothing. */
  end(): string | undefined {
    const text = this.#lines.join('\n').trim();
    this.clear();
    return text === '' ? undefined : text;
  }

  /** Forgets the lines of a text that is not whole. */
  clear(): void {
    this.#lines = [];
  }
}
