/**
 * A few lines at the bottom of a terminal that are drawn again and again. Owns the cursor from the
 * first drawing until `close`, which also happens when the process ends in any way that it can see.
 */
import { widthOf } from '../../text/words.ts';

const csi = '\u001b[';
const hideCursor = `${csi}?25l`;
const showCursor = `${csi}?25h`;
// A line that is too wide after the window has shrunk must not become two.
const noWrap = `${csi}?7l`;
const wrap = `${csi}?7h`;

export class Screen {
  readonly #stream: NodeJS.WriteStream;
  readonly #restore = (): void => this.close();
  readonly #write: NodeJS.WriteStream['write'];
  /** Widths of the lines that are on the screen. */
  #drawn: number[] = [];
  #open = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
  }

  get columns(): number {
    return this.#stream.columns || 80;
  }

  get rows(): number {
    return this.#stream.rows || 24;
  }

  /** Puts these lines in the place of the last ones. `plain` are the same without colour. */
  draw(lines: readonly string[], plain: readonly string[]): void {
    this.#begin();
    const text = lines.map((line) => `${line}${csi}K\n`).join('');
    this.#write(`${this.#up()}${text}${csi}J`);
    this.#drawn = plain.map(widthOf);
  }

  /** Writes a line that stays, above those that are drawn. */
  write(line: string): void {
    this.#write(this.#above(`${line}\n`));
  }

  /** A text in place of the drawn lines, which come again below it; it may be wider than they. */
  #above(text: string): string {
    const cleared = this.#up();
    this.#drawn = [];
    return this.#open ? `${cleared}${csi}J${wrap}${text}${noWrap}` : text;
  }

  /** Leaves what is drawn where it is and gives the cursor back. May be called again. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#drawn = [];
    process.off('exit', this.#restore);
    this.#stream.write = this.#write;
    this.#write(`${wrap}${showCursor}`);
  }

  #begin(): void {
    if (this.#open) return;
    this.#open = true;
    process.once('exit', this.#restore);
    this.#write(`${hideCursor}${noWrap}`);
    this.#stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      // What others write stands above the drawn lines, on lines of its own.
      const end = text === '' || text.endsWith('\n') ? '' : '\n';
      return this.#write(text === '' ? '' : this.#above(`${text}${end}`), ...rest);
    }) as NodeJS.WriteStream['write'];
  }

  /** Back to the first drawn line; a window that became narrower has wrapped some of them. */
  #up(): string {
    const rows = this.#drawn.reduce(
      (sum, width) => sum + Math.max(1, Math.ceil(width / this.columns)),
      0,
    );
    return rows === 0 ? '' : `\r${csi}${rows}A`;
  }
}
