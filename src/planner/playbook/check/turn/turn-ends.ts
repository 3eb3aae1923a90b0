/**
 * How a turn ends: the reply says so, or it only stops. Owns where to go on behind that.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { givenType } from '../../../../dialects/playbook/compiled/declared-types.ts';
import type { Variable } from '../../parts.ts';
import { type Said, shortly, type YieldFor } from '../../reply/said.ts';
import { type Expr, nothing } from '../../reply/term.ts';
import { operationAmong, wordsIn } from '../../reply/words-beside.ts';
import { theEnd } from '../course/walk.ts';
import { unfit, unquoted } from '../values/declared.ts';
import type { Names } from '../values/names.ts';
import { keyOfSaid } from './acts-made.ts';
import type { TurnLines } from './turn-lines.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnReport } from './turn-report.ts';
import type { TurnValues } from './turn-values.ts';
import { waitedFor, waiting } from './waiting.ts';

/** What it is held by. */
interface Held {
  readonly place: TurnPlace;
  readonly lines: TurnLines;
  readonly names: Names;
  readonly report: TurnReport;
  readonly values: TurnValues;
}

export class TurnEnds {
  readonly #place: TurnPlace;
  readonly #lines: TurnLines;
  readonly #names: Names;
  readonly #report: TurnReport;
  readonly #values: TurnValues;
  #goOn: string | undefined;
  /** What has come that says nothing, as it was written. */
  #beside = '';
  /** What has the result of the call that the line returns. */
  #given: Variable | undefined;

  constructor({ place, lines, names, report, values }: Held) {
    this.#place = place;
    this.#lines = lines;
    this.#names = names;
    this.#report = report;
    this.#values = values;
  }

  /** The line to go on with, where the end decides that. */
  get goOn(): string | undefined {
    return this.#goOn;
  }

