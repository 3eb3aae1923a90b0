/**
 * What a reply does at its lines: sets variables, calls, speaks, returns. Each is taken to its line
 * and held against it, with every name resolved; what stands is reported.
 */
import type { Step } from '../../../dialects/playbook/compiled/compiled.ts';
import { declaredTypes, typeOf } from '../../../dialects/playbook/compiled/declared-types.ts';
import { readsLast, summaryName } from '../../../dialects/playbook/compiled/last-result.ts';
import type { CallPart, Part, Variable } from '../parts.ts';
import { callIn } from '../reply/forms/statement.ts';
import { isArgumentOf } from '../reply/line-value.ts';
import { type Said, type SaidCall, shortly } from '../reply/said.ts';
import { type Expr, type Name, nothing, type Term, writtenText } from '../reply/term.ts';
import type { ActsMade } from './acts-made.ts';
import { addressee } from './addressee.ts';
import { asTaken, bind } from './arguments.ts';
import type { Course, Move } from './course.ts';
import { mistyped, unquoted } from './declared.ts';
import { type Callee, idOf, mayWrite, sameIn } from './directory.ts';
import type { DonePart } from './earlier.ts';
import { isOpen, type SayAct } from './line-acts.ts';
import { listed } from './listed.ts';
import { type Names, NoValue } from './names.ts';
import type { Placing } from './placing.ts';
import { callMarks, inWords, sayMarks } from './said-again.ts';
import type { TurnEnds } from './turn-ends.ts';
import type { TurnLines } from './turn-lines.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnReport } from './turn-report.ts';

/** What a turn is held by, which its acts share with its lines and its ends. */
interface Held {
  readonly place: TurnPlace;
  readonly names: Names;
  readonly report: TurnReport;
  readonly lines: TurnLines;
  readonly ends: TurnEnds;
  readonly made: ActsMade;
}

export class TurnActs {
  readonly #place: TurnPlace;
  readonly #names: Names;
  readonly #report: TurnReport;
  readonly #lines: TurnLines;
  readonly #ends: TurnEnds;
  readonly #made: ActsMade;
  readonly #types: ReadonlyMap<string, string>;
  #calls = 0;
  #asked: string[] | undefined = [];
  /** Whether a playbook or a function is still to be played, which may set variables. */
  #isToBePlayed = false;

  constructor({ place, names, report, lines, ends, made }: Held) {
    this.#place = place;
    this.#names = names;
    this.#report = report;
    this.#lines = lines;
    this.#ends = ends;
    this.#made = made;
    this.#types = declaredTypes(place.playbook);
  }

