/**
 * The way that a turn takes through its playbook. Owns the position: where it may go from there,
 * what it would leave out, and where it goes on when it is over.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { goesBack } from '../../../../dialects/playbook/compiled/goes-back.ts';
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';
import type { YieldFor } from '../../reply/said.ts';
import type { Branches } from './branches.ts';
import type { Begun, Duties } from './duties.ts';
import { isLasting, isOpen, setsNamed } from './line-acts.ts';
import { goOnFrom, linesAhead, type Position, theEnd, type Way, wayTo } from './walk.ts';

/** A move to a line that may not stand. */
export interface Move {
  readonly line: string;
  /** Lines that were passed, or left before they were done, with what they lack. */
  readonly lacking: readonly string[];
  /** Lines that were passed without being reported. */
  readonly unreported: readonly string[];
  /** Conditions that say that this is not the way, in words. */
  readonly against: readonly string[];
  /** Makes it: where it does not stand, the turn stays where it was. */
  readonly commit: () => void;
}

export class Course {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #duties: Duties;
  readonly #branches: Branches;
  /** Where the turn began. */
  readonly #start: string;
  #at: Position;
  #isNamed = false;
  /** How many lines this reply has named. */
  #named = 0;
  #isAtWait = false;
  #isStill = false;

  constructor({ playbook, line }: Begun, duties: Duties, branches: Branches) {
    this.#lines = playbook.lines;
    this.#branches = branches;
    this.#start = line;
    this.#at = { line, isDone: false };
    this.#duties = duties;
  }

