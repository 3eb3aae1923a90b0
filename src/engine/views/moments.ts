/**
 * The past of a run as numbered moments that one can go to and fro between: each step that the main
 * line enters, and each outcome as it comes. What it owns: a walk, the moments it has seen, and
 * marks on the way to come back to. Going back runs no more than what lies behind the nearest
 * mark. Between two moments one can go on by lines of the source.
 */
import type { Emit } from '../../machine/turn.ts';
import { type Mark, type Moment, Walk, type WalkParts } from '../past/walk.ts';

/** Marks that are held; where there would be more, every other one is dropped. */
const marksMost = 64;

interface MarkAt {
  readonly position: number;
  /** Undefined at the start. */
  readonly mark: Mark | undefined;
}

export class Moments {
  #walk: Walk;
  /** By number, as far as it has come; 0 is the start. */
  readonly #seen: Moment[] = [{ kind: 'start' }];
  #position = 0;
  /** Lines of source that it has gone on since that moment. */
  #lines = 0;
  /** Ascending by position. */
  #marks: MarkAt[];
  #spacing = 16;
  #emits: readonly Emit[] = [];
  /** Where it stood before it came to the end. */
  #beforeEnd = { position: 0, lines: 0 };

  constructor(parts: WalkParts) {
    this.#walk = new Walk(parts);
    this.#marks = [{ position: 0, mark: undefined }];
  }

  get walk(): Walk {
    return this.#walk;
  }

  /** Number of the moment it stands at. */
  get position(): number {
    return this.#position;
  }

  get moment(): Moment {
    return this.#seen[this.#position] ?? { kind: 'start' };
  }

  /** Lines of source behind the moment; it stands at the moment itself where this is 0. */
  get lines(): number {
    return this.#lines;
  }

  get isAtEnd(): boolean {
    return this.moment.kind === 'end';
  }

  /** What was released on the way from the moment before. */
  get emits(): readonly Emit[] {
    return this.#emits;
  }

  /** To the next moment; stays at the end. */
  forward(): Moment {
    if (this.isAtEnd) return this.moment;
    if (this.#lines === 0) this.#markHere();
    return this.#come(this.#walk.next());
  }

  /** To the next line of the source, or to the next moment where that comes first. */
  nextLine(): void {
    if (this.isAtEnd) return;
    const reached = this.#walk.nextLine();
    if (reached?.kind === 'line') {
      this.#lines++;
      this.#emits = this.#walk.takeEmits();
    } else this.#come(reached ?? this.#walk.next());
  }

  /** To the line before, or the moment where that is nearer. */
  previousLine(): void {
    const { position } = this;
    if (this.#lines > 0) {
      this.goTo(position, this.#lines - 1);
      return;
    }
    if (position === 0) return;
    this.goTo(position - 1);
    let lines = 0;
    for (this.nextLine(); this.#position < position; this.nextLine()) lines = this.#lines;
    this.goTo(position - 1, lines);
  }

  /**
   * More has happened: what seemed to be the end of the run is none. It stands where it stood
   * before that.
   */
  grow(parts: WalkParts): void {
    const { position, lines } = this.isAtEnd
      ? this.#beforeEnd
      : { position: this.#position, lines: this.#lines };
    if (this.#seen.at(-1)?.kind === 'end') this.#seen.pop();
    this.#walk = new Walk(parts);
    this.#goBack(position);
    this.goTo(position, lines);
  }

  #come(moment: Moment): Moment {
    if (moment.kind === 'end') {
      this.#beforeEnd = { position: this.#position, lines: this.#lines };
    }
    this.#emits = this.#walk.takeEmits();
    this.#lines = 0;
    this.#seen[++this.#position] = moment;
    return moment;
  }

  /** To the moment with this number, or to the end where there are fewer; then on by lines. */
  goTo(position: number, lines = 0): void {
    const from = this.#markBefore(position)?.position ?? 0;
    const isHere = this.#position === position && this.#lines <= lines;
    const isBefore = this.#position < position && this.#position >= from;
    if (!isHere && !isBefore) this.#goBack(position);
    while (this.#position < position && !this.isAtEnd) this.forward();
    while (this.#position === position && this.#lines < lines) this.nextLine();
  }

  #markBefore(position: number): MarkAt | undefined {
    return this.#marks.findLast((one) => one.position <= position);
  }

  /** To the nearest mark that is not behind the moment. */
  #goBack(position: number): void {
    const from = this.#markBefore(position);
    this.#walk.goTo(from?.mark);
    this.#position = from?.position ?? 0;
    this.#lines = 0;
    this.#emits = [];
  }

  /** Where the first moment lies that fits, from the start on; walks as far as it must. */
  find(fits: (moment: Moment) => boolean): number | undefined {
    const known = this.#seen.findIndex(fits);
    if (known >= 0) return known;
    this.goTo(this.#seen.length - 1);
    while (!this.isAtEnd) if (fits(this.forward())) return this.#position;
    return undefined;
  }

  /** Where the last moment lies before this one that fits. */
  findBefore(fits: (moment: Moment) => boolean): number | undefined {
    const at = this.#seen.slice(0, this.#position).findLastIndex(fits);
    return at < 0 ? undefined : at;
  }

  /**
   * The same for what has to be seen in the state: `fits` is asked while it stands there, stretch
   * by stretch, the latest first; within one from its beginning on. It ends standing anywhere.
   */
  searchBefore(fits: () => boolean): number | undefined {
    let end = this.#position + Math.min(1, this.#lines);
    const starts = this.#marks.filter(({ position }) => position < end);
    for (const { position } of starts.toReversed()) {
      let found: number | undefined;
      for (this.goTo(position); this.#position < end; this.forward()) {
        if (fits()) found = this.#position;
      }
      if (found !== undefined) return found;
      end = position;
    }
    return undefined;
  }

  /**
   * Whether the way on from here is the same from a mark. While fibers run it is so only where all
   * of them wait: else they would go on in another order, and one that fails lets others ask less.
   */
  #isSettled(): boolean {
    if (this.moment.kind !== 'step') return true;
    const { lines } = this.#walk.machine.inspect();
    return !lines.some(({ open }) => open.some(({ kind }) => kind === 'fibers'));
  }

  #markHere(): void {
    const last = this.#marks.at(-1)?.position ?? 0;
    if (this.#position < last + this.#spacing || !this.#isSettled()) return;
    this.#marks.push({ position: this.#position, mark: this.#walk.mark() });
    if (this.#marks.length <= marksMost) return;
    this.#marks = this.#marks.filter((_, i) => i % 2 === 0);
    this.#spacing *= 2;
  }
}
