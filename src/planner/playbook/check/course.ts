/**
 * The way that a turn takes through its playbook. Owns the position; finds the line that an
 * operation belongs to where the reply does not say.
 */
import type { Step } from '../../../dialects/playbook/compiled/compiled.ts';
import { isWithin } from '../../../dialects/playbook/compiled/graph.ts';
import type { LinkedLine } from '../../../dialects/playbook/compiled/linked.ts';
import type { YieldFor } from '../reply/said.ts';
import { Branches, type ConditionOf } from './branches.ts';
import { type Begun, Duties, type SameCallee } from './duties.ts';
import type { KnownAnswers } from './known-answers.ts';
import { type Act, type CallAct, fits, isLasting, isOpen, type SayAct } from './line-acts.ts';
import type { Names } from './names.ts';
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
  readonly #names: Names;
  readonly #knownAnswers: KnownAnswers;
  readonly #sameCallee: SameCallee;
  readonly #duties: Duties;
  readonly #branches: Branches;
  /** Where the turn began. */
  readonly #start: string;
  #at: Position;
  /** Whether the reply itself has named the line. */
  #isNamed = false;
  /** Whether it has named the wait that it began behind, and nothing has come of that. */
  #isAtWait = false;
  /** Whether this reply has named a line, or done anything but set variables. */
  #hasBegun = false;
  /** Variables that were set to what was answered. */
  readonly #noted = new Set<string>();

  constructor(begun: Begun, sameCallee: SameCallee, conditionOf: ConditionOf) {
    const { playbook, line, names, knownAnswers } = begun;
    this.#lines = playbook.lines;
    this.#knownAnswers = knownAnswers;
    this.#branches = new Branches(playbook.lines, conditionOf);
    this.#names = names;
    this.#sameCallee = sameCallee;
    this.#start = line;
    this.#at = { line, isDone: false };
    this.#duties = new Duties(begun, sameCallee);
  }

  /** Variables that the last question was for. */
  get asked(): readonly string[] {
    return this.#duties.asked;
  }

  /** Whether a line may come now, with nothing left out, here or on the way. */
  mayEnter(line: string): boolean {
    const way = this.#way(line);
    return way !== undefined && way.skipped.length === 0 && this.#lackingHere === undefined;
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

  /** Whether the turn is at a loop whose item it has set: its lines come next. */
  get isTurned(): boolean {
    return this.#duties.isTurned;
  }

  /** What this reply goes behind has been gone over. */
  begin(): void {
    if (this.#at.isDone) this.#branches.comesTo(this.#at.line);
    this.#hasBegun = false;
    this.#duties.begin();
  }

  /** Whether the same was done here before; from now on it was. */
  didBefore(key: string): boolean {
    return this.#duties.didBefore(key);
  }

  /** Whether the line that the turn is at has done this, and says so for one time alone. */
  isDoneOnce(act: CallAct | SayAct): boolean {
    if (!this.#duties.hasDone(act)) return false;
    // Who names lines names them in each round.
    return (act.is === 'say' && this.#isNamed) || !this.mayComeAgain;
  }

  /** Whether the line that the turn is at may come again. */
  get mayComeAgain(): boolean {
    return this.#way(this.#at.line) !== undefined;
  }

  get position(): Position {
    return this.#at;
  }

  get line(): string {
    return this.#at.line;
  }

  get step(): Step | undefined {
    return this.#lines.get(this.#at.line)?.step;
  }

  get hasQueued(): boolean {
    return this.#duties.hasQueued;
  }

  get hasSaid(): boolean {
    return this.#duties.hasSaid;
  }

  /** The reply says that it is at a line. Undefined where no way leads there. */
  enter(line: string): Move | undefined {
    const { line: from, isDone } = this.#at;
    if (line === from && isDone) {
      const round = this.#way(line);
      const isLeft = round !== undefined && round.skipped.length + round.against.length > 0;
      const isRound = round !== undefined && !isLeft && !this.#duties.lacks(from);
      const unreported = isRound ? round.unreported : [];
      const commit = (): void => this.#stay(line, isRound, true);
      return { line, lacking: [], unreported, against: [], commit };
    }
    const way = this.#way(line);
    const again = way?.skipped.length === 0 ? undefined : this.#askedAgain(line);
    return again ?? this.#behindWait(line) ?? (way && this.#moved(line, way, true));
  }

  /**
   * Behind a wait for calls of the reply before this one, which have come and were told: nobody
   * need wait once more. Undefined where more would be left out, or less.
   */
  #behindWait(line: string): Move | undefined {
    if (!this.#duties.hasAllCome || this.mayEnter(line)) return undefined;
    const move = this.#duties.asIfCome(() => {
      const way = this.#way(line);
      const isAll = way?.skipped.length === 0 && !this.#lackingHere;
      return way && isAll ? this.#moved(line, way, true) : undefined;
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
    if (!this.#isAtStart || this.#way(line)?.skipped.length === 0) return false;
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
  #askedAgain(line: string | undefined): Move | undefined {
    const { open } = this.#duties;
    if (!this.#isAtStart || !open || (line !== undefined && line !== open.line)) return undefined;
    const commit = (): void => {
      this.#stay(open.line, true, line !== undefined);
      this.#duties.isAskedAgain = true;
    };
    return { line: line ?? open.line, lacking: [], unreported: [], against: [], commit };
  }

  /** What is said before any line has come, and is of none ahead, puts an open question again. */
  #putAgain(act: Act): Move | undefined {
    if (act.is !== 'say' && act.is !== 'yield') return undefined;
    if (this.#isAtWait) return this.#askedAgain(undefined);
    if (act.is === 'yield') return undefined;
    const again = this.#at.isDone ? undefined : this.#askedAgain(undefined);
    const question = again && this.stepAt(again.line);
    if (!again || (question && act.isForOther(question))) return undefined;
    return this.#isAhead(act, again.line) ? undefined : again;
  }

  /** Whether a line ahead may be meant: it has the words, or leaves them open and comes next. */
  #isAhead(act: SayAct, question: string): boolean {
    if (this.step && isOpen(this.step)) return true;
    if (act.quotedAt !== undefined && act.quotedAt !== question) return true;
    const asks = this.stepAt(question)?.asks ?? [];
    return this.#linesFor(act).some((line) => {
      const step = this.stepAt(line);
      if (!step || act.isOtherAt(step)) return false;
      if (step.say?.isLiteral) return true;
      const isReady = step.reads.every((name) => !asks.includes(name) || this.#names.has(name));
      return isReady && this.#way(line)?.skipped.length === 0;
    });
  }

  /** Whether the turn is at a question that it puts once more. */
  get isAskedAgain(): boolean {
    return this.#duties.isAskedAgain;
  }

  /** Whether the line returns what a call gives that has been made there. */
  get isReturned(): boolean {
    const { step } = this;
    if (step?.code !== 'RET' || !step.call) return false;
    return this.#duties.hasCalled(step);
  }

  /** Whether nothing is left out before an act that comes now. */
  isDue(act: Act): boolean {
    const { lacking, unreported } = this.place(act);
    return lacking.length === 0 && unreported.length === 0;
  }

  /** The line that the turn is at, whatever is done there. */
  stay(): Move {
    return { line: this.#at.line, lacking: [], unreported: [], against: [], commit() {} };
  }

  /** The line that an act belongs to, which is then the one that the turn is at. */
  place(act: Act): Move {
    const here = this.stay();
    const { step } = this;
    const isEnd = act.is === 'yield' || act.is === 'return';
    const mayBeHere =
      this.#at.isDone && this.#isNamed && !isEnd && step !== undefined && isOpen(step);
    if (this.#at.isDone && step) {
      if (this.#duties.wants(step, act) || (mayBeHere && !this.#duties.isSet(step))) return here;
    }
    const again = this.#putAgain(act);
    if (again) return again;
    for (const line of this.#linesFor(act)) {
      const way = this.#way(line);
      // A wait further on is not the one of a line that anything may be done at.
      const isFar = act.is === 'yield' && step && isOpen(step) && way?.unreported.length !== 0;
      if (!way || isFar) continue;
      const isNext = way.skipped.length === 0 && way.unreported.length === 0;
      return mayBeHere && !isNext ? here : this.#moved(line, way, false);
    }
    // What a person has said is noted before the line that goes on behind the question.
    if (this.#at.isDone || act.is === 'set') return here;
    return this.#moved(this.#at.line, undefined, false);
  }

  /**
   * Lines ahead that an act may be of, those first that say the same. What was done already is of
   * none that says otherwise: it is done once more.
   */
  #linesFor(act: Act): readonly string[] {
    const found = this.#ahead().filter((line) => {
      const step = this.#lines.get(line)?.step;
      const isHere = line === this.#at.line && this.#at.isDone;
      return step && !isHere && fits(step, act, this.#sameCallee);
    });
    if (act.is !== 'call' && act.is !== 'say') return found;
    const others = found.filter((line) => {
      const step = this.#lines.get(line)?.step;
      return step && act.isOtherAt(step);
    });
    const same = found.filter((line) => !others.includes(line));
    const all = act.isMade ? same : [...same, ...others];
    return act.is === 'say' ? this.#knownAnswers.besides(all, act) : all;
  }

  /** Whether what is said at the line that the turn is at asks for what is known. */
  isAnswered(act: SayAct): boolean {
    const { step } = this;
    if (!step || !this.#knownAnswers.has(step.number) || act.isForOther(step)) return false;
    return this.#isNamed || act.isQuestion;
  }

  /** Whether all that the line waits for is known, and nobody was asked anything else. */
  get isWaitAnswered(): boolean {
    return this.#duties.isAnswered(this.#at.line);
  }

  /** Whether what is set may be what was answered: that is told once, before any line comes. */
  mayAnswer(name: string): boolean {
    if (this.#hasBegun || this.#noted.has(name) || !this.#duties.isBehindAnswer) return false;
    const isHere = this.#at.isDone && this.isFor({ is: 'set', name });
    return !isHere && this.step?.code !== 'LOP';
  }

  /**
   * Where a variable is set. What was answered moves nothing; of what nobody was asked for, that is
   * what the line ahead which sets it, or one on the way there, looks at.
   */
  placeSet(name: string): Move {
    const act = { is: 'set', name } as const;
    const [line] = this.mayAnswer(name) ? this.#linesFor(act) : [];
    if (line === undefined) return this.place(act);
    if (this.#duties.isAskedFor(name)) return this.stay();
    const order = [...this.#lines.keys()];
    const way = order.slice(order.indexOf(this.#at.line), order.indexOf(line) + 1);
    const reads = way.flatMap((one) => this.stepAt(one)?.reads ?? []);
    const isRead = reads.some((one) => one.replace('$', '') === name);
    return isRead || way.length === 0 ? this.stay() : this.place(act);
  }

  /** Whether the line that the turn is at is one for this act. */
  isFor(act: Act): boolean {
    const { step } = this;
    return step === undefined || fits(step, act, this.#sameCallee) || isOpen(step);
  }

  /** `isTold`: it is told again, and was done by a reply before. */
  did(act: Act, isTold = false): void {
    if (act.is !== 'set') this.#hasBegun = true;
    else if (!this.#hasBegun) this.#noted.add(act.name);
    this.#duties.did(act, this.step, isTold);
  }

  /** What of the playbook would be left out if it ended here. */
  left(): Move {
    const { line: from } = this.#at;
    const commit = (): void => {};
    if (this.#lines.size === 0) return { ...this.stay(), line: theEnd };
    const way = this.#way(theEnd);
    if (way) return { ...this.#moved(theEnd, way, false), commit };
    const lacking = [`line ${from} does not lead to its end`];
    return { line: theEnd, lacking, unreported: [], against: [], commit };
  }

  /** What is still to do at the line that the turn is at. */
  get lacking(): string | undefined {
    const { line } = this.#at;
    if (this.step?.code === 'RET' && this.#duties.passing(line) === 'wrong')
      return `line ${line} returns`;
    return this.#duties.lacks(line);
  }

  /** The variable that the line sets to what a call gives; rounds of a loop may have their own. */
  intoOf(callee: string): string | undefined {
    const { step } = this;
    if (!step?.call?.into || !this.#sameCallee(step, callee)) return undefined;
    const isLoop = ([line, { step: one }]: [string, LinkedLine]): boolean =>
      one.code === 'LOP' && isWithin(step.number, line);
    return [...this.#lines].some(isLoop) ? undefined : step.call.into;
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
    const isLeft = step && isOpen(step) && !this.#duties.hasSet(step);
    const isOpenEnd = step?.code === 'RET';
    if (isDone && !isYield && (isLeft || isOpenEnd || this.#duties.lacks(line))) return line;
    if (step && isYield && (isOpen(step) || isLasting(step))) return line;
    const inside = this.#lines.get(line)?.edges.find(({ kind }) => kind === 'loop')?.to;
    if (this.isTurned && inside !== undefined) return inside;
    return goOnFrom(this.#lines, this.#at);
  }

  /** The line that a model is told to go on with, and the one behind a wait that is over there. */
  get told(): readonly string[] {
    const line = this.goOn();
    const { step, edges = [] } = this.#lines.get(line) ?? {};
    const isWait = step?.waits === 'call' && this.#duties.hasAllCome;
    return [line, ...(isWait ? edges.map(({ to }) => to) : [])];
  }

  /** The lines that have to be done next, as far as that is certain. */
  next(): readonly string[] {
    return this.#ahead().filter((line) => this.#duties.passing(line) === 'wrong');
  }

  stepAt(line: string): Step | undefined {
    return this.#lines.get(line)?.step;
  }

  #ahead(): readonly string[] {
    const { isAgainst } = this.#branches;
    return [...linesAhead(this.#lines, this.#at, this.#duties.passing, isAgainst)];
  }

  #way(line: string): Way | undefined {
    return wayTo(this.#lines, this.#at, line, this.#duties.passing, this.#branches.isAgainst);
  }

  #moved(line: string, way: Way | undefined, isNamed: boolean): Move {
    const own = this.#lackingHere;
    return {
      line,
      lacking: [...(own === undefined ? [] : [own]), ...(way?.skipped ?? []).map(notDone)],
      unreported: way?.unreported ?? [],
      against: this.#branches.inWords(way),
      commit: () => this.#stay(line, true, isNamed),
    };
  }

  #stay(line: string, isFresh: boolean, isNamed: boolean): void {
    this.#isNamed = isNamed;
    this.#hasBegun ||= isNamed;
    this.#isAtWait = false;
    this.#duties.isAskedAgain = false;
    if (isFresh) this.#fresh(line);
  }

  #fresh(line: string): void {
    this.#at = { line, isDone: true };
    this.#branches.comesTo(line);
    this.#duties.enter();
  }

  /** What the line that the turn has come to still lacks. */
  get #lackingHere(): string | undefined {
    return this.#at.isDone ? this.#duties.lacks(this.#at.line) : undefined;
  }
}

const notDone = (line: string): string => `line ${line} was not done`;
