/**
 * What a reply has come to so far: reports the parts that stand, and owns whether more may come.
 */
import type { Part, ProblemPart } from '../../parts.ts';
import type { TurnPlace } from './turn-place.ts';

export class TurnReport {
  readonly #place: TurnPlace;
  readonly #line: () => string;
  #state: 'open' | 'over' | 'stopped' = 'open';
  #acts = 0;
  #isQuiet = false;
  #isUnexpected = false;
  #isShowing = false;
  #hasActedHere = false;

  /** `line`: the one that the turn is at. */
  constructor(place: TurnPlace, line: () => string) {
    this.#place = place;
    this.#line = line;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Whether the turn has ended, rather than that it was ended. */
  get isWhole(): boolean {
    return this.#state === 'over';
  }

  /** Whether it ended with a problem. */
  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  /** Whether what is taken has stood before. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  get hasActed(): boolean {
    return this.#acts > 0;
  }

  /** Whether it has said that something came up which no line is for. */
  get isUnexpected(): boolean {
    return this.#isUnexpected;
  }

  /** Whether it has asked for values, and done nothing since. */
  get isShowing(): boolean {
    return this.#isShowing;
  }

  /** Whether anything was done since it has named a line. */
  get hasActedHere(): boolean {
    return this.#hasActedHere;
  }

  emit(part: Part): void {
    this.#acts++;
    this.#isUnexpected ||= part.op === 'unexpected';
    this.#isShowing = part.op === 'show';
    if (part.op !== 'show') this.#hasActedHere = part.op !== 'step';
    this.tell(part);
  }

  /** Reports what does nothing. */
  tell(part: Part): void {
    if (!this.#isQuiet) this.#place.emit(part);
  }

  warn(message: string): void {
    if (!this.#isQuiet) this.#place.warn(message);
  }

  /** Whether the turn goes on behind it: nobody is told of it then, so the run warns of it. */
  problem(code: string, text: string, more: Pick<ProblemPart, 'isFromOutside'> = {}): boolean {
    this.tell({ op: 'problem', code, text, line: this.#line(), ...more });
    if (this.#place.strictness === 'advise') {
      this.warn(`${code} ${text}`);
      return true;
    }
    this.stop();
    return false;
  }

  /** Has the model asked whether it means what it does; it is not to blame that nobody knows. */
  ask(code: string, text: string): void {
    this.tell({ op: 'problem', code, text, line: this.#line(), isFromOutside: true });
    this.stop();
  }

  stop(): void {
    this.#state = 'stopped';
  }

  /** The turn is over: nothing more is taken. */
  close(): void {
    this.#state = 'over';
  }

  /** Has what was reported before told once more, and reports nothing of it. */
  quietly(retell: () => void): void {
    this.#isQuiet = true;
    retell();
    this.#isQuiet = false;
  }

  /** Begins anew behind what an earlier reply has done. */
  reopen(): void {
    this.#state = 'open';
    this.#acts = 0;
    this.#isShowing = false;
    this.#isUnexpected = false;
  }
}
