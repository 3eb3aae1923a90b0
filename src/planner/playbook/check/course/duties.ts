/**
 * What lines ask for, and what of it a turn has done: so what a line still lacks, and what it means
 * to pass it. Owns what was done at the line that the turn is at, and what there is to wait for;
 * where that is, the course knows.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { mayRepeat } from '../../../../dialects/playbook/compiled/graph.ts';
import type { LinkedLine, LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';
import type { Part } from '../../parts.ts';
import { termOf } from '../../reply/term.ts';
import type { Names } from '../values/names.ts';
import type { KnownAnswers } from './known-answers.ts';
import {
  type Act,
  asksIn,
  type CallAct,
  fits,
  isDeclaring,
  isSettled,
  type SayAct,
  setsNamed,
} from './line-acts.ts';
import { answeredBefore, type OpenQuestion, openQuestion } from './open-question.ts';
import type { Passing } from './walk.ts';

/** What was done at a line since it was entered. */
interface Acts {
  readonly calls: Set<string>;
  /** Variables, without the dollar. */
  readonly sets: Set<string>;
  isSaid: boolean;
  /** Whether it is a loop whose next item was set. */
  isTurned: boolean;
}

export type SameCallee = (step: Step, callee: string) => boolean;

export type UnsetBy = (step: Step) => Unset | undefined;

/** A line that says what a variable is set to, which that is not yet, as far as is known. */
export interface Unset {
  readonly want: string;
  /** Whether it is known to be something else. */
  readonly isSure: boolean;
}

/** What a turn goes on with, from where, and what of its reply has stood. */
export interface Begun {
  readonly playbook: LinkedPlaybook;
  readonly line: string;
  /** The line at which the reply before has waited, where this one begins there. */
  readonly waited?: string | undefined;
  readonly names: Names;
  readonly done: readonly Part[];
  /** By lines, what was heard of messages that have not been said. */
  readonly halves?: ReadonlyMap<string, string> | undefined;
  readonly knownAnswers: KnownAnswers;
}

export class Duties {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #names: Names;
  readonly #knownAnswers: KnownAnswers;
  readonly #sameCallee: SameCallee;
  readonly #unset: UnsetBy;
  readonly #halves: ReadonlyMap<string, string>;
  /** Where the turn began. */
  readonly #start: string;
  #waited: string | undefined;
  /** What was asked for before that, where somebody was asked. */
  readonly #askedFor: ReadonlySet<string> | undefined;
  /** Lines that the reply has reported which this one goes behind. */
  readonly #reported = new Set<string>();
  #acts: Acts = { calls: new Set(), sets: new Set(), isSaid: false, isTurned: false };
  /** Keys of what was done at the line that the turn is at. */
  #keys = new Set<string>();
  /** Since the turn began: what a YLD would wait for. */
  #queued = 0;
  /** Calls of this reply: what those before it have called has come by now. */
  #pending = 0;
  #hasBegun = false;
  #said = 0;
  #hasAsked = false;
  #asked: ReadonlySet<string> = new Set();
  /** Lines whose own act was done at the line right before them, which leaves open what to do. */
  #ahead = new Set<string>();
  /** Those of them for which a reply before this one has done it. */
  #aheadBefore = new Set<string>();
  /** Whether the turn is at a question that it puts once more. */
  isAskedAgain = false;

  constructor(begun: Begun, sameCallee: SameCallee, unset: UnsetBy) {
    const { playbook, line, waited, names, done, halves = new Map(), knownAnswers } = begun;
    const { lines } = playbook;
    this.#unset = unset;
    this.#halves = halves;
    this.#lines = lines;
    this.#names = names;
    this.#knownAnswers = knownAnswers;
    this.#sameCallee = sameCallee;
    this.#start = line;
    this.#waited = waited;
    this.#askedFor = answeredBefore(lines, line);
    for (const part of done) {
      if (part.op === 'step') this.#reported.add(part.line);
      else if (part.op === 'call') this.#queued++;
      else if (part.op === 'say') this.#says(lines.get(part.line)?.step, asksIn(termOf(part.text)));
    }
  }

  /** What this reply goes behind has been gone over: what comes from now on is to be reported. */
  begin(): void {
    this.#hasBegun = true;
    this.#reported.clear();
    this.#aheadBefore = new Set(this.#ahead);
  }

  /** A line is entered, at which nothing is done yet. */
  enter(line: string): void {
    this.#waited = undefined;
    this.#ahead = new Set([...this.#ahead].filter((one) => one === line));
    this.#acts = { calls: new Set(), sets: new Set(), isSaid: false, isTurned: false };
    this.#keys = new Set();
  }