  /** Gives what takes back the moves that are made from now on. */
  saved(): () => void {
    const [at, isNamed, named, isAtWait] = [this.#at, this.#isNamed, this.#named, this.#isAtWait];
    const takeBack = this.#duties.saved();
    return () => {
      [this.#at, this.#isNamed, this.#named, this.#isAtWait] = [at, isNamed, named, isAtWait];
      takeBack();
    };
  }

  get position(): Position {
    return this.#at;
  }

  get line(): string {
    return this.#at.line;
  }

  get step(): Step | undefined {
    return this.stepAt(this.#at.line);
  }

  stepAt(line: string): Step | undefined {
    return this.#lines.get(line)?.step;
  }

  /** The lines right behind the one that the turn is at, where that leaves open what to do. */
  get behindOpen(): readonly Step[] {
    const { step } = this;
    const edges = step && isOpen(step) ? (this.#lines.get(this.line)?.edges ?? []) : [];
    return edges.flatMap(({ to }) => this.stepAt(to) ?? []);
  }

  /** Whether the reply itself has named the line that the turn is at. */
  get isNamed(): boolean {
    return this.#isNamed;
  }

  /** Whether this reply has named any line. */
  get hasNamed(): boolean {
    return this.#named > 0;
  }

  /** Whether the turn is at the first line that this reply has named, or it has named none. */
  get isFirst(): boolean {
    return this.#named <= 1;
  }

  /** Whether the turn began there: what was called at the line before that has come. */
  beganAt(line: string): boolean {
    return line === this.#start;
  }

  /** Whether the reply has named the line that it was at once more, and not for another round. */
  get isStill(): boolean {
    return this.#isStill;
  }

  /** Whether it has named the wait that it began behind, and nothing has come of that. */
  get isAtWait(): boolean {
    return this.#isAtWait;
  }

  /** What this reply goes behind has been gone over. */
  begin(): void {
    if (this.#at.isDone) this.#branches.comesTo(this.#at.line);
    this.#named = 0;
    this.#duties.begin();
  }

  /** Whether a line may come now, with nothing left out, here or on the way. */
  mayEnter(line: string): boolean {
    const way = this.wayTo(line);
    return way !== undefined && way.skipped.length === 0 && this.#lackingHere === undefined;
  }

  /** Whether the line that the turn is at may come again. */
  get mayComeAgain(): boolean {
    return this.wayTo(this.#at.line)?.skipped.length === 0;
  }

  /** Whether all of the line that the turn is at is done, and it does not come once more now. */
  get isOver(): boolean {
    return this.isFulfilled && !this.mayEnter(this.#at.line);
  }

  get isFulfilled(): boolean {
    const { line, isDone } = this.#at;
    const { step } = this;
    return isDone && step !== undefined && !isOpen(step) && !this.#duties.lacks(line);
  }

  /** The reply says that it is at a line. Undefined where no way leads there. */
  enter(line: string): Move | undefined {
    const { line: from, isDone } = this.#at;
    if (line === from && isDone) {
      const round = this.wayTo(line);
      const isLeft = round !== undefined && round.skipped.length + round.against.length > 0;
      if (round === undefined || isLeft || this.#duties.lacks(from)) return this.still();
      const commit = (): void => this.#moveTo(line, true, true);
      return { line, lacking: [], unreported: round.unreported, against: [], commit };
    }
    const way = this.wayTo(line);
    const again = way?.skipped.length === 0 ? undefined : this.askedAgain(line);
    const back = way?.skipped.length === 0 ? undefined : this.#backTo(line);
    return again ?? back ?? this.#behindWait(line) ?? (way && this.moved(line, way, true));
  }

  /** To a line before, where the one that it is at goes back, and only its words say to which. */
  #backTo(line: string): Move | undefined {
    const { line: from, isDone } = this.#at;
    const order = [...this.#lines.keys()];
    const mayBe = isDone && this.step !== undefined && goesBack(this.step);
    if (!mayBe || order.indexOf(line) >= order.indexOf(from)) return undefined;
    const commit = (): void => this.#moveTo(line, true, true);
    return { line, lacking: [], unreported: [], against: [], commit };
  }

  /**
   * Behind a wait for calls of the reply before this one, which have come and were told: nobody
   * need wait once more. Undefined where more would be left out, or less.
   */
  #behindWait(line: string): Move | undefined {
    if (!this.#duties.hasAllCome || this.mayEnter(line)) return undefined;
    const move = this.#duties.asIfCome(() => {
      const way = this.wayTo(line);
      const isAll = way?.skipped.length === 0 && !this.#lackingHere;
      return way && isAll ? this.moved(line, way, true) : undefined;
    });
    if (!move) return undefined;
    const commit = (): void => {
      this.#duties.haveCome();
      move.commit();
    };
    return { ...move, commit };
  }

  /**
   * Whether the reply names the wait that the turn began behind, which is over: that moves nothing.
   * Who asks or waits there means the question before it.
   */
  namesItsWait(line: string): boolean {
    if (!this.#isAtStart || this.wayTo(line)?.skipped.length === 0) return false;
    const { step, edges = [] } = this.#lines.get(line) ?? {};
    this.#isAtWait = step?.code === 'YLD' && edges.some(({ to }) => to === this.#start);
    return this.#isAtWait;
  }

  get #isAtStart(): boolean {
    return this.#at.line === this.#start && !this.#duties.hasSpoken;
  }

  /**
   * Back to the question that the turn began behind, where the answer has left it open: it is put
   * once more. Undefined for any other line.
   */
  askedAgain(line: string | undefined): Move | undefined {
    const { open } = this.#duties;
    if (!this.#isAtStart || !open || (line !== undefined && line !== open.line)) return undefined;
    const commit = (): void => {
      this.#moveTo(open.line, true, line !== undefined);
      this.#duties.isAskedAgain = true;
    };
    return { line: line ?? open.line, lacking: [], unreported: [], against: [], commit };
  }

  /** The line that the turn is at, whatever is done there. */
  stay(): Move {
    return { line: this.#at.line, lacking: [], unreported: [], against: [], commit() {} };
  }

  /** The same, named once more, and not for another round. */
  still(): Move {
    const { line } = this.#at;
    return { ...this.stay(), commit: () => this.#moveTo(line, false, true) };
  }

  moved(line: string, way: Way | undefined, isNamed: boolean): Move {
    const own = this.#lackingHere;
    return {
      line,
      lacking: [
        ...(own === undefined ? [] : [own]),
        ...(way?.skipped ?? []).map((one) => this.#notDone(one)),
      ],
      unreported: way?.unreported ?? [],
      against: this.#branches.inWords(way),
      commit: () => this.#moveTo(line, true, isNamed),
    };
  }

  /** To the next round of the loop around it that goes over this. Undefined where none does. */
  toNext(item: string): Move | undefined {
    const isIts = ([head, { step }]: [string, LinkedLine]): boolean =>
      step.code === 'LOP' && isWithin(this.line, head) && setsNamed(step, item);
    const [head] = [...this.#lines].findLast(isIts) ?? [];
    const way = head === undefined ? undefined : this.wayTo(head);
    return head !== undefined && way ? this.moved(head, way, false) : undefined;
  }

  /** What of the playbook would be left out if it ended here. */
  left(): Move {
    const { line: from } = this.#at;
    const commit = (): void => {};
    if (this.#lines.size === 0) return { ...this.stay(), line: theEnd };
    const way = this.wayTo(theEnd);
    if (way) return { ...this.moved(theEnd, way, false), commit };
    const lacking = [`line ${from} does not lead to its end`];
    return { line: theEnd, lacking, unreported: [], against: [], commit };
  }

  /** What the reply leaves undone first if it ends here; undefined where that is nothing. */
  get missed(): string | undefined {
    const own = this.#lackingHere;
    const [next] = this.left().lacking;
    if (own !== undefined || next === undefined) return own;
    const isAround = ([head, { step }]: [string, LinkedLine]): boolean =>
      step.code === 'LOP' && (this.line === head || isWithin(this.line, head));
    const [head, loop] = this.#at.isDone ? ([...this.#lines].findLast(isAround) ?? []) : [];
    const [skipped = ''] = this.wayTo(theEnd)?.skipped ?? [];
    // Whether another round is due, or what stands behind the loop, only the model may know.
    if (head === undefined || isWithin(skipped, head)) return next;
    return `it neither goes on with line ${head} (${loop?.step.text}) nor leaves it`;
  }

  /** What is still to do at the line that the turn is at. */
  get lacking(): string | undefined {
    return this.#duties.lacksToGo(this.#at.line);
  }

  /** What the line that the turn has come to waits for, where it has not been waited for yet. */
  get due(): YieldFor | undefined {
    const { line, isDone } = this.#at;
    const { code, waits } = this.step ?? {};
    if (!isDone || code !== 'YLD' || !this.#duties.lacks(line)) return undefined;
    return waits === 'meeting' ? 'agent' : waits;
  }

  /** Whether the turn has come to where the person is waited for to say what a variable is. */
  asksFor(name: string): boolean {
    const asks = this.step?.asks ?? this.#duties.asked;
    return this.due === 'user' && asks.some((one) => one.replace('$', '') === name);
  }

  /** The line to go on with behind what was done; `isOff`: it ended where no line says so. */
  goOn({ isYield = false, isOff = false }: { isYield?: boolean; isOff?: boolean } = {}): string {
    const { step } = this;
    const { line, isDone } = this.#at;
    if (isOff && this.lacking !== undefined) return line;
    // A line that has put the question before it once more has still to be done.
    if (isOff && line === this.#start && this.#duties.open) return line;
    const isLeft = step && (isOpen(step) || step.code === 'TNK') && this.#duties.mayLack(step);
    const isOpenEnd = step?.code === 'RET';
    if (isDone && !isYield && (isLeft || isOpenEnd || this.#duties.lacks(line))) return line;
    if (step && isYield && (isOpen(step) || isLasting(step))) return line;
    const inside = this.#lines.get(line)?.edges.find(({ kind }) => kind === 'loop')?.to;
    if (this.#duties.isTurned && inside !== undefined) return inside;
    return goOnFrom(this.#lines, this.#at);
  }

  /** The line that it is at, where the model is to say whether all of that is done. */
  get begun(): string | undefined {
    const { line, isDone } = this.#at;
    const { step } = this;
    if (isDone && step && this.#duties.mayAskAgain(step)) return line;
    if (!isDone || !step || !isOpen(step) || !this.#duties.hasActed) return undefined;
    return step.isAmbiguous || this.#duties.mayLack(step) ? line : undefined;
  }

  /**
   * The lines that a model is told to go on with, and those behind where nothing is to be done
   * there: a jump, the head of a loop, a wait that is over.
   */
  get told(): readonly string[] {
    const line = this.goOn();
    const { begun = line } = this;
    return [...new Set([...this.#withBehind(line), begun])];
  }

  #withBehind(line: string, seen: readonly string[] = []): readonly string[] {
    const { step, edges = [] } = this.#lines.get(line) ?? {};
    const isIdle = step?.code === 'JMP' || step?.code === 'LOP';
    const isOver = step?.waits === 'call' && this.#duties.hasAllCome;
    if (seen.includes(line) || !(isIdle || isOver)) return [line];
    return [line, ...edges.flatMap(({ to }) => this.#withBehind(to, [...seen, line]))];
  }

  /** The lines that have to be done next, as far as that is certain. */
  next(): readonly string[] {
    return this.ahead().filter((line) => this.#duties.passing(line) === 'wrong');
  }

  /** Lines that can be reached without leaving anything out, nearest first. */
  ahead(): readonly string[] {
    const { isAgainst } = this.#branches;
    return [...linesAhead(this.#lines, this.#at, this.#duties.passing, isAgainst)];
  }

  wayTo(line: string): Way | undefined {
    return wayTo(this.#lines, this.#at, line, this.#duties.passing, this.#branches.isAgainst);
  }

  /** Whether a line is in a branch that it has not come into, and nobody but the model knows of. */
  entersUnknown(line: string): boolean {
    return this.#branches.unknownInto(this.#at.line, line) !== undefined;
  }

  #notDone(line: string): string {
    // Which of the branches is due nobody but the model knows: none of them is asked for.
    const head = this.#branches.unknownInto(this.#at.line, line);
    if (head) {
      const of = `line ${head.number}: ${head.text}`;
      return `neither line ${line} nor what is due otherwise was done (${of})`;
    }
    const why = this.#branches.dueBy(line);
    return `line ${line} was not done${why === '' ? '' : ` (${why})`}`;
  }

  #moveTo(line: string, isFresh: boolean, isNamed: boolean): void {
    this.#isNamed = isNamed;
    if (isNamed) this.#named++;
    this.#isAtWait = false;
    this.#isStill = !isFresh;
    this.#duties.isAskedAgain = false;
    if (isFresh) this.#fresh(line);
  }

  #fresh(line: string): void {
    this.#at = { line, isDone: true };
    this.#branches.comesTo(line);
    this.#duties.enter(line);
  }

  /** What the line that the turn has come to still lacks. */
  get #lackingHere(): string | undefined {
    return this.#at.isDone ? this.#duties.lacksToGo(this.#at.line) : undefined;
  }
}
