/** Texts for a page, which have only so much room together. */
import { stringify } from '../../program/json.ts';
import { count } from '../../text/words.ts';

/** Characters of one value that a page holds, and of all of them. */
const valueMax = 200_000;
const valuesMax = 8_000_000;

export class Room {
  readonly #run: string;
  #left = valuesMax;

  constructor(run: string) {
    this.#run = run;
  }

  /** A text as it is, anything else as JSON; what does not fit is cut with a note. */
  textOf(value: unknown): string {
    const text = typeof value === 'string' ? value : stringify(value, 2);
    const most = Math.min(valueMax, this.#left);
    this.#left -= Math.min(text.length, most);
    if (text.length <= most) return text;
    const note = `${count(text.length, 'character')} in all: planvm show ${this.#run} --json`;
    return `${text.slice(0, most)}… (${note})`;
  }
}
