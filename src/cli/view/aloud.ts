/**
 * What programs say while they run, to whom they talk with; and of playbooks, on stdout while a
 * model still writes it. `Aloud` owns what stands there that is not said yet: the rest follows when
 * it is said, on the same line, and nothing is shown twice.
 */

import type { WatchEvent } from '../../engine/events.ts';
import type { SayingPiece } from '../../planner/playbook/turn.ts';
import { decode, textOf, toJson } from '../../program/json.ts';
import { withoutControls } from '../../text/words.ts';
import { openLine, print, printText } from './output.ts';
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

export interface SaidFlags {
  readonly json?: boolean;
  readonly events?: boolean;
  readonly quiet?: boolean;
}

/**
 * For what is said while it is still written. Where stdout has a document, or is not for whoever
 * is talked with, it is told once it is whole.
 */
export const aloudFor = (flags: SaidFlags): Aloud | undefined =>
  flags.json || flags.events ? undefined : new Aloud();

/** Whether an event is a message that a view shows: answers and what is said have their place. */
export const isNote = (event: WatchEvent): boolean =>
  event.type === 'message.emitted' && event.channel !== 'answer' && event.channel !== 'say';

/**
 * On stdout; on stderr where stdout has the result as a document. Gives what somebody at the
 * terminal has read of it.
 */
export function sayAloud(
  event: WatchEvent,
  view: View,
  flags: SaidFlags,
  aloud?: Aloud,
): string | undefined {
  const text = saidIn(event);
  if (text === undefined) return undefined;
  if (flags.json || flags.events) {
    view.note(text);
    return flags.quiet ? undefined : text;
  }
  if (aloud) aloud.whole(text);
  else {
    view.hold?.();
    print(text);
    view.go?.();
  }
  return process.stdout.isTTY ? text : undefined;
}

/** What an event says to whom a program talks with; undefined for other events. */
export const saidIn = (event: WatchEvent): string | undefined =>
  event.type === 'message.emitted' && event.channel === 'say' ? saidText(event.value) : undefined;

/** `Clara: Hello` where it is for somebody by name. */
function saidText(value: string): string {
  const decoded = decode(value);
  const data = toJson(decoded);
  const isFor = typeof data === 'object' && data !== null && 'to' in data && 'text' in data;
  return withoutControls(isFor ? `${data.to}: ${data.text}` : textOf(decoded));
}
