/**
 * The lines of a reply: which it may come to, what it would leave out on the way, and what it only
 * tells again of a reply before it. Owns the course of the turn, what it has done of its lines, and
 * which of them its acts belong to.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { allOf } from '../../../../program/counted.ts';
import { nearest } from '../../../../program/diagnostic.ts';
import type { Part } from '../../parts.ts';
import { shortly } from '../../reply/said.ts';
import type { Expr } from '../../reply/term.ts';
import { Branches } from '../course/branches.ts';
import { Course, type Move } from '../course/course.ts';
import { Duties } from '../course/duties.ts';
import { KnownAnswers } from '../course/known-answers.ts';
import type { Act } from '../course/line-acts.ts';
import { Placing } from '../course/placing.ts';
import { RoundsRead } from '../course/rounds-read.ts';
import { theEnd } from '../course/walk.ts';
import { sameIn } from '../values/directory.ts';
import type { Names } from '../values/names.ts';
import { type DonePart, Earlier, onceMore } from './earlier.ts';
import { listed } from './listed.ts';
import { RoundsKept } from './rounds-kept.ts';
import { inWords } from './said-again.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnReport } from './turn-report.ts';
import type { TurnValues } from './turn-values.ts';

export class TurnLines {
  readonly course: Course;
  readonly duties: Duties;
  readonly placing: Placing;
  readonly knownAnswers: KnownAnswers;
  readonly #place: TurnPlace;
  readonly #report: TurnReport;
  readonly #values: TurnValues;
  readonly #names: Names;
  #earlier: Earlier;
  #rounds: RoundsRead;
  #kept: RoundsKept;
  #isRepeating = false;
  #hasRepeated = false;
  /** Whether the line that it came to last may come now. */
  #mayCome = false;
  #isOther = false;

  constructor(place: TurnPlace, names: Names, report: TurnReport, values: TurnValues) {
    const { playbook, directory, line, done } = place;
    this.#place = place;
    this.#report = report;
    this.#values = values;
    this.#names = names;
    const first = done.find((part) => 'line' in part && playbook.lines.has(part.line));
    const from = first && 'line' in first ? first.line : line;
    this.knownAnswers = new KnownAnswers(playbook.lines, {
      known: place.known ?? [],
      said: Object.keys(place.acts ?? {}),
      has: (name) => values.isThere(name),
    });
    const waited = place.isBack ? line : undefined;
    const { halves } = place;
    const begun = {
      ...{ playbook, line: from, waited, names, done, halves, knownAnswers: this.knownAnswers },
    };
    const condition = (step: Step) => (report.isQuiet ? undefined : values.condition(step));
    const rounds = (head: string) => (report.isQuiet ? undefined : values.firstRounds(head));
    const same = sameIn(directory);
    const unset = (step: Step) => (report.isQuiet ? undefined : values.unset(step));
    this.duties = new Duties(begun, same, unset);
    this.course = new Course(begun, this.duties, new Branches(playbook.lines, condition, rounds));
    this.placing = new Placing(begun, same, this.duties, this.course);
    this.#earlier = new Earlier([], playbook.lines, []);
    this.#rounds = new RoundsRead(playbook.lines);
    this.#names = names;
    this.#kept = new RoundsKept(names.rounds, values, place);
  }

  /** Whether it tells a line again that is over. */
  get isRepeating(): boolean {
    return this.#isRepeating;
  }

  /** Whether it has told of something that a reply before it has done. */
  get hasRepeated(): boolean {
    return this.#hasRepeated;
  }

  /** Whether what it tells again may turn out to be another round. */
  get isUnsure(): boolean {
    return this.#isRepeating && (this.#earlier.isEither || (this.#earlier.isLast && this.#mayCome));
  }

  /** Whether it has: all of that is to be taken once more, from this line on. */
  goesOn(line: string): boolean {
    if (!this.#isOther) return false;
    this.#isOther = false;
    this.#isRepeating = false;
    this.#earlier.goOnAt(line);
    return true;
  }

  /** From now on, what has stood of a reply before may be told again. */
  remember(done: readonly Part[]): void {
    this.course.begin();
    this.placing.begin();
    const { lines } = this.#place.playbook;
    this.#earlier = new Earlier(done, lines, this.course.told);
    this.#rounds = new RoundsRead(lines);
    const { isUnderWay = false } = this.#place;
    const from = { line: this.course.line, isUnderWay };
    this.#kept = new RoundsKept(this.#names.rounds, this.#values, from);
  }

  /** Whether what is done at a line is of a round that there is, with none left out before it. */
  keepsRounds(line: string): boolean {
    return this.#kept.mayActAt(line);
  }

  /** An end is never told again. */
  ends(): void {
    this.#isRepeating = false;
  }

  /** Reports what was done. */
  emit(part: Part): void {
    const isStill = part.op === 'step' && this.course.isStill;
    const isAsked = this.duties.isAskedAgain && (part.op === 'step' || part.op === 'say');
    const isAgain = isStill || isAsked;
    this.#earlier.did(part);
    if (part.op === 'step') this.#rounds.comes(part.line);
    const told: Part = isAgain ? { ...part, isAgain } : part;
    this.#kept.did(told);
    this.#report.emit(told);
  }

  /** Whether a line is of this playbook that is named with one. */
  isOurs(playbook: string | undefined): boolean {
    const { name, id, written } = this.#place.playbook;
    const [, agent = ''] = /^(.*)\.[^.]*$/.exec(id) ?? [];
    const isNamed = (one: string): boolean => one.toLowerCase() === playbook?.toLowerCase();
    return playbook === undefined || [name, id, written, agent].some(isNamed);
  }

  /** The reply names a line. True where it is now there. */
  enter(line: string, playbook: string | undefined): boolean {
    const { name, lines } = this.#place.playbook;
    if (lines.size === 0) return false;
    if (!this.isOurs(playbook)) {
      const text = `got line ${line} of ${playbook}, want a line of ${name}`;
      this.#report.problem('PV7302', text);
      return false;
    }
    if (!lines.has(line)) {
      const near = nearest(line, lines.keys());
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      const known = [...lines.keys()];
      const all = allOf('line', known, listed(known));
      this.#report.problem('PV7302', `${name} has no line ${line}, its ${all}${hint}`);
      return false;
    }
    const before = this.course.line;
    this.#mayCome = this.course.mayEnter(line);
    this.#isRepeating = this.#isAgain(line);
    if (this.#isRepeating || this.course.namesItsWait(line)) return false;
    const move = this.course.enter(line);
    if (!move) {
      this.#report.problem('PV7309', `line ${line} does not come after line ${before}`);
      return false;
    }
    if (!this.#mayGoRound(line) || !this.accept(move)) return false;
    if (line !== before) this.#earlier.enter(line);
    return true;
  }

  /** Whether a line was done by an earlier reply, and does not come now: it is told again. */
  #isAgain(line: string): boolean {
    const { course } = this;
    const again = this.#earlier.comes(line);
    if (again === 'other') {
      this.#isOther = true;
      return true;
    }
    if (again === 'before' || !this.#earlier.hasLine(line)) return again === 'before';
    if (line !== course.line) return !course.mayEnter(line);
    if (again !== 'last') return course.isOver && !this.#isUnturned(line);
    // What comes at a line at which nothing was done yet is new, unless that is another round.
    const hasBegun = this.#mayCome || this.#earlier.hasActed;
    return course.isFulfilled && hasBegun && !this.#isUnturned(line);
  }

  /** Whether a loop was come to, and its item has still to be set. */
  #isUnturned(line: string): boolean {
    return this.course.stepAt(line)?.code === 'LOP' && !this.duties.isTurned;
  }

  /** Whether a loop that is told again gets its next item: from there on nothing is told again. */
  goesRound(name: string, value: Expr): boolean {
    const head = this.#earlier.turns(name, value);
    this.#isOther = head !== undefined && this.#earlier.isEither;
    if (this.#isOther) return false;
    const move = head === undefined ? undefined : this.course.enter(head);
    if (!move || !this.accept(move)) return false;
    this.#isRepeating = false;
    this.emit({ op: 'step', line: move.line });
    return true;
  }

  /** What a move leaves out is a problem, or let pass. */
  accept(move: Move): boolean {
    if (!this.allows(move)) return false;
    this.make(move);
    return true;
  }

  /** Whether a loop whose end only the model knows may go round once more in this reply. */
  #mayGoRound(line: string): boolean {
    const head = this.#rounds.endlessAt(line);
    if (head === undefined || this.#hasAnEnd(head)) return true;
    return this.breaksOff('the reply is read no further');
  }

  /** It has so many rounds, or one for each of what there is, or can be computed. */
  #hasAnEnd(head: string): boolean {
    const step = this.course.stepAt(head);
    if (this.#names.rounds.has(head) || !step) return true;
    return step.writes.length > 0 || this.#values.condition(step) !== undefined;
  }

  /** Whether that lets it be made. */
  allows({ line, lacking, unreported, against }: Move): boolean {
    const { strictness } = this.#place;
    const isLenient = this.#report.isUnexpected && strictness !== 'enforce';
    const before = line === theEnd ? 'the end' : `line ${line}`;
    const other = `${listed(against, '; ')}: ${before} does not come next`;
    if (against.length > 0 && !this.deviates('PV7317', other)) return false;
    if (lacking.length > 0) {
      const text = `${listed(lacking, '; ')}, before ${before}`;
      if (isLenient) this.#report.warn(`${text}; it was said to be unexpected`);
      else if (!this.#report.problem('PV7303', text)) return false;
    }
    if (unreported.length > 0) {
      const text = `line ${listed(unreported)} was passed without a report, before ${before}`;
      if (strictness !== 'enforce') this.#report.warn(text);
      else if (!this.#report.problem('PV7303', text)) return false;
    }
    return true;
  }

  make({ commit }: Move): void {
    const { position } = this.course;
    commit();
    if (this.course.position !== position) this.#values.comes(this.course.line, position);
  }

  /** The reply has broken off. True where it goes on all the same. */
  breaksOff(why: string): boolean {
    return this.#report.problem('PV7308', `${why}${this.#rounds.words}`);
  }

  /** Other than the line has it, which may be where it was said that something came up. */
  deviates(code: string, text: string): boolean {
    if (!this.#report.isUnexpected || this.#place.strictness === 'enforce')
      return this.#report.problem(code, text);
    this.#report.warn(`${code} ${text}; it was said to be unexpected`);
    return true;
  }

  /** Something that the line does not say: let pass, unless nothing is. */
  extra(text: string): void {
    if (this.#place.strictness === 'enforce') this.#report.problem('PV7303', text);
    else this.#report.warn(text);
  }

  /** Takes an act to its line. Undefined where it cannot stand, or has stood before. */
  placed(act: Act, marks: (line: string) => readonly string[]): string | undefined {
    if (this.#isRepeating) {
      const { isUnsure } = this;
      if (this.#earlier.takes(marks(''))) this.warnOfRepeated();
      else if (isUnsure) this.#isOther = true;
      else this.#report.problem('PV7305', 'got something new at a line that is over');
      return undefined;
    }
    const known = this.course.line;
    if (this.#earlier.takesHere(marks(known))) {
      this.warnOfRepeated();
      this.placing.place(act).commit();
      this.placing.did(act, true);
      return undefined;
    }
    const move = this.placing.place(act);
    const isMoved = move.line !== known;
    if ((isMoved && !this.#mayGoRound(move.line)) || !this.accept(move)) return undefined;
    if (isMoved) this.#rounds.comes(move.line);
    return move.line;
  }

  /** Whether this is told again: it was set to that before. */
  isSetAgain(name: string, value: Expr): boolean {
    const words = ` set ${inWords(name, value)}`;
    const isStill = this.#earlier.isSetTo(name, value);
    // What is computed comes to something else the second time, and a trigger would fire again.
    const mayBeDone = value.is !== 'value' || isStill;
    const isDone = mayBeDone && this.#earlier.takesHere([`${this.course.line}${words}`]);
    // Before it has named a line, what a variable was set to before is told again.
    const isTold = !this.#report.hasActed && isStill;
    if (!isDone && !(isTold && this.#earlier.takes([words]))) return false;
    this.warnOfRepeated();
    return true;
  }

  /**
   * Whether something may be done that the line leaves open. Where it had done its like when the
   * reply was cut off, the model may do that again in other words, and not know: it is asked once.
   */
  mayDo(isLike: (done: readonly DonePart[]) => boolean): boolean {
    const { line } = this.course;
    const done = this.#earlier.cutAt(line);
    if (!isLike(done)) return true;
    const words = done.map((part) => this.#values.inWords(part));
    const begun = `${line === '' ? 'you' : `line ${line}`} had ${listed(words)}`;
    const ask = 'leave out what is done, or write it again where it is meant once more';
    this.#report.ask(onceMore, `${begun} when the reply was cut off: ${ask}`);
    return false;
  }

  /** Whether a line may call what was called at the one before it: who began anew is asked once. */
  mayCallAgain(callee: string): boolean {
    const { line } = this.course;
    if (!this.duties.wasDoneAhead(line)) return true;
    return this.#isMeant(`${callee} was called with these arguments right before line ${line}`);
  }

  /** Whether what an earlier reply has called may be called once more: that is asked once. */
  mayCallOnceMore(callee: string): boolean {
    return this.#isMeant(`${callee} was called with these arguments before`);
  }

  /** Whether what was asked about is said again; it is asked now where it was not. */
  #isMeant(done: string): boolean {
    if (this.#earlier.wasAsked(this.course.line)) return true;
    const ask = 'leave it out, or write it again where it is meant once more';
    this.#report.ask(onceMore, `${done}: ${ask}`);
    return false;
  }

  /**
   * Whether what is set at a line that is told again stands as it was set, or may be of another
   * round; else it is something that the reply before has left out.
   */
  stands(name: string, value: Expr | undefined): boolean {
    if (value && this.#earlier.takes([` set ${inWords(name, value)}`])) return true;
    const stood = this.#earlier.setHere(name);
    const [known, got] = [stood, value].map((one) => one && this.#values.known.text(one));
    const isOther = known !== undefined && got !== undefined && known !== got;
    if (this.isUnsure) this.#isOther ||= stood === undefined || isOther;
    else if (isOther) {
      const words = `$${name} was set to ${shortly(known)} before, which stands`;
      this.#report.warn(`${words}: ${shortly(got)} was left out`);
    }
    return this.isUnsure || stood !== undefined;
  }

  warnOfRepeated(): void {
    this.#hasRepeated = true;
    this.#report.warn('it repeated what it had done, which was left out');
  }
}
