/**
 * Lines become entries: a statement, or a block with the lines that belong to it. Pure; who types
 * the lines and who runs the entries is others' business.
 */
import { entryState } from '../../dialects/starlark/entry.ts';

export class EntryReader {
  readonly #isTyped: boolean;
  #lines: string[] = [];
  /** Whether the entry before could not be read: lines that belonged to it are passed over. */
  #skips = false;

  /** `isTyped`: an empty line ends a block, since nobody knows what would follow. */
  constructor(isTyped: boolean) {
    this.#isTyped = isTyped;
  }

  /** Whether more lines are wanted. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** Whether the lines so far are an entry, although more could belong to it. */
  get isBlock(): boolean {
    return this.isOpen && entryState(this.#text) === 'block';
  }

  /**
   * Takes a line; gives the entries that are whole by it. `more` says that the next line is there
   * already, as when text is pasted: then an empty line ends nothing.
   */
  push(line: string, more = false): string[] {
    if (line.trim() === '' && !this.isOpen) return [];
    if (this.#skips && /^(\s|(else|elif|except|finally)\b)/.test(line)) return [];
    this.#skips = false;
    if (!this.isOpen) return this.#add(line, more);
    if (this.#endsBefore(line)) return [this.#take(), ...this.#add(line, more)];
    return this.#add(line, more);
  }

  /** What is left at the end of the input. */
  end(): string[] {
    return this.isOpen ? [this.#take()] : [];
  }

  /** Forgets the lines of an entry that is not whole. */
  clear(): void {
    this.#lines = [];
  }

  /** A line at the margin that does not go on with the block is the next entry. */
  #endsBefore(line: string): boolean {
    const isBeside = /^[^\s#]/.test(line) && !/^(else|elif)\b/.test(line);
    return isBeside && this.isBlock;
  }

  #add(line: string, more: boolean): string[] {
    this.#lines.push(line);
    return this.#isWhole(more) ? [this.#take()] : [];
  }

  #isWhole(more: boolean): boolean {
    const isEnd = this.#lines.at(-1)?.trim() === '' && this.#isTyped && !more;
    switch (entryState(this.#text)) {
      case 'whole':
        return true;
      case 'wrong':
        this.#skips = true;
        return true;
      case 'block':
        return isEnd;
      case 'open':
        // Twice nothing: whoever types has had enough.
        return isEnd && this.#lines.at(-2)?.trim() === '';
    }
  }

  get #text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #take(): string {
    const text = this.#text;
    this.#lines = [];
    return text;
  }
}