  /** Gives what takes back that lines are entered from now on. */
  saved(): () => void {
    const [acts, keys, ahead, isAgain] = [this.#acts, this.#keys, this.#ahead, this.isAskedAgain];
    const waited = this.#waited;
    return () => {
      [this.#acts, this.#keys, this.#ahead, this.isAskedAgain] = [acts, keys, ahead, isAgain];
      this.#waited = waited;
    };
  }

  /** What a line does itself was done a line too early. */
  didAhead(line: string): void {
    this.#ahead.add(line);
  }

  /** Whether a reply before this one has: it may be told at its own line now, once. */
  wasDoneAhead(line: string): boolean {
    return this.#aheadBefore.delete(line);
  }

  /** `isTold`: it is told again, and was done by a reply before. */
  did(act: Act, step: Step | undefined, isTold: boolean): void {
    if (act.is === 'call') {
      this.#acts.calls.add(act.callee);
      this.#queued++;
      if (!isTold && this.#hasBegun) this.#pending++;
    } else if (act.is === 'say') {
      this.#says(step, act.isQuestion);
      if (step && act.isForOther(step)) return;
      this.#acts.isSaid = true;
      const { asks = [], wants = [] } = step ?? {};
      this.#asked = new Set([...this.#asked, ...asks, ...wants]);
    } else if (act.is === 'set') {
      this.#acts.sets.add(act.name);
      if (step?.code !== 'LOP') return;
      this.#acts.isTurned = setsNamed(step, act.name);
    }
  }

  #says(step: Step | undefined, isQuestion: boolean): void {
    this.#said++;
    this.#hasAsked ||= step?.asks !== undefined || (isQuestion && step?.say?.isLiteral !== true);
    if (step) this.#knownAnswers.said(step.number);
  }

  /** Whether all that a line waits for is known, and nobody was asked anything else. */
  isAnswered(line: string): boolean {
    return !this.#hasAsked && this.#knownAnswers.isWait(line);
  }

  /** Whether the same was done here before; from now on it was. */
  didBefore(key: string): boolean {
    if (this.#keys.has(key)) return true;
    this.#keys.add(key);
    return false;
  }

  /** Whether the line that the turn is at has called or said something itself. */
  hasDone(act: CallAct | SayAct): boolean {
    return act.is === 'call' ? this.#acts.calls.has(act.callee) : this.#acts.isSaid;
  }

  get hasActed(): boolean {
    return this.hasSpoken || this.#acts.sets.size > 0;
  }

  get hasSpoken(): boolean {
    return this.#acts.isSaid || this.#acts.calls.size > 0;
  }

  get isTurned(): boolean {
    return this.#acts.isTurned;
  }

  get hasQueued(): boolean {
    return this.#queued > 0;
  }

  get hasSaid(): boolean {
    return this.#said > 0;
  }

  /** Variables that its questions were for. */
  get asked(): readonly string[] {
    return [...this.#asked];
  }

  /** Whether the turn began behind a wait for somebody. */
  get isBehindAnswer(): boolean {
    return this.#askedFor !== undefined;
  }

  /** Whether that was asked for a variable. */
  isAskedFor(name: string): boolean {
    return this.#askedFor?.has(name) === true;
  }

  /** The question that the turn began behind, where the answer has left it open. */
  get open(): OpenQuestion | undefined {
    return openQuestion(this.#lines, this.#start, (name) => this.#names.has(name));
  }

  /** Whether all that was called was called by replies before this one, and has come. */
  get hasAllCome(): boolean {
    return this.#queued > 0 && this.#pending === 0;
  }

  /** What is called is waited for no more. */
  haveCome(): void {
    this.#queued = 0;
  }

  /** How it would look if what was called were waited for no more. */
  asIfCome<T>(look: () => T): T {
    const queued = this.#queued;
    this.#queued = 0;
    const seen = look();
    this.#queued = queued;
    return seen;
  }

  readonly passing = (line: string): Passing => {
    const step = this.#lines.get(line)?.step;
    if (!step || (this.#reported.has(line) && step.code !== 'YLD')) return 'free';
    if (this.#ahead.has(line)) return 'free';
    switch (step.code) {
      case 'CND':
      case 'ELS':
      case 'LOP':
      case 'JMP':
      case 'TNK':
        return 'free';
      case 'CHK':
        return 'odd';
      case 'EXE':
        if (isDeclaring(step) || mayRepeat(step)) return 'free';
        if (!step.isAmbiguous && this.#lacksIts(step)) return 'wrong';
        // Whoever waited there has named it.
        return line === this.#waited ? 'free' : 'odd';
      case 'QUE':
        return this.#isKnown(step) || this.#isHeard(step) ? 'free' : 'wrong';
      case 'RET':
        return step.value === undefined && !step.call ? 'odd' : 'wrong';
      case 'YLD':
        return this.#passingYield(step);
    }
  };

  /** There is nothing to wait for where nothing was asked for. */
  #passingYield(step: Step): Passing {
    if (step.waits === 'call') return this.#queued > 0 ? 'wrong' : 'free';
    // What was said before the answer was noted was no question.
    if (this.isAskedAgain && !this.open) return 'free';
    if (this.isAnswered(step.number)) return 'free';
    if (step.waits !== 'user') return 'wrong';
    return this.#said > 0 && !this.#isKnown(step) ? 'wrong' : 'free';
  }

  /** A question is answered already where all that it asks for is there. */
  #isKnown(step: Step): boolean {
    const { asks = [] } = step;
    const isThere = asks.length > 0 && asks.every((name) => this.#names.has(name));
    return isThere || this.#knownAnswers.mayLeave(step);
  }

  /** What a line that the turn is at still lacks. */
  lacks(line: string): string | undefined {
    const step = this.#lines.get(line)?.step;
    if (step?.code === 'YLD') {
      // Who only says to be there has not waited.
      return this.passing(line) === 'wrong' ? `line ${line} waits for ${step.waits}` : undefined;
    }
    if (this.#ahead.has(line)) return undefined;
    if (step?.code === 'RET') return this.#lacksReturn(step);
    if (!step || (step.code !== 'QUE' && step.code !== 'EXE') || step.isAmbiguous) return undefined;
    const { call } = step;
    if (call) {
      const isCalled = this.hasCalled(step);
      return isCalled ? undefined : `line ${line} calls ${call.callee}, and no call was reported`;
    }
    if (step.say && step.code === 'QUE') {
      if (this.#acts.isSaid || this.#isKnown(step)) return undefined;
      return `line ${line} says something, and nothing was said`;
    }
    const missing = step.writes.filter((name) => !this.#names.has(name));
    if (missing.length > 0)
      return `line ${line} sets ${missing.join(', ')}, which was not reported`;
    const isSet = step.writes.some((name) => this.#acts.sets.has(name.replace('$', '')));
    const unset = isSet ? undefined : this.#unset(step);
    return unset && `line ${line} sets ${step.writes} to ${unset.want}, which was not reported`;
  }

  /** The same where it is left for another one. */
  lacksToGo(line: string): string | undefined {
    const step = this.#lines.get(line)?.step;
    return step && this.#isHeard(step) ? undefined : this.lacks(line);
  }

  /** Whether a message of it was heard, as far as that had come: nothing of it may be left. */
  #isHeard({ number, say }: Step): boolean {
    return say !== undefined && this.#halves.has(number);
  }

  /** What is returned ends the turn; a call whose result that is may do so later. */
  #lacksReturn(step: Step): string | undefined {
    const { number, value, call } = step;
    if ((value === undefined && !call) || (call && this.hasCalled(step))) return undefined;
    return `line ${number} returns something, and nothing was returned`;
  }

  #lacksIts(step: Step): boolean {
    const { writes } = step;
    return writes.some((name) => !this.#names.has(name)) || this.#unset(step)?.isSure === true;
  }

  /** Whether what the line that the turn is at calls was called. */
  hasCalled(step: Step): boolean {
    return [...this.#acts.calls].some((callee) => this.#sameCallee(step, callee));
  }

  /** Whether the line that the turn is at asks for this, and it was not done yet. */
  wants(step: Step, act: Act): boolean {
    if (!fits(step, act, this.#sameCallee)) return false;
    return (act.is !== 'say' && act.is !== 'call') || !this.hasDone(act);
  }

  /** Whether a line that at most sets variables has set them: what is said is said further on. */
  isSet(step: Step): boolean {
    const { writes, isAmbiguous } = step;
    const mayBe = isSettled(step) || (writes.length > 0 && !isAmbiguous);
    return mayBe && writes.every((name) => this.#names.has(name));
  }

  /** Whether the turn has gone to a question for what has a value by now, and has not asked it. */
  mayAskAgain(step: Step): boolean {
    const isOpen = step.asks !== undefined && step.asks.length > 0 && !this.#acts.isSaid;
    const mayLeave = this.#knownAnswers.has(step.number) || this.#knownAnswers.mayLeave(step);
    return isOpen && this.#isKnown(step) && !mayLeave;
  }

  /**
   * Whether there may be something left to do at a line that the model decides on. One that says
   * what to set is not computed once more; where what to do is left open, nothing is left if it did
   * nothing but set variables and all that it names have values.
   */
  mayLack({ code, reads, writes, isAmbiguous }: Step): boolean {
    const { sets } = this.#acts;
    if (code === 'TNK') return !writes.every((name) => this.#names.has(name));
    const hasOnlySet = code === 'EXE' && sets.size > 0 && !(isAmbiguous && this.hasSpoken);
    const names = isAmbiguous ? [...reads, ...writes] : writes;
    if (!hasOnlySet || names.length === 0) return true;
    const isSet = (name: string): boolean => sets.has(name.replace('$', ''));
    return !names.every((name) => isSet(name) || (isAmbiguous && this.#names.has(name)));
  }
}
