/**
 * Lines become texts: a goal or a question is a line; more of them where `"""` stands before the
 * first and behind the last, where a line ends in a backslash, or where they are pasted at once.
 */
const mark = '"""';

export class TextReader {
  readonly #isTyped: boolean;
  #lines: string[] = [];
  #isMarked = false;

  /** `isTyped`: lines that come at once are pasted. Those of a pipe always do. */
  constructor(isTyped: boolean) {
    this.#isTyped = isTyped;
  }

  /** Whether more lines are wanted. */
  get isOpen(): boolean {
    return this.#lines.length > 0 || this.#isMarked;
  }

  /** Takes a line; gives the text that is whole by it. `more`: the next one is there already. */
  push(line: string, more = false): string | undefined {
    if (!this.isOpen && line.trimStart().startsWith(mark)) {
      this.#isMarked = true;
      return this.push(line.trimStart().slice(mark.length), more);
    }
    if (this.#isMarked) {
      const isEnd = line.trimEnd().endsWith(mark);
      this.#lines.push(isEnd ? line.trimEnd().slice(0, -mark.length) : line);
      return isEnd ? this.end() : undefined;
    }
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
    this.#isMarked = false;
  }
}
