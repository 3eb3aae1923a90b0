/**
 * Holds what a reply says against its playbook, and reports what stands as parts: each complete,
 * at its line, with every name resolved. Owns what of the turn has stood so far.
 *
 * - T1 What was reported stands: nothing takes it back, and a repeated reply does not act again.
 * - T2 Behind a problem nothing is reported but the end, unless the strictness is `advise`.
 * - T3 Behind a yield or a return nothing is taken: the model had no results there.
 */
import type { EndPart, Part, Variable } from '../../parts.ts';
import { type Said, shortly } from '../../reply/said.ts';
import { refsIn } from '../../reply/term.ts';
import type { Course } from '../course/course.ts';
import { linesAhead } from '../course/walk.ts';
import { Names, NoValue } from '../values/names.ts';
import { ActsAlone } from './acts-alone.ts';
import { ActsAt } from './acts-at.ts';
import { ActsMade } from './acts-made.ts';
import { ActsStood } from './acts-stood.ts';
import { Heard, isHalf } from './heard.ts';
import { lineToSay } from './may-say.ts';
import { saidAgain } from './said-again.ts';
import { TurnCalls } from './turn-calls.ts';
import { TurnEnds } from './turn-ends.ts';
import { TurnLines } from './turn-lines.ts';
import type { TurnPlace } from './turn-place.ts';
import { TurnReport } from './turn-report.ts';
import { TurnSays } from './turn-says.ts';
import { TurnSets } from './turn-sets.ts';
import { TurnValues } from './turn-values.ts';

/** Lines of questions whose variables have values. */
export interface Answered {
  readonly sure: readonly string[];
  readonly perhaps: readonly string[];
}

interface Ended {
  readonly beside?: string;
  readonly used?: EndPart['used'];
}

export class TurnCheck {
  readonly #place: TurnPlace;
  readonly #names: Names;
  readonly #report: TurnReport;
  readonly #lines: TurnLines;
  readonly #made: ActsMade;
  readonly #values: TurnValues;
  readonly #ends: TurnEnds;
  readonly #calls: TurnCalls;
  readonly #says: TurnSays;
  readonly #sets: TurnSets;
  readonly #stood: ActsStood;
  readonly #at: ActsAt;
  readonly #alone = new ActsAlone();
  #hasRest = false;
  /** How often the line that it is at was reported, with nothing done in between. */
  #still = 0;
  /** What it told as it seemed again, which may be another round. */
  #unsure: readonly Said[] = [];
  /** Takes back what variables were taken to be since. */
  #forget = (): void => {};

