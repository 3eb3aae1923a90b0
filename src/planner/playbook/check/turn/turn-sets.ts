/**
 * Variables that a reply sets. Each is taken to its line and held against it; what stands is
 * reported. Owns what a line that says its value was first set to otherwise, which may be on the
 * way to that: only the last value counts.
 */
import { declaredTypes, typeOf } from '../../../../dialects/playbook/compiled/declared-types.ts';
import { summaryName } from '../../../../dialects/playbook/compiled/last-result.ts';
import type { Said } from '../../reply/said.ts';
import {
  type Expr,
  type Name,
  type Reference,
  refsIn,
  type Term,
  termOf,
  withRefs,
  writtenText,
} from '../../reply/term.ts';
import type { Move } from '../course/course.ts';
import { mistyped, unquoted } from '../values/declared.ts';
import { NoValue } from '../values/names.ts';
import type { ActsAt } from './acts-at.ts';
import type { DonePart } from './earlier.ts';
import { listed } from './listed.ts';
import { inWords } from './said-again.ts';

/** What is set, and how it is to the line that it is set at. */
interface Setting {
  readonly to: Name;
  readonly value: Expr;
  readonly line: string;
  /** Whether it is of a line that is told again. */
  readonly isLate: boolean;
  /** Whether it is what a question was for. */
  readonly isAnswer: boolean;
}

export class TurnSets {
  readonly #at: ActsAt;
  readonly #types: ReadonlyMap<string, string>;
  #held: { readonly setting: Setting; readonly problem: string } | undefined;

  constructor(at: ActsAt) {
    this.#at = at;
    this.#types = declaredTypes(at.place.playbook);
  }

  set({ to: written, value }: Said & { readonly is: 'set' }): void {
    const { names, lines, course, report } = this.#at;
    const to = names.setAt(written, course.step);
    const whole = this.#withHeld(to, value);
    if (!report.isOpen) return;
    const again = lines.isRepeating ? this.#known(whole) : undefined;
    const goesRound = again !== undefined && lines.goesRound(to.name, again);
    const isLate = lines.isRepeating && !goesRound;
    if (isLate && lines.stands(to.name, again)) {
      this.#setAgain(to, again);
      return;
    }
    if (`$${to.name}` === summaryName) {
      report.tell({ op: 'note', text: writtenText(whole) ?? '' });
      return;
    }
    const wait = course.asksFor(to.name) ? course.lacking : undefined;
    const early = `${wait}: nobody has said yet what $${to.name} is`;
    if (wait !== undefined && !report.problem('PV7303', early)) return;
    const move = isLate ? course.stay() : this.#placeSet(to, whole);
    if (move) this.#setAt(move, to, whole, isLate);
  }

  /** Whether there is one of which nobody knows yet whether it stands. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Something else is done, or nothing more: what was held is the value that was meant. */
  settle(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held && this.#at.lines.deviates('PV7316', held.problem)) this.#did(held.setting);
  }

