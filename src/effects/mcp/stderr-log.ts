/** What a server says on stderr: the last of it, for people and for the error it ends with. */

/** Characters that are kept. */
const keptMax = 64 * 1024;
/** Lines in an error. */
const shownLines = 5;
const lineMax = 300;

export class StderrLog {
  #text = '';
  readonly #heard: (line: string) => void;
  #open = '';

  /** `heard` gets each line as it comes. */
  constructor(heard: (line: string) => void) {
    this.#heard = heard;
  }

  add(piece: string): void {
    this.#text = (this.#text + piece).slice(-keptMax);
    const lines = (this.#open + piece).split('\n');
    this.#open = (lines.pop() ?? '').slice(-keptMax);
    for (const line of lines) this.#heard(clean(line));
  }

  /** The last lines; undefined where it has said nothing. */
  get tail(): string | undefined {
    const lines = this.#text
      .split('\n')
      .map(clean)
      .filter((line) => line.trim() !== '');
    return lines.length === 0 ? undefined : lines.slice(-shownLines).join(' | ');
  }
}

const clean = (line: string): string => withoutControls(line).slice(0, lineMax);

/** A stranger's text as data: nothing that a terminal would obey, nothing that is not seen. */
export const withoutControls = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