  /** Something that is no operation has come. */
  hears(beside: string): void {
    if (this.#report.isOpen && beside !== '') this.#beside += `${beside}\n`;
  }

  /** The line returns what was called, which this variable gets. */
  gives(given: Variable): void {
    this.#given = given;
  }

  /** The reply says that it waits. */
  yields({ for: said, whom = '' }: Said & { readonly is: 'yield' }): void {
    const reason = said ?? (this.#lines.duties.hasQueued ? 'call' : 'user');
    if (this.#report.isShowing && reason === 'call' && !this.#lines.duties.hasQueued) {
      this.#comesBack();
      return;
    }
    if (reason === 'return' || (reason === 'call' && this.#lines.placing.isReturned)) {
      this.returns();
      return;
    }
    this.#lines.ends();
    if (reason === 'user' && !this.#saysWords()) return;
    const act = { is: 'yield', for: reason } as const;
    const hasActed = this.#lines.duties.hasQueued || this.#lines.duties.hasSaid;
    const move = this.#lines.placing.place(act);
    if (!this.#lines.accept(move)) return;
    const { line } = move;
    const { step, lacking } = this.#lines.course;
    const isOff = !this.#lines.placing.isFor(act);
    if (isOff) {
      if (reason === 'exit') {
        this.#exit(line);
        return;
      }
      // There is nothing to wait for; behind something else, the line is done in the next turn.
      if (lacking !== undefined && !hasActed && !this.#report.problem('PV7303', lacking)) return;
      const text = `line ${line} does not wait for ${reason}`;
      // Results of what is queued may be waited for anywhere: that leaves nothing out.
      if (reason === 'call' && this.#lines.duties.hasQueued) this.#report.warn(text);
      else this.#lines.extra(text);
      if (!this.#report.isOpen) return;
    }
    if (!isOff && reason !== 'call' && this.#lines.duties.isAnswered(line)) {
      this.#lines.emit({ op: 'yield', for: 'call', line, asks: [], whom: '', isAnswered: true });
      this.#report.close();
      this.#goOn = this.#lines.course.goOn({ isYield: true });
      return;
    }
    const asks = [...(step?.asks ?? this.#lines.duties.asked)];
    const named = waitedFor(whom, isOff ? undefined : step);
    const wait = waiting({ op: 'yield', for: reason, line, asks, whom: named }, (term) =>
      this.#names.said(term),
    );
    if (typeof wait !== 'string') this.#lines.emit(wait);
    else if (!this.#report.problem('PV7310', wait)) return;
    this.#report.close();
    this.#goOn = reason === 'exit' ? theEnd : this.#lines.course.goOn({ isYield: true, isOff });
  }

  /** Ends the turn for values that it has asked for: with them, it goes on where it is. */
  #comesBack(): void {
    this.#report.close();
    this.#goOn = this.#report.hasActedHere ? this.#lines.course.goOn() : this.#lines.course.line;
  }

  /** Ends the program where no line says so: nothing may be left to do. */
  #exit(line: string): void {
    if (!this.#lines.accept(this.#lines.course.left())) return;
    this.#lines.emit({ op: 'yield', for: 'exit', line, asks: [], whom: '' });
    this.#report.close();
    this.#goOn = theEnd;
  }

  /**
   * The playbook is over. A reply that does not say what it returns leaves that to the line, which
   * has to have it: what is returned in words nobody else can say. `isTold`: it was told so.
   */
  returns(said?: Expr, isTold = false): void {
    this.#lines.ends();
    const isNothing = said === undefined || (said.is === 'value' && said.value === null);
    const isOtherAt = (step: Step): boolean => said !== undefined && this.isOther(step, said);
    const act = { is: 'return', isNothing, isOtherAt } as const;
    const move = this.#lines.placing.place(act);
    if (!this.#lines.allows(move)) return;
    const step = this.#lines.course.stepAt(move.line);
    const own = said ?? this.#values.returned(step);
    const value = own ?? nothing;
    const given = isNothing ? undefined : this.#given;
    const wrong = this.#values.misreturned(step, value, given);
    const text = `line ${move.line} returns ${wrong?.want}, got ${wrong?.got}`;
    // What it returns says which line it is for: if nothing does, it has come to none.
    if (wrong && !this.#lines.deviates('PV7316', text)) return;
    this.#lines.make(move);
    const left = own || isTold ? undefined : this.#lines.duties.lacksToGo(move.line);
    if (left !== undefined && !this.#report.problem('PV7303', left)) return;
    if (step?.code !== 'RET' && !this.#lines.accept(this.#lines.course.left())) return;
    const held = this.#held(value);
    if (!held || !this.#mayGive(isNothing)) return;
    const isCall = isNothing && this.#lines.placing.isReturned;
    const result = isCall && this.#given;
    const came = result ? ({ is: 'ref', ...result, path: [] } as const) : held;
    this.#lines.emit({ op: 'return', value: came, line: move.line });
    this.#report.close();
    this.#goOn = theEnd;
  }

  /** Whether a line returns something else than this value, as far as that is known. */
  isOther(step: Step, value: Expr): boolean {
    const isNothing = value.is === 'value' && value.value === null;
    if (step.code === 'RET' && step.text === '' && !isNothing) return true;
    return this.#values.misreturned(step, value, this.#given) !== undefined;
  }

  /** A line that returns nothing gives no value, but where a type says that there is one. */
  #mayGive(isNothing: boolean): boolean {
    const { step } = this.#lines.course;
    const isBare = step?.code === 'RET' && step.text === '';
    if (isNothing || !isBare || givenType(this.#place.playbook) !== undefined) return true;
    this.#lines.extra(`line ${step.number} returns nothing`);
    return this.#report.isOpen;
  }

  /** A value as the playbook says that it returns it; undefined where that is a problem. */
  #held(value: Expr): Expr | undefined {
    const { playbook } = this.#place;
    const type = givenType(playbook);
    const held = unquoted(value, type);
    const got = unfit(held, type);
    if (got === undefined) return held;
    const wrong = `${playbook.name} gives ${got}, want a value of the type ${type}`;
    return this.#report.problem('PV7314', wrong) ? held : undefined;
  }

  /** How a reply that does not say so has ended. */
  implied(text: string): void {
    const { strictness, playbook } = this.#place;
    if (this.#report.isShowing && !this.#lines.duties.hasQueued) {
      this.#comesBack();
      return;
    }
    if (playbook.lines.size === 0) {
      this.#impliedFreely(text);
      return;
    }
    const { course } = this.#lines;
    const { missed } = course;
    // Who tells all of it once more, behind which nothing is left, has done nothing.
    const isTold = this.#lines.hasRepeated && missed === undefined;
    if (!this.#report.hasActed && !isTold) {
      const got = text.trim() === '' ? 'nothing' : shortly(text.trim());
      this.#report.problem(
        'PV7301',
        `got ${got}, want one JSON object a line, such as {"step": "01"}`,
      );
      return;
    }
    const isReturned = course.position.isDone && this.#values.returned(course.step) !== undefined;
    if (missed === undefined || isReturned) {
      this.returns();
      return;
    }
    const reason = this.#impliedReason();
    if (reason !== undefined && strictness !== 'enforce') {
      this.#report.warn(`the reply ended without a yield: it was taken to yield for ${reason}`);
      this.yields({ is: 'yield', for: reason });
      return;
    }
    const goesOn = this.#lines.breaksOff(`the reply ends although ${missed}`);
    if (goesOn && this.#lines.course.step?.code === 'RET') {
      this.returns(undefined, true);
    }
  }

  /** What a reply that stops where it has come to can only wait for. */
  #impliedReason(): YieldFor | undefined {
    const { course, duties } = this.#lines;
    if (course.due !== undefined) return course.due;
    if (duties.hasQueued) return 'call';
    const [next] = course.next();
    const waits = next === undefined ? undefined : course.stepAt(next)?.waits;
    return duties.hasSaid && waits === 'user' ? 'user' : undefined;
  }

  /** Without lines there is nothing to hold a reply to: words alone are what it comes to. */
  #impliedFreely(text: string): void {
    if (this.#lines.duties.hasQueued) {
      this.#report.warn('the reply ended without a yield: it was taken to yield for call');
      this.yields({ is: 'yield', for: 'call' });
      return;
    }
    const words = this.#words();
    if (words === '' && !this.#report.hasActed) {
      const got = text.trim() === '' ? 'nothing' : shortly(text.trim());
      const want = 'a {"call"} or {"say"}, or a {"return"} with what comes of it';
      this.#report.problem('PV7301', `got ${got}, want what is done next: ${want}`);
      return;
    }
    // What it has set, or found odd, is no answer: with that, it goes on.
    if (words === '' && !this.#lines.duties.hasSaid) {
      this.#report.warn('the reply ended without an answer: it is asked to go on');
      this.#comesBack();
      return;
    }
    const said: Expr = { is: 'value', value: words };
    if (words !== '' && !this.#held(said)) return;
    if (this.#saysWords()) this.returns(words === '' ? nothing : said);
  }

  /** What a reply of a playbook without lines says in words, where it says nothing otherwise. */
  #words(): string {
    const isFree = this.#place.playbook.lines.size === 0;
    return isFree && !this.#lines.duties.hasSaid ? wordsIn(this.#beside) : '';
  }

  /** Says such words. False where that cannot stand. */
  #saysWords(): boolean {
    const words = this.#words();
    const among = operationAmong(words);
    const text = `got ${shortly(among ?? '')} among words, want it on a line of its own`;
    if (among !== undefined && !this.#report.problem('PV7310', text)) return false;
    const said: Expr = { is: 'value', value: words };
    const { line } = this.#lines.course;
    if (words !== '') this.#lines.emit({ op: 'say', text: said, line, key: keyOfSaid(said) });
    return true;
  }
}
