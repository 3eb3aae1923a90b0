/**
 * What playbooks say, on stdout while a model still writes it. Owns what of it stands there that is
 * not said yet: the rest follows when it is said, on the same line, and nothing is shown twice.
 */
import type { SayingPiece } from '../../planner/playbook/turn.ts';
import { withoutControls } from '../../text/words.ts';
import { openLine, printText } from './output.ts';
import type { View } from './view.ts';

interface Open {
  /** Of the turn, and its number there. */
  readonly key: string;
  text: string;
  /** How much of it stands there. */
  shown: number;
}

export class Aloud {
  readonly #write: (text: string) => void;
  /** In order; of the first one all that is known stands there. */
  #open: Open[] = [];
  /** Those that were given up: what still comes of them is not shown. */
  readonly #dropped = new Set<string>();
  #isInLine = false;
  /** Whether the line was ended for something else; what is still to come of it begins another. */
  #isCut = false;
  /** Makes room on the terminal, and takes it again. */
  screen: Pick<View, 'hold' | 'go'> = {};

  constructor(write: (text: string) => void = printText) {
    this.#write = write;
  }

  piece({ turn, number, text }: SayingPiece): void {
    const clean = withoutControls(text);
    const key = `${turn} ${number}`;
    if (this.#dropped.has(key)) return;
    const known = this.#open.find((one) => one.key === key);
    if (known) known.text += clean;
    else this.#open.push({ key, text: clean, shown: 0 });
    // What the turn before has said may still be on its way.
    if (this.#open[0]?.key === key) this.#advance();
  }

  /** It is said: a line that ends. */
  whole(text: string): void {
    const head = this.#open[0];
    const isIts = head !== undefined && text.startsWith(head.text);
    if (isIts) this.#open.shift();
    else this.#drop();
    this.#endLine(isIts ? text.slice(head.shown) : text);
    this.#advance();
  }

  /** What is not said any more stays as it is. */
  end(): void {
    this.#drop();
  }

  /** Shows what is known of the first one. */
  #advance(): void {
    const [head] = this.#open;
    if (!head) return;
    this.#show(head.text.slice(head.shown));
    head.shown = head.text.length;
  }

  #drop(): void {
    for (const { key } of this.#open) this.#dropped.add(key);
    this.#open = [];
    if (this.#isInLine) this.#endLine();
  }

  #show(text: string): void {
    if (text === '') return;
    if (!this.#isInLine) this.screen.hold?.();
    this.#isInLine = true;
    this.#write(text);
    this.#isCut = false;
    openLine(() => this.cut());
  }

  /** Something else is to be shown where this stands. */
  cut(): void {
    if (!this.#isInLine || this.#isCut) return;
    this.#write('\n');
    this.#isCut = true;
    openLine();
  }

  /** In one piece with its end: who is killed here leaves all of the line, or nothing more. */
  #endLine(rest = ''): void {
    if (!this.#isInLine) this.screen.hold?.();
    if (rest !== '' || !this.#isCut) this.#write(`${rest}\n`);
    this.#isInLine = false;
    this.#isCut = false;
    openLine();
    this.screen.go?.();
  }
}