  /** The value, with what the line was set to before where it reads that. */
  #withHeld(to: Name, value: Term): Term {
    const { names, course } = this.#at;
    const { setting } = this.#held ?? {};
    const own = names.written(to);
    if (!setting || names.written(setting.to) !== own || setting.line !== course.line) {
      this.settle();
      return value;
    }
    const isIts = (ref: Reference): boolean =>
      names.written(names.setAt(ref.to, course.step)) === own;
    const isWhole = refsIn(value).every((ref) => !isIts(ref) || ref.path.length === 0);
    if (!isWhole) {
      this.settle();
      return value;
    }
    this.#held = undefined;
    return withRefs(value, (ref) => (isIts(ref) ? termOf(setting.value) : ref));
  }

  #setAt(move: Move, to: Name, value: Term, isLate: boolean): void {
    const { names, lines, course, placing, report, values } = this.#at;
    const { line } = move;
    const mayAnswer = !isLate && line === course.line;
    const isAnswer = mayAnswer && placing.mayAnswer(to.name);
    const type = typeOf(this.#types, names.written(to));
    const given = this.#at.computed(value, line);
    const resolved = unquoted(given, type);
    const wrong = mistyped(names.written(to), resolved, type);
    if (wrong !== undefined && !report.problem('PV7314', wrong)) return;
    if (lines.isSetAgain(to.name, resolved)) {
      this.#setAgain(to, resolved);
      return;
    }
    // Done again, it would come to something else, as a list does that was added to.
    const isSetOnce = (done: readonly DonePart[]): boolean =>
      done.filter((part) => part.op === 'set' && part.name === to.name).length === 1;
    const isHere = mayAnswer && !isAnswer && this.#at.isOpen;
    if (isHere && !lines.mayDo(isSetOnce)) return;
    if (!lines.accept(move)) return;
    const known = names.find(to);
    const giver = known && values.madeUp(known, resolved, course.step);
    if (giver !== undefined) {
      const text = `$${to.name} takes what ${giver} gives, which is told once the reply is over`;
      report.problem('PV7316', `${text}: it cannot be set to anything before`);
      return;
    }
    if (resolved !== given)
      report.warn(`$${to.name} was written as a text, and is of the type ${type}`);
    this.#setTo({ to, value: resolved, line, isLate, isAnswer });
  }

  /** What stands of it is reported, unless its line says another value: the next may be that. */
  #setTo(setting: Setting): void {
    const { lines, course, report } = this.#at;
    const { to, value, line, isLate, isAnswer } = setting;
    const problem = !isLate && course.position.isDone ? this.#misset(to, value) : undefined;
    if (problem !== undefined) {
      this.#held = { setting, problem };
      return;
    }
    const isEarly = !course.position.isDone && lines.duties.isBehindAnswer;
    if (!isLate && !isAnswer && !isEarly && !this.#isItsToSet(to, value)) return;
    const isPlain = value.is === 'value' || course.step?.isAmbiguous !== undefined;
    if (!isPlain && lines.duties.didBefore(`set ${inWords(to.name, value)}`)) {
      report.problem('PV7305', `$${to.name} was set to this already, at ${line}`);
      return;
    }
    this.#did(setting);
  }

  #did({ to, value, line, isAnswer }: Setting): void {
    const { names, lines, placing, values } = this.#at;
    placing.did({ is: 'set', name: to.name });
    const variable = names.write(to);
    values.set(variable, value);
    const part = { op: 'set', ...variable, value, line } as const;
    lines.emit(isAnswer ? { ...part, isAnswer } : part);
  }

  /**
   * Where a variable is set. The next item of a loop begins its next round: undefined where what
   * the one before has still to do cannot be left out.
   */
  #placeSet(to: Name, value: Term): Move | undefined {
    const [known, read] = [this.#at.names.find(to), this.#known(value)];
    const isNew = known && read && this.#at.values.isOther(known, read);
    if (isNew && this.#at.values.isReworded(to.name, read, this.#at.course.line))
      return this.#at.course.stay();
    const round = isNew ? this.#at.course.toNext(to.name) : undefined;
    if (!round || this.#at.lines.duties.isAskedFor(to.name))
      return this.#at.placing.placeSet(to.name);
    const { lacking } = round;
    const text = `${listed(lacking, '; ')}, before the next ${this.#at.names.written(to)}`;
    const isOver = lacking.length === 0 || this.#at.report.problem('PV7303', text);
    return isOver ? { ...round, lacking: [] } : undefined;
  }

  /** Whether the line sets it; one that says all that it does changes no other variable. */
  #isItsToSet(to: Name, value: Expr): boolean {
    const known = this.#at.names.find(to);
    const isItem = this.#at.placing.isSetByLoops(to.name);
    const isFree = isItem || to.name === sharedName;
    if (isFree || this.#at.placing.isFor({ is: 'set', name: to.name })) return true;
    if (known && this.#at.values.isOther(known, value) === false) return true;
    const { line } = this.#at.course;
    this.#at.lines.extra(`line ${line} does not set ${this.#at.names.written(to)}`);
    return this.#at.report.isOpen;
  }

  /** How a line that says what a variable is set to says something else. */
  #misset({ name }: Name, value: Expr): string | undefined {
    const { values, report, course } = this.#at;
    const { step } = course;
    const wrong = report.isQuiet ? undefined : values.misset(step, name, value);
    return wrong && `line ${step?.number} sets $${name} to ${wrong.want}, got ${wrong.got}`;
  }

  /** What stands behind it in the reply was made with that. */
  #setAgain(to: Name, value: Expr | undefined): void {
    const known = this.#at.names.find(to);
    if (known && value) this.#at.values.set(known, value);
  }

  /** Undefined where something that it names has no value. */
  #known(value: Term): Expr | undefined {
    try {
      return this.#at.names.computed(value);
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }
}

/** What all who attend a meeting see and set. */
const sharedName = 'shared_state';