  get #course(): Course {
    return this.#lines.course;
  }

  get #placing(): Placing {
    return this.#lines.placing;
  }

  /** Whether anything may be done at the line that the turn is at. */
  get #isOpen(): boolean {
    const { step } = this.#course;
    return !step || isOpen(step);
  }

  /** The line that the turn is at, where the reply itself has named it. */
  get #namedStep(): Step | undefined {
    return this.#course.isNamed ? this.#course.step : undefined;
  }

  /** Tools that the reply has called, in order; undefined where anything may be noticed. */
  get asked(): readonly string[] | undefined {
    return this.#asked;
  }

  /** Behind what has stood of a reply before this one: its calls keep their ids. */
  begin(done: readonly Part[]): void {
    this.#calls = done.filter(({ op }) => op === 'call').length;
  }

  set({ to: written, value }: Said & { readonly is: 'set' }): void {
    const to = this.#names.setAt(written, this.#course.step);
    const again = this.#lines.isRepeating ? this.#known(value) : undefined;
    const goesRound = again !== undefined && this.#lines.goesRound(to.name, again);
    const isLate = this.#lines.isRepeating && !goesRound;
    if (isLate && this.#lines.stands(to.name, again)) {
      this.#setAgain(to, again);
      return;
    }
    if (`$${to.name}` === summaryName) {
      this.#report.tell({ op: 'note', text: writtenText(value) ?? '' });
      return;
    }
    const wait = this.#course.asksFor(to.name) ? this.#course.lacking : undefined;
    const early = `${wait}: nobody has said yet what $${to.name} is`;
    if (wait !== undefined && !this.#report.problem('PV7303', early)) return;
    const act = { is: 'set', name: to.name } as const;
    const move = isLate ? this.#course.stay() : this.#placeSet(to, value);
    if (!move) return;
    const { line } = move;
    const mayAnswer = !isLate && line === this.#course.line;
    const isAnswer = mayAnswer && this.#placing.mayAnswer(to.name);
    const type = typeOf(this.#types, this.#names.written(to));
    const given = this.#computed(value, line);
    const resolved = unquoted(given, type);
    const wrong = mistyped(this.#names.written(to), resolved, type);
    if (wrong !== undefined && !this.#report.problem('PV7314', wrong)) return;
    if (this.#lines.isSetAgain(to.name, resolved)) {
      this.#setAgain(to, resolved);
      return;
    }
    // Done again, it would come to something else, as a list does that was added to.
    const isSetOnce = (done: readonly DonePart[]): boolean =>
      done.filter((part) => part.op === 'set' && part.name === to.name).length === 1;
    const isHere = mayAnswer && !isAnswer && this.#isOpen;
    if (isHere && !this.#lines.mayDo(isSetOnce)) return;
    if (!this.#lines.accept(move)) return;
    const known = this.#names.find(to);
    const giver = known && this.#made.madeUp(known, resolved, this.#course.step);
    if (giver !== undefined) {
      const text = `$${to.name} takes what ${giver} gives, which is told once the reply is over`;
      this.#report.problem('PV7316', `${text}: it cannot be set to anything before`);
      return;
    }
    const isOfLine = !isLate && this.#course.position.isDone;
    if (isOfLine && !this.#isAsDecided(to, resolved)) return;
    const isEarly = !this.#course.position.isDone && this.#lines.duties.isBehindAnswer;
    if (!isLate && !isAnswer && !isEarly && !this.#isItsToSet(to, resolved)) return;
    const isPlain = resolved.is === 'value' || this.#course.step?.isAmbiguous !== undefined;
    if (!isPlain && this.#lines.duties.didBefore(`set ${inWords(to.name, resolved)}`)) {
      this.#report.problem('PV7305', `$${to.name} was set to this already, at ${line}`);
      return;
    }
    this.#placing.did(act);
    if (resolved !== given)
      this.#report.warn(`$${to.name} was written as a text, and is of the type ${type}`);
    const variable = this.#names.write(to);
    this.#made.set(variable, resolved);
    const part = { op: 'set', ...variable, value: resolved, line } as const;
    this.#lines.emit(isAnswer ? { ...part, isAnswer } : part);
  }

  /**
   * Where a variable is set. The next item of a loop begins its next round: undefined where what
   * the one before has still to do cannot be left out.
   */
  #placeSet(to: Name, value: Term): Move | undefined {
    const [known, read] = [this.#names.find(to), this.#known(value)];
    const isNew = known && read && this.#made.isOther(known, read);
    if (isNew && this.#made.isReworded(to.name, read, this.#course.line))
      return this.#course.stay();
    const round = isNew ? this.#course.toNext(to.name) : undefined;
    if (!round || this.#lines.duties.isAskedFor(to.name)) return this.#placing.placeSet(to.name);
    const { lacking } = round;
    const text = `${listed(lacking, '; ')}, before the next ${this.#names.written(to)}`;
    const isOver = lacking.length === 0 || this.#report.problem('PV7303', text);
    return isOver ? { ...round, lacking: [] } : undefined;
  }

  /** Whether the line sets it; one that says all that it does changes no other variable. */
  #isItsToSet(to: Name, value: Expr): boolean {
    const known = this.#names.find(to);
    const isItem = this.#placing.isSetByLoops(to.name);
    const isFree = isItem || to.name === sharedName;
    if (!known || isFree || this.#placing.isFor({ is: 'set', name: to.name })) return true;
    if (this.#made.isOther(known, value) === false) return true;
    const { line } = this.#course;
    this.#lines.extra(`line ${line} does not set ${this.#names.written(to)}`);
    return this.#report.isOpen;
  }

  /** Whether a line that says what a variable is set to does not say something else. */
  #isAsDecided({ name }: Name, value: Expr): boolean {
    const { step } = this.#course;
    const wrong = this.#report.isQuiet ? undefined : this.#made.misset(step, name, value);
    if (!wrong || !step) return true;
    const text = `line ${step.number} sets $${name} to ${wrong.want}, got ${wrong.got}`;
    return this.#lines.deviates('PV7316', text);
  }

  /** What stands behind it in the reply was made with that. */
  #setAgain(to: Name, value: Expr | undefined): void {
    const known = this.#names.find(to);
    if (known && value) this.#made.set(known, value);
  }

  /** Undefined where something that it names has no value. */
  #known(value: Term): Expr | undefined {
    try {
      return this.#names.computed(value);
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }

  call(said: SaidCall): void {
    const { directory } = this.#place;
    const callee = directory.find(said.callee);
    if (!callee) {
      const near = directory.near(said.callee);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      this.#report.problem('PV7304', `there is no playbook or tool ${said.callee}${hint}`);
      return;
    }
    const bound = bind(callee, said, (term, name) => this.#argument(term, callee, name));
    if (!bound.ok) {
      this.#report.problem('PV7306', bound.problem);
      return;
    }
    const args = asTaken(callee, bound.args);
    const key = said.key ?? this.#made.keyOf(callee, args);
    const act = this.#made.call(callee, args, key, said.into);
    const line = this.#lines.placed(act, (at) => callMarks(at, callee.name, { args, key }));
    if (line === undefined) {
      // Repeated once is done; a second time in the same reply it would be made anew.
      if (!this.#lines.isRepeating) this.#lines.duties.didBefore(key);
      return;
    }
    const { step } = this.#course;
    // At a line in words a call may be meant twice: each result has a variable of its own then.
    const isOwn = step !== undefined && isOpen(step) && said.into !== undefined;
    const isCalled = this.#lines.duties.didBefore(isOwn ? `${key} into ${said.into?.name}` : key);
    const before = isCalled ? line : this.#made.calledAt(callee, key, act, step);
    // Who has named this line means it; else what was told before may be told again.
    const mayTell = !isCalled && !(this.#report.hasActed && this.#placing.isFor(act));
    if (before !== undefined && mayTell && this.#made.isTold(key)) {
      this.#lines.warnOfRepeated();
      return;
    }
    const isEarly = step && this.#made.isCallOf(step, callee, key) && mayWrite(callee);
    if (isEarly && !this.#lines.mayCallAgain(callee.name)) return;
    if (before !== undefined) {
      const text = `${callee.name} was called with these arguments already, at ${before}`;
      const rounds = this.#course.mayComeAgain ? '; for another round, name its lines' : '';
      this.#report.problem('PV7305', `${text}${ownText(before, step)}${isCalled ? rounds : ''}`);
      return;
    }
    const isIts = (part: DonePart): boolean => part.op === 'call' && part.callee === callee.name;
    const isExtra = !this.#placing.isFor(act);
    const isFree = mayWrite(callee) && (isExtra || this.#isOpen);
    if (isFree && !this.#lines.mayDo((done) => done.some(isIts))) return;
    if (isExtra) this.#callsMore(callee, line);
    else if (step) this.#holdTo(step, callee, args, this.#placing.isDoneOnce(act));
    if (!this.#report.isOpen || !this.#isIntoItsOwn(act.callee, said)) return;
    for (const [name, value] of Object.entries(args)) {
      if (value !== bound.args[name])
        this.#report.warn(`${name} of ${callee.name} was written as a text, and is none`);
    }
    this.#placing.did(act);
    this.#made.note(key, line);
    const isReturned = this.#placing.isReturned;
    const next = this.#didAhead((one) => isQueued(one) && this.#made.isCallOf(one, callee, key));
    const own = said.into && this.#names.setAt(said.into, next ?? step);
    const into = own ? this.#names.write(own) : this.#intoOf(next ?? step, callee.name, isReturned);
    if (isReturned && into) this.#ends.gives(into);
    const part: CallPart = {
      ...{ op: 'call', id: String(++this.#calls), callee: callee.name, kind: callee.kind },
      ...(callee.on !== undefined && { on: callee.on }),
      ...{ args, into: into?.name ?? null, scope: into?.scope ?? null, line },
      key,
    };
    this.#lines.emit(part);
    this.#isToBePlayed ||= callee.kind !== 'tool';
    if (mayWrite(callee) || callee.kind !== 'tool') this.#asked = undefined;
    else this.#asked?.push(callee.name);
    this.#made.called(callee);
    if (into) this.#made.awaits(into, callee);
    if (readsLast(this.#place.playbook)) this.#made.set(this.#names.write(lastName));
  }

  /** What is returned: a value, or what a call gives, as in `RET F($x)`. */
  returns({ value, ...said }: Said & { readonly is: 'return' }): void {
    const isNothing = said.call === undefined && value.is === 'value' && value.value === null;
    const { line } = this.#placing.place({ is: 'return', isNothing });
    const call = said.call ?? this.#callIn(value, line);
    if (!call) {
      const uncalled = this.#uncalledAt(line);
      if (uncalled !== undefined && !this.#report.problem('PV7303', uncalled)) return;
      // It is what it comes to once that has been played.
      if (this.#isToBePlayed) this.#names.expectAll();
      const isIts = this.#course.stepAt(line)?.code === 'RET';
      this.#ends.returns(this.#computed(value, isIts ? line : undefined));
      return;
    }
    this.call(call);
    if (this.#report.isOpen) this.#ends.returns(nothing);
  }

  /** A line that returns what a call gives has made it, in this turn or in the one before. */
  #uncalledAt(line: string): string | undefined {
    const { code, call, isAmbiguous } = this.#course.stepAt(line) ?? {};
    const isIts = code === 'RET' && call !== undefined && !isAmbiguous;
    if (!isIts || this.#course.beganAt(line) || this.#placing.isReturned) return undefined;
    return `line ${line} returns what ${call.callee} gives, and no call was reported`;
  }

  /** The call of the line, where its text is written for what it gives. */
  #callIn(value: Term, line: string): SaidCall | undefined {
    const { code, call } = this.#course.stepAt(line) ?? {};
    const written = code === 'RET' && call ? callIn(writtenText(value) ?? '') : undefined;
    const { find } = this.#place.directory;
    return written && find(written.callee) === find(call?.callee ?? '') ? written : undefined;
  }

  /** An argument. A text that the line has without quotes is a variable, where there is such. */
  #argument(term: Term, callee: Callee, name: string): Expr {
    const same = sameIn(this.#place.directory);
    const { step: here, isNamed } = this.#course;
    // Of lines that call the same, the one that the reply has named says what it means.
    const own = isNamed && here && same(here, idOf(callee)) ? here : undefined;
    const at = { name, index: callee.parameters.findIndex((one) => one.name === name) };
    const isMeant = (step: Step, text: string): boolean =>
      (own ?? step) === step && isArgumentOf(step, text, at) && same(step, idOf(callee));
    const meant = this.#names.readAt(this.#names.meant(term, isMeant), this.#namedStep);
    return this.#asRead(term, this.#names.resolve(meant));
  }

  #computed(value: Term, line?: string): Expr {
    return this.#asRead(value, this.#names.computed(value, line));
  }

  #asRead(written: Term, read: Expr): Expr {
    const isNamed = written.is === 'value' && read.is === 'ref';
    if (isNamed) this.#report.warn(`${read.name} was written as a text, and is a variable`);
    return read;
  }

  /** What may change something is not called beside what a line says that the reply has named. */
  #callsMore(callee: Callee, line: string): void {
    const text = `${callee.name} is not what line ${line} calls`;
    if (mayWrite(callee) && this.#course.isNamed) this.#lines.deviates('PV7303', text);
    else this.#lines.extra(text);
  }

  /** A line that says what to call something with means that, and that it is called once. */
  #holdTo(step: Step, callee: Callee, args: CallPart['args'], isMore: boolean): void {
    if (isMore && step.call && !step.isAmbiguous) {
      const text = `line ${step.number} calls ${callee.name} once, and it was called before`;
      // What is called with the variable that it sets gives something else the second time.
      const isOther = step.call.into !== undefined && step.reads.includes(step.call.into);
      if (mayWrite(callee) || isOther) this.#report.problem('PV7305', text);
      else this.#lines.extra(text);
    }
    if (!this.#report.isOpen) return;
    for (const { name, got, want, isPlain } of this.#made.misgiven(step, callee, args)) {
      const text = `line ${step.number} calls ${callee.name} with ${name} = ${want}, got ${got}`;
      // Words may say what is meant; a number, a name and what a variable is mean themselves.
      if (isPlain) this.#report.problem('PV7306', text);
      else this.#lines.extra(text);
      if (!this.#report.isOpen) return;
    }
  }

  /** Whether the result goes where the line says: it is what the lines behind it read. */
  #isIntoItsOwn(callee: string, { into }: SaidCall): boolean {
    const own = this.#placing.intoOf(callee);
    if (!into || own === undefined || own.replace('$', '') === into.name) return true;
    const text = `line ${this.#course.line} sets ${own}, and the reply sets ${into.name} instead`;
    return this.#report.problem('PV7303', text);
  }

  /** The variable that the line says, where the reply does not. */
  #intoOf(step: Step | undefined, callee: string, isReturned: boolean): Variable | undefined {
    if (isReturned) return this.#names.write(lastName);
    const { call } = step ?? {};
    if (call?.into === undefined) return undefined;
    if (this.#place.directory.find(call.callee)?.name !== callee) return undefined;
    const isState = call.into.startsWith('$');
    return this.#names.write({ name: call.into.replace('$', ''), sign: isState });
  }

  /** Whether a message is what its line has in quotes; in other words it may be meant. */
  #isAsQuoted({ number, say, isAmbiguous }: Step, text: Term, resolved: Expr): boolean {
    if (!say?.isLiteral || isAmbiguous) return true;
    const found = this.#made.misquoted(say, text, resolved);
    if (!found) return true;
    const words = `line ${number} says ${shortly(found.want)}, got ${shortly(found.got)}`;
    if (found.isOther || this.#place.strictness === 'enforce')
      return this.#report.problem('PV7315', words);
    this.#report.warn(`PV7315 ${words}`);
    return true;
  }

  #isQuote(step: Step, act: SayAct): boolean {
    return isQueued(step) && !act.isForOther(step) && act.isQuotedAt(step);
  }

  /**
   * Who does what the next line says at one that leaves open what to do has named its line too
   * late: it is not done once more for that. The line that it was.
   */
  #didAhead(isIts: (next: Step) => boolean): Step | undefined {
    const next = this.#course.behindOpen.find(isIts);
    if (next) this.#lines.duties.didAhead(next.number);
    return next;
  }

  /** Who asks for what is known is told so where everything is; nobody hears it. */
  #asksInVain(line: string): void {
    const names = this.#course.stepAt(line)?.asks ?? [];
    const are = names.length === 1 ? 'is' : 'are';
    const words = `line ${line} asks for ${listed(names)}, which ${are} known: nobody is asked`;
    if (this.#place.strictness === 'enforce') this.#report.problem('PV7329', words);
    else this.#report.warn(`PV7329 ${words}`);
  }

  say({ to, text, ...again }: Said & { readonly is: 'say' }): void {
    const resolved = this.#names.said(this.#names.readAt(text, this.#namedStep));
    const given = addressee(to ?? '', this.#place.directory);
    if (given.is === 'nobody' && !this.#report.problem('PV7312', given.text)) return;
    const key = again.key ?? this.#made.keyOfSaid(resolved);
    const act = this.#made.say(text, resolved, key, to === undefined ? undefined : given);
    const line = this.#lines.placed(act, (at) => sayMarks(at, { text: resolved, key }));
    if (line === undefined) return;
    const { step } = this.#course;
    if (this.#placing.isAnswered(act)) {
      this.#asksInVain(line);
      return;
    }
    const isSaidThere = (one: Step): boolean => this.#isQuote(one, act);
    if (step && isSaidThere(step) && this.#lines.duties.wasDoneAhead(line)) {
      this.#lines.warnOfRepeated();
      this.#placing.did(act, true);
      return;
    }
    // What the next line says is that one's.
    const isFree = step && isOpen(step) && !this.#course.behindOpen.some(isSaidThere);
    if (isFree && !this.#lines.mayDo((done) => done.some(({ op }) => op === 'say'))) return;
    const isAgain = this.#placing.isDoneOnce(act) && this.#lines.duties.didBefore(key);
    const before = isAgain ? line : this.#made.saidAt(key, text, step);
    if (before !== undefined) {
      this.#report.problem('PV7305', `this was said already, at ${before}${ownText(before, step)}`);
      return;
    }
    const isForOther = step !== undefined && act.isForOther(step);
    if (isForOther && !isOpen(step)) this.#lines.extra(`line ${line} does not speak to ${to}`);
    else if (step && !this.#placing.isFor(act)) this.#lines.extra(`line ${line} says nothing`);
    if (!this.#report.isOpen) return;
    if (step && !isForOther && !this.#isAsQuoted(step, text, resolved)) return;
    this.#lines.duties.didBefore(key);
    this.#placing.did(act);
    this.#made.note(key, line);
    this.#didAhead(isSaidThere);
    const { say } = step ?? {};
    const own = to === undefined ? addressee(say?.to ?? '', this.#place.directory) : given;
    const whom = own.is === 'known' && own.to !== undefined ? { to: own.to } : {};
    this.#lines.emit({ op: 'say', text: resolved, line, key, ...whom });
  }
}

/** `$_`, as `written` has it. */
const lastName = { name: '_', sign: false, scope: 'local' } as const;

/** What all who attend a meeting see and set. */
const sharedName = 'shared_state';

/** Whether it is done when it comes, with nothing to follow. */
const isQueued = ({ code }: Step): boolean => code === 'QUE';

/** What a line says at which something was done again that another one says. */
const ownText = (before: string, step: Step | undefined): string =>
  !step || step.number === before ? '' : `; line ${step.number} says: ${step.text}`;
