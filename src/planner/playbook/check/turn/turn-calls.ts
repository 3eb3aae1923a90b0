/**
 * What a reply calls, and what it returns, which a call may give. Each is taken to its line and
 * held against it, with every name resolved; what stands is reported.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { readsLast } from '../../../../dialects/playbook/compiled/last-result.ts';
import type { CallPart, Variable } from '../../parts.ts';
import { callIn } from '../../reply/forms/statement.ts';
import { isArgumentOf } from '../../reply/line-value.ts';
import type { Said, SaidCall } from '../../reply/said.ts';
import { type Expr, nothing, type Term, writtenText } from '../../reply/term.ts';
import { asTaken, bind } from '../values/arguments.ts';
import { type Callee, idOf, mayWrite, sameIn } from '../values/directory.ts';
import { NoValue } from '../values/names.ts';
import { type ActsAt, isQueued, placeText } from './acts-at.ts';
import type { DonePart } from './earlier.ts';
import { callMarks } from './said-again.ts';

export class TurnCalls {
  readonly #at: ActsAt;
  #calls = 0;
  #asked: string[] | undefined = [];
  /** Whether a playbook or a function is still to be played, which may set variables. */
  #isToBePlayed = false;

  constructor(at: ActsAt) {
    this.#at = at;
  }

  /** Tools that the reply has called, in order; undefined where anything may be noticed. */
  get asked(): readonly string[] | undefined {
    return this.#asked;
  }

  /** What cannot stand has moved nothing: the turn is where it was. */
  call(said: SaidCall): void {
    const takeBack = this.#at.course.saved();
    this.#call(said);
    if (this.#at.report.isStopped) takeBack();
  }

  #call(said: SaidCall): void {
    const { directory } = this.#at.place;
    const callee = directory.find(said.callee);
    if (!callee) {
      const near = directory.near(said.callee);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      this.#at.report.problem('PV7304', `there is no playbook or tool ${said.callee}${hint}`);
      return;
    }
    const bound = bind(callee, said, (term, name) => this.#argument(term, callee, name));
    if (!bound.ok) {
      this.#at.report.problem('PV7306', bound.problem);
      return;
    }
    const args = asTaken(callee, bound.args);
    const key = this.#at.made.keyOf(callee, args);
    const act = this.#at.made.call(callee, args, key, said.into);
    const line = this.#at.lines.placed(act, (at) => callMarks(at, callee.name, { args, key }));
    if (line === undefined) {
      // Repeated once is done; a second time in the same reply it would be made anew.
      if (!this.#at.lines.isRepeating) this.#at.lines.duties.didBefore(key);
      return;
    }
    const { step } = this.#at.course;
    const isCalled = this.#at.lines.duties.didBefore(
      this.#at.keyOnce(key, said.into?.name, callee),
    );
    const before = isCalled ? line : this.#at.made.calledAt(callee, key, act, step);
    // Who has named this line means it; else what was told before may be told again.
    const mayTell = !isCalled && !(this.#at.report.hasActed && this.#at.placing.isFor(act));
    if (before !== undefined && mayTell && this.#at.made.isTold(key)) {
      this.#at.lines.warnOfRepeated();
      return;
    }
    const isEarly = step && this.#at.made.isCallOf(step, callee, key) && mayWrite(callee);
    if (isEarly && !this.#at.lines.mayCallAgain(callee.name)) return;
    if (before !== undefined) {
      const text = `${callee.name} was called with these arguments already`;
      const mayBeRound = isCalled && step !== undefined && this.#at.course.mayComeAgain;
      const rounds = mayBeRound ? '; for another round, name its lines' : '';
      this.#at.report.problem('PV7305', `${text}${placeText(before, step)}${rounds}`);
      return;
    }
    // Without lines, nothing but what it has done says that it is done once more.
    const isRepeated = !step && mayWrite(callee) && this.#at.made.wasMade(key);
    if (isRepeated && !this.#at.lines.mayCallOnceMore(callee.name)) return;
    const isIts = (part: DonePart): boolean => part.op === 'call' && part.callee === callee.name;
    const isExtra = !this.#at.placing.isFor(act);
    const isFree = mayWrite(callee) && (isExtra || this.#at.isOpen);
    if (isFree && !this.#at.lines.mayDo((done) => done.some(isIts))) return;
    if (isExtra) this.#callsMore(callee, line);
    else if (step) this.#holdTo(step, callee, args, this.#at.placing.isDoneOnce(act));
    if (!this.#at.report.isOpen || !this.#isIntoItsOwn(act.callee, said)) return;
    for (const [name, value] of Object.entries(args)) {
      if (value !== bound.args[name])
        this.#at.report.warn(`${name} of ${callee.name} was written as a text, and is none`);
    }
    this.#at.placing.did(act);
    this.#at.made.note(key, line);
    const isReturned = this.#at.placing.isReturned;
    const next = this.#at.didAhead(
      (one) => isQueued(one) && this.#at.made.isCallOf(one, callee, key),
    );
    const own = said.into && this.#at.names.setAt(said.into, next ?? step);
    const into = own
      ? this.#at.names.write(own)
      : this.#intoOf(next ?? step, callee.name, isReturned);
    if (isReturned && into) this.#at.ends.gives(into);
    const part: CallPart = {
      ...{ op: 'call', id: String(this.#calls + 1), callee: callee.name, kind: callee.kind },
      ...(callee.on !== undefined && { on: callee.on }),
      ...{ args, into: into?.name ?? null, scope: into?.scope ?? null, line },
      ...{ key, ...(next && { ahead: next.number }) },
    };
    this.#at.lines.emit(part);
    this.called(part, callee);
  }

  /** Something was called, by this reply or by one that it goes on behind. */
  called({ into, scope }: CallPart, callee: Callee): void {
    this.#calls++;
    if (mayWrite(callee) || callee.kind !== 'tool') this.#asked = undefined;
    else this.#asked?.push(callee.name);
    this.#isToBePlayed ||= callee.kind !== 'tool';
    this.#at.values.called(callee);
    if (into !== null && scope !== null) this.#at.values.awaits({ name: into, scope }, callee);
    if (readsLast(this.#at.place.playbook)) this.#at.values.set(this.#at.names.write(lastName));
  }

  /** What is returned: a value, or what a call gives, as in `RET F($x)`. */
  returns({ value, ...said }: Said & { readonly is: 'return' }): void {
    const isNothing = said.call === undefined && value.is === 'value' && value.value === null;
    const isOtherAt = (step: Step): boolean => this.#isOther(step, value);
    const { line } = this.#at.placing.place({ is: 'return', isNothing, isOtherAt });
    const call = said.call ?? this.#callIn(value, line);
    if (!call) {
      const uncalled = this.#uncalledAt(line);
      if (uncalled !== undefined && !this.#at.report.problem('PV7303', uncalled)) return;
      // It is what it comes to once that has been played.
      if (this.#isToBePlayed) this.#at.names.expectAll();
      const isIts = this.#at.course.stepAt(line)?.code === 'RET';
      this.#at.ends.returns(this.#at.computed(value, isIts ? line : undefined));
      return;
    }
    this.call(call);
    if (this.#at.report.isOpen) this.#at.ends.returns(nothing);
  }

  /** Whether a line returns something else than was written, which may not be read there at all. */
  #isOther(step: Step, value: Term): boolean {
    if (this.#callIn(value, step.number)) return false;
    try {
      return this.#at.ends.isOther(step, this.#at.names.computed(value, step.number));
    } catch (error) {
      if (error instanceof NoValue) return true;
      throw error;
    }
  }

  /** A line that returns what a call gives has made it, in this turn or in the one before. */
  #uncalledAt(line: string): string | undefined {
    const { code, call, isAmbiguous } = this.#at.course.stepAt(line) ?? {};
    const isIts = code === 'RET' && call !== undefined && !isAmbiguous;
    const isMade = this.#at.course.beganAt(line) && this.#at.place.acts?.[line] !== undefined;
    if (!isIts || isMade || this.#at.placing.isReturned) return undefined;
    return `line ${line} returns what ${call.callee} gives, and no call was reported`;
  }

  /** The call of the line, where its text is written for what it gives. */
  #callIn(value: Term, line: string): SaidCall | undefined {
    const { code, call } = this.#at.course.stepAt(line) ?? {};
    const written = code === 'RET' && call ? callIn(writtenText(value) ?? '') : undefined;
    const { find } = this.#at.place.directory;
    return written && find(written.callee) === find(call?.callee ?? '') ? written : undefined;
  }

  /** An argument. A text that the line has without quotes is a variable, where there is such. */
  #argument(term: Term, callee: Callee, name: string): Expr {
    const same = sameIn(this.#at.place.directory);
    const { step: here, isNamed } = this.#at.course;
    // Of lines that call the same, the one that the reply has named says what it means.
    const own = isNamed && here && same(here, idOf(callee)) ? here : undefined;
    const at = { name, index: callee.parameters.findIndex((one) => one.name === name) };
    const isMeant = (step: Step, text: string): boolean =>
      (own ?? step) === step && isArgumentOf(step, text, at) && same(step, idOf(callee));
    const meant = this.#at.names.readAt(this.#at.names.meant(term, isMeant), this.#at.namedStep);
    return this.#at.asRead(term, this.#at.names.resolve(meant));
  }

  /** What may change something is not called beside what a line says that the reply has named. */
  #callsMore(callee: Callee, line: string): void {
    const text = `${callee.name} is not what line ${line} calls`;
    if (mayWrite(callee) && this.#at.course.isNamed) this.#at.lines.deviates('PV7303', text);
    else this.#at.lines.extra(text);
  }

  /** A line that says what to call something with means that, and that it is called once. */
  #holdTo(step: Step, callee: Callee, args: CallPart['args'], isMore: boolean): void {
    if (isMore && step.call && !step.isAmbiguous) {
      const text = `line ${step.number} calls ${callee.name} once, and it was called before`;
      // What is called with the variable that it sets gives something else the second time.
      const isOther = step.call.into !== undefined && step.reads.includes(step.call.into);
      if (mayWrite(callee) || isOther) this.#at.report.problem('PV7305', text);
      else this.#at.lines.extra(text);
    }
    if (!this.#at.report.isOpen) return;
    for (const { name, got, want, isPlain } of this.#at.made.misgiven(step, callee, args)) {
      const text = `line ${step.number} calls ${callee.name} with ${name} = ${want}, got ${got}`;
      // Words may say what is meant; a number, a name and what a variable is mean themselves.
      if (isPlain) this.#at.report.problem('PV7306', text);
      else this.#at.lines.extra(text);
      if (!this.#at.report.isOpen) return;
    }
  }

  /** Whether the result goes where the line says: it is what the lines behind it read. */
  #isIntoItsOwn(callee: string, { into }: SaidCall): boolean {
    const own = this.#at.placing.intoOf(callee);
    if (!into || own === undefined || own.replace('$', '') === into.name) return true;
    const other = `and the reply sets ${into.name} instead`;
    const text = `line ${this.#at.course.line} sets ${own}, ${other}`;
    return this.#at.report.problem('PV7303', text);
  }

  /** The variable that the line says, where the reply does not. */
  #intoOf(step: Step | undefined, callee: string, isReturned: boolean): Variable | undefined {
    if (isReturned) return this.#at.names.write(lastName);
    const { call } = step ?? {};
    if (call?.into === undefined) return undefined;
    if (this.#at.place.directory.find(call.callee)?.name !== callee) return undefined;
    const isState = call.into.startsWith('$');
    return this.#at.names.write({ name: call.into.replace('$', ''), sign: isState });
  }
}

/** `$_`, as `written` has it. */
const lastName = { name: '_', sign: false, scope: 'local' } as const;