  constructor(whole: TurnPlace) {
    const { playbook, variables } = whole;
    const heard = new Heard(playbook, whole.done);
    const acted = whole.done.filter((one) => !isHalf(one));
    const given = { ...whole, done: acted, halves: heard.halves };
    this.#names = new Names(playbook, variables, given.unset);
    this.#values = new TurnValues(given, this.#names);
    this.#made = new ActsMade(given, this.#names, this.#values);
    const emit = (part: Part): void => {
      for (const one of heard.with(part)) given.emit(this.#made.asWritten(one));
    };
    const place = { ...given, emit, directory: this.#made.directory };
    this.#place = place;
    this.#report = new TurnReport(place, () => this.#course.line);
    this.#lines = new TurnLines(place, this.#names, this.#report, this.#values);
    const shared = { names: this.#names, report: this.#report, lines: this.#lines };
    const held = { place, values: this.#values, ...shared };
    this.#ends = new TurnEnds(held);
    const at = new ActsAt({ ...held, made: this.#made, ends: this.#ends, heard });
    this.#at = at;
    this.#calls = new TurnCalls(at);
    this.#says = new TurnSays(at);
    this.#sets = new TurnSets(at);
    this.#stood = new ActsStood(at, this.#calls);
    const { done } = this.#made;
    this.#goBehind(done);
    this.#still = 0;
    this.#values.begin();
    this.#lines.remember(done);
  }

  get #course(): Course {
    return this.#lines.course;
  }

  /** Whether nothing more is taken. */
  get isOver(): boolean {
    return !this.#report.isOpen;
  }

  /** Tools that were called before what comes now. */
  get asked(): readonly string[] {
    return this.#calls.asked ?? [];
  }

  /**
   * Whether a Say that comes now is said: at its line, which may be named with it, and once what
   * was `asked` has come.
   */
  maySay(named?: Said & { readonly is: 'step' }): boolean {
    const before = { calls: this.#calls, sets: this.#sets, alone: this.#alone };
    const line = lineToSay(this.#at, before, named);
    if (line !== undefined) this.#at.heard.begins(line);
    return line !== undefined;
  }

  /** More of that comes: gives what is heard of it by now, which is to stand. */
  hears(more: string): string {
    return this.#at.heard.hears(more);
  }

  /** Whether it ended with a problem. */
  get isStopped(): boolean {
    return this.#report.isStopped;
  }

  /** Whether something has stood, or was heard. */
  get hasActed(): boolean {
    return this.#report.hasActed || this.#at.heard.isOpen;
  }

  /** What this turn leaves out of its conversation is in a local variable behind it. */
  keeps(name: string, text: string): void {
    this.#names.keep(name, text);
  }

  /** The text has ended where it should not. */
  breakOff(why: string): void {
    if (this.#report.isOpen) this.#lines.breaksOff(why);
    if (this.#report.isOpen) this.#report.stop();
  }

  /** The attempt was cut short: its process ended, or it hung. No model is to blame. */
  interrupt(): void {
    if (!this.#report.isOpen) return;
    const text = 'the reply broke off: its attempt was cut short';
    this.#report.problem('PV7308', text, { isFromOutside: true });
    this.#report.stop();
  }

  /** The line to go on with. */
  get line(): string {
    return this.#course.goOn();
  }

  /** One of which some is done, and perhaps not all. */
  get begun(): string | undefined {
    return this.#course.begun;
  }

  /** Questions ahead that are answered, and those where that is the model's to say. */
  get answered(): Answered {
    const { known = [], playbook } = this.#place;
    const { lines } = playbook;
    const { knownAnswers } = this.#lines;
    const isSure = (line: string): boolean => knownAnswers.has(line);
    const start = { line: this.line, isDone: false };
    const ahead = linesAhead(
      lines,
      start,
      () => 'free',
      () => false,
    );
    const mayBe = [...ahead].filter((line) => {
      const step = lines.get(line)?.step;
      return step && knownAnswers.mayLeave(step);
    });
    const there = known.filter((line) => lines.has(line));
    return {
      sure: there.filter(isSure),
      perhaps: [...there.filter((line) => !isSure(line)), ...mayBe].toSorted(),
    };
  }

  /** Goes behind what has stood of a reply before this one. */
  #goBehind(done: readonly Part[]): void {
    const ends = ['problem', 'yield', 'return', 'end'];
    for (const part of done) if (!ends.includes(part.op)) this.#takeAgain(part);
    this.#report.reopen();
  }

  #takeAgain(part: Part): void {
    this.#report.quietly(() => {
      const isTaken = this.#stood.takes(part);
      if (isTaken) this.#unsure = [];
      const said = isTaken ? undefined : saidAgain(part);
      if (said) this.take(said);
    });
  }

  /** Takes what an earlier attempt at this turn has reported: it stands as it is. */
  restore(parts: readonly Part[]): void {
    // What it told again of replies before it is not among them.
    this.#lines.remember([]);
    for (const part of parts) {
      if (isHalf(part)) continue;
      this.#takeAgain(part);
      const isLenient = this.#place.strictness === 'advise';
      if (part.op === 'problem' && (part.isFromOutside || !isLenient)) this.#report.stop();
    }
  }

  /** `beside`: what stands before it that says nothing. */
  take(written: Said, beside?: string): void {
    if (beside !== undefined) this.#ends.hears(beside);
    const { perhaps } = written;
    if (perhaps !== undefined && !this.#place.directory.find(perhaps)) return;
    for (const one of this.#alone.take(this.#asCalled(written))) this.#taken(one);
  }

  #taken(said: Said): void {
    if (this.#report.isWhole) this.#rest(said);
    if (!this.#report.isOpen) return;
    try {
      this.#read(said);
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      this.#report.problem('PV7307', error.message);
    }
  }

  /** The reply is over; `text` is what of it was read, `beside` what of that says nothing. */
  end(text: string, { beside = '', used }: Ended = {}): EndPart {
    for (const one of this.#alone.end()) this.#taken(one);
    this.#ends.hears(beside);
    if (this.#report.isOpen) this.#sets.settle();
    if (this.#report.isOpen) this.#ends.implied(text);
    const line = this.#ends.goOn ?? this.#course.goOn();
    const isWhole = this.#report.isWhole;
    const left = isWhole || this.begun === line ? undefined : this.begun;
    const begun = left === undefined ? {} : { begun: left };
    const part: EndPart = { op: 'end', line, ...begun, said: text, isWhole, ...(used && { used }) };
    this.#place.emit(part);
    return part;
  }

  #rest(said: Said): void {
    if (this.#hasRest || ['mended', 'think', 'note', 'cut'].includes(said.is)) return;
    // Logs of old end so, behind what is returned.
    if (said.is === 'yield' && said.for === 'return') return;
    this.#hasRest = true;
    this.#report.warn('it went on behind the end of its turn: that was left out');
  }

  /**
   * A form of old, or a method, that a playbook or function of the program has the name of is a
   * call of it; else it is what was written, or computed.
   */
  #asCalled(said: Said): Said {
    const { find } = this.#place.directory;
    if (said.as && find(said.as.callee)) return said.as;
    const call = said.is === 'return' ? said.call : said.is === 'call' ? said : undefined;
    const isValue =
      call?.or &&
      refsIn(call.or)
        .slice(0, 1)
        .every(({ to }) => this.#names.find(to));
    if (!call?.or || !isValue || find(call.callee)) return said;
    if (said.is === 'return') return { is: 'return', value: call.or };
    if (call.into) return { is: 'set', to: call.into, value: call.or };
    return { is: 'mended', text: `what ${call.callee}(…) comes to goes nowhere` };
  }

  /** Where what seemed to be told again is another round, all of that is taken as such. */
  #read(said: Said): void {
    if (this.#unsure.length === 0 && this.#place.done.length > 0)
      this.#forget = this.#values.known.saved();
    this.#act(said);
    const since = [...this.#unsure, said];
    const [first] = since;
    this.#unsure = this.#lines.isUnsure ? since : [];
    if (first?.is !== 'step' || !this.#lines.goesOn(first.line)) return;
    this.#unsure = [];
    this.#forget();
    for (const one of since) if (this.#report.isOpen) this.#act(one);
  }

  #act(said: Said): void {
    if (!/^(?:set|think|note|mended|cut)$/.test(said.is)) this.#sets.settle();
    if (!this.#report.isOpen) return;
    switch (said.is) {
      case 'step':
        this.#step(said);
        break;
      case 'set':
        this.#sets.set(said);
        break;
      case 'call':
        this.#calls.call(said);
        break;
      case 'say':
        this.#says.say(said);
        break;
      case 'yield':
        this.#ends.yields(said);
        break;
      case 'return':
        this.#calls.returns(said);
        break;
      case 'show':
        this.#show(said);
        break;
      case 'think':
      case 'note':
        this.#report.tell({ op: said.is, text: said.text });
        break;
      case 'unexpected':
        this.#lines.emit({ op: 'unexpected', text: said.text });
        break;
      case 'mended':
        this.#report.warn(said.text);
        break;
      case 'wrong':
        this.#report.problem('PV7310', said.text);
        break;
      case 'cut':
        this.#lines.breaksOff(`the reply ends in the middle of ${shortly(said.text)}`);
        break;
    }
  }

  #step({ line, playbook }: Said & { readonly is: 'step' }): void {
    const isStill = line === this.#course.line && !this.#report.hasActedHere;
    this.#still = isStill ? this.#still + 1 : 0;
    if (this.#still > stillMost) {
      const text = `line ${line} was reported ${stillMost} times, and nothing was done there`;
      this.#report.problem('PV7305', text);
      return;
    }
    if (!this.#lines.enter(line, playbook)) return;
    this.#lines.emit({ op: 'step', line });
  }

  #show({ names, from }: Said & { readonly is: 'show' }): void {
    const read = names.map(
      (one): Variable =>
        this.#names.isKept(one) ? { name: one.name, scope: 'local' } : this.#names.read(one),
    );
    this.#lines.emit({ op: 'show', names: read, ...(from !== undefined && { from }) });
  }
}

/** More reports of a line at which nothing is done are no rounds of a loop. */
const stillMost = 100;
