/**
 * Which line an act of a reply belongs to, where the reply does not say, and what the act is to the
 * line that the turn is at. Owns what of this reply may be an answer.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';
import type { Names } from '../values/names.ts';
import type { Course, Move } from './course.ts';
import type { Begun, Duties, SameCallee } from './duties.ts';
import type { KnownAnswers } from './known-answers.ts';
import {
  type Act,
  type CallAct,
  fits,
  isOpen,
  isSettled,
  type SayAct,
  setsNamed,
} from './line-acts.ts';
import { theEnd, type Way } from './walk.ts';

export class Placing {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #names: Names;
  readonly #knownAnswers: KnownAnswers;
  readonly #sameCallee: SameCallee;
  readonly #duties: Duties;
  readonly #course: Course;
  /** Whether this reply has done anything but set variables. */
  #hasActed = false;
  /** Variables that were set to what was answered. */
  readonly #noted = new Set<string>();

  constructor(begun: Begun, sameCallee: SameCallee, duties: Duties, course: Course) {
    this.#lines = begun.playbook.lines;
    this.#names = begun.names;
    this.#knownAnswers = begun.knownAnswers;
    this.#sameCallee = sameCallee;
    this.#duties = duties;
    this.#course = course;
  }

  /** What this reply goes behind has been gone over. */
  begin(): void {
    this.#hasActed = false;
  }

  /** `isTold`: it is told again, and was done by a reply before. */
  did(act: Act, isTold = false): void {
    if (act.is !== 'set') this.#hasActed = true;
    else if (this.#mayNote(act.name)) this.#noted.add(act.name);
    this.#duties.did(act, this.#course.step, isTold);
  }

  /**
   * Whether what is set may be noted of an answer: before any line, or at the first one, as traces
   * do that have no place before it, where that was asked for.
   */
  #mayNote(name: string): boolean {
    const { hasNamed, isFirst } = this.#course;
    return !this.#hasActed && (!hasNamed || (isFirst && this.#duties.isAskedFor(name)));
  }

  /** The line that an act belongs to, which is then the one that the turn is at. */
  place(act: Act): Move {
    const here = this.#course.stay();
    const { step, isNamed, position } = this.#course;
    const isEnd = act.is === 'yield' || act.is === 'return';
    const mayBeHere = position.isDone && isNamed && !isEnd && step !== undefined && isOpen(step);
    if (position.isDone && step) {
      if (this.#duties.wants(step, act) || (mayBeHere && !this.#duties.isSet(step))) return here;
    }
    const again = this.#putAgain(act);
    if (again) return again;
    for (const line of this.#linesFor(act)) {
      // Who only waits has not said which way a condition goes.
      if (act.is === 'yield' && act.for === 'call' && this.#course.entersUnknown(line)) break;
      if (act.is === 'say' && this.#mayBeMore(act, line)) continue;
      const way = this.#course.wayTo(line);
      // A wait further on is not the one of a line that anything may be done at.
      const isFar = act.is === 'yield' && step && isOpen(step) && way?.unreported.length !== 0;
      if (!way || isFar || (act.is === 'return' && this.#endsInstead(act, line, way))) continue;
      const isNext = way.skipped.length === 0 && way.unreported.length === 0;
      return mayBeHere && !isNext ? here : this.#course.moved(line, way, false);
    }
    // What a person has said is noted before the line that goes on behind the question.
    if (position.isDone || act.is === 'set') return here;
    return this.#course.moved(position.line, undefined, false);
  }

  /**
   * Whether what is said is more of what the line that the reply has named leaves to its words,
   * rather than a line ahead that has other words, or of which nobody has said that it comes.
   */
  #mayBeMore(act: SayAct, line: string): boolean {
    const { step, isNamed, position } = this.#course;
    if (!position.isDone || !isNamed || step?.say?.isLiteral !== false) return false;
    const ahead = this.#course.stepAt(line);
    return (ahead && act.isOtherAt(ahead)) === true || this.#course.entersUnknown(line);
  }

  /** Whether a return is the end of the lines, to which they lead, and not a line before that. */
  #endsInstead({ isNothing }: { readonly isNothing: boolean }, line: string, way: Way): boolean {
    const end = this.#course.wayTo(theEnd);
    const { block, text } = this.#course.stepAt(line) ?? {};
    const isOther = isNothing && (text !== '' || block !== undefined);
    if (way.against.length === 0 && !isOther) return false;
    return end !== undefined && end.skipped.length + end.against.length === 0;
  }

  /** What is said before any line has come, and is of none ahead, puts an open question again. */
  #putAgain(act: Act): Move | undefined {
    if (act.is !== 'say' && act.is !== 'yield') return undefined;
    const course = this.#course;
    if (course.isAtWait) return course.askedAgain(undefined);
    if (act.is === 'yield') return undefined;
    const again = course.position.isDone ? undefined : course.askedAgain(undefined);
    const question = again && course.stepAt(again.line);
    if (!again || (question && act.isForOther(question))) return undefined;
    return this.#isAhead(act, again.line) ? undefined : again;
  }

  /** Whether a line ahead may be meant: it has the words, or leaves them open and comes next. */
  #isAhead(act: SayAct, question: string): boolean {
    const { step } = this.#course;
    if (step && isOpen(step)) return true;
    const all = [...this.#lines].filter(([line]) => line !== question);
    if (all.some(([line, one]) => act.isQuotedAt(one.step) && this.#course.wayTo(line)))
      return true;
    if (act.quotedAt !== undefined && act.quotedAt !== question) return true;
    const asks = this.#course.stepAt(question)?.asks ?? [];
    return this.#linesFor(act).some((line) => {
      const one = this.#course.stepAt(line);
      if (!one || act.isOtherAt(one)) return false;
      if (one.say?.isLiteral) return true;
      const isReady = one.reads.every((name) => !asks.includes(name) || this.#names.has(name));
      return isReady && this.#course.wayTo(line)?.skipped.length === 0;
    });
  }

  /**
   * Lines ahead that an act may be of, those first that say the same. What was done already is of
   * none that says otherwise: it is done once more.
   */
  #linesFor(act: Act): readonly string[] {
    const { position } = this.#course;
    const found = this.#course.ahead().filter((line) => {
      const step = this.#course.stepAt(line);
      const isHere = line === position.line && position.isDone;
      return step && !isHere && fits(step, act, this.#sameCallee);
    });
    if (act.is === 'set' || act.is === 'yield') return found;
    const others = found.filter((line) => {
      const step = this.#course.stepAt(line);
      return step && act.isOtherAt(step);
    });
    const same = found.filter((line) => !others.includes(line));
    const isMade = act.is !== 'return' && act.isMade;
    const all = isMade ? same : [...same, ...others];
    return act.is === 'say' ? this.#knownAnswers.besides(all, act) : all;
  }

  /** Whether nothing is left out before an act that comes now, and no condition is against it. */
  isDue(act: Act): boolean {
    const { lacking, unreported, against } = this.place(act);
    return lacking.length + unreported.length + against.length === 0;
  }

  /** Whether the line that the turn is at is one for this act. */
  isFor(act: Act): boolean {
    return this.isForAt(this.#course.step, act);
  }

  isForAt(step: Step | undefined, act: Act): boolean {
    if (step === undefined || fits(step, act, this.#sameCallee)) return true;
    return isOpen(step) && !isSettled(step);
  }

  /** Whether it is what rounds go over: models set that at any line. */
  isSetByLoops(name: string): boolean {
    return [...this.#lines.values()].some(
      ({ step }) => step.code === 'LOP' && setsNamed(step, name),
    );
  }

  /** Whether the line that the turn is at has done this, and says so for one time alone. */
  isDoneOnce(act: CallAct | SayAct): boolean {
    if (!this.#duties.hasDone(act)) return false;
    // Who names lines names them in each round.
    return (act.is === 'say' && this.#course.isNamed) || !this.#course.mayComeAgain;
  }

  /** Whether what is said at the line that the turn is at asks for what is known. */
  isAnswered(act: SayAct): boolean {
    const { step, isNamed } = this.#course;
    if (!step || !this.#knownAnswers.has(step.number) || act.isForOther(step)) return false;
    return isNamed || act.isQuestion;
  }

  /** Whether the line returns what a call gives that has been made there. */
  get isReturned(): boolean {
    const { step } = this.#course;
    return step?.code === 'RET' && step.call !== undefined && this.#duties.hasCalled(step);
  }

  /** The variable that the line sets to what a call gives; rounds of a loop may have their own. */
  intoOf(callee: string): string | undefined {
    const { step } = this.#course;
    if (!step?.call?.into || !this.#sameCallee(step, callee)) return undefined;
    const isLoop = ([line, { step: one }]: [string, LinkedLine]): boolean =>
      one.code === 'LOP' && isWithin(step.number, line);
    return [...this.#lines].some(isLoop) ? undefined : step.call.into;
  }

  /** Whether what is set may be what was answered: that is told once. */
  mayAnswer(name: string): boolean {
    if (!this.#mayNote(name) || this.#noted.has(name) || !this.#duties.isBehindAnswer) return false;
    const { position, step } = this.#course;
    const isHere = position.isDone && this.isFor({ is: 'set', name });
    return !isHere && step?.code !== 'LOP';
  }

  /**
   * Where a variable is set. What was answered moves nothing; of what nobody was asked for, that is
   * what the line ahead which sets it, or one on the way there, looks at.
   */
  placeSet(name: string): Move {
    const act = { is: 'set', name } as const;
    const [line] = this.mayAnswer(name) ? this.#linesFor(act) : [];
    if (line === undefined) return this.place(act);
    if (this.#duties.isAskedFor(name) || this.#isInBranch(line)) return this.#course.stay();
    const order = [...this.#lines.keys()];
    const way = order.slice(order.indexOf(this.#course.line), order.indexOf(line) + 1);
    const reads = way.flatMap((one): Step['reads'] => this.#course.stepAt(one)?.reads ?? []);
    const isRead = reads.some((one) => one.replace('$', '') === name);
    return isRead || way.length === 0 ? this.#course.stay() : this.place(act);
  }

  /** Whether a line is under a condition ahead, of which nobody has said yet whether it holds. */
  #isInBranch(line: string): boolean {
    return [...this.#lines].some(
      ([head, { step }]) =>
        (step.code === 'CND' || step.code === 'ELS') &&
        isWithin(line, head) &&
        !isWithin(this.#course.line, head),
    );
  }
}
