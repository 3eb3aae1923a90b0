/**
 * Holds what a reply says against its playbook, and reports what stands as parts: each complete,
 * at its line, with every name resolved. Owns what of the turn has stood so far.
 *
 * - T1 What was reported stands: nothing takes it back, and a repeated reply does not act again.
 * - T2 Behind a problem nothing is reported but the end, unless the strictness is `advise`.
 * - T3 Behind a yield or a return nothing is taken: the model had no results there.
 */
import { nearest } from '../../program/diagnostic.ts';
import { answerOf } from '../../program/model-text.ts';
import { addressee } from './addressee.ts';
import { bind, keyOf } from './arguments.ts';
import { type Act, Course, type Move } from './course.ts';
import { sameIn } from './directory.ts';
import { Earlier } from './earlier.ts';
import { Names, NoValue } from './names.ts';
import type { CallPart, EndDetails, EndPart, Part, Variable } from './parts.ts';
import { type Said, type SaidCall, shortly } from './said.ts';
import { inWords, saidAgain } from './said-again.ts';
import type { Expr } from './term.ts';
import type { TurnPlace } from './turn-place.ts';
import { waiting } from './waiting.ts';
import { theEnd } from './walk.ts';

export class TurnCheck {
  readonly #place: TurnPlace;
  readonly #names: Names;
  readonly #course: Course;
  #earlier: Earlier;
  #isRepeating = false;
  #calls = 0;
  #acts = 0;
  #state: 'open' | 'over' | 'stopped' = 'open';
  #isUnexpected = false;
  #hasRest = false;
  #isQuiet = false;
  /** Whether it has asked for values, and done nothing since. */
  #isShowing = false;
  /** Whether anything was done since it has named a line. */
  #hasActedHere = false;
  #goOn: string | undefined;

  constructor(place: TurnPlace) {
    const { playbook, variables, directory, line, done } = place;
    this.#place = place;
    this.#names = new Names(playbook, variables);
    const first = done.find((part) => 'line' in part && playbook.lines.has(part.line));
    const from = first && 'line' in first ? first.line : line;
    this.#course = new Course(playbook, from, this.#names, sameIn(directory), done);
    this.#earlier = new Earlier([], playbook.lines);
    this.#goBehind(done);
    this.#earlier = new Earlier(done, playbook.lines);
    this.#calls = done.filter(({ op }) => op === 'call').length;
  }

  /** Whether nothing more is taken. */
  get isOver(): boolean {
    return this.#state !== 'open';
  }

  /** Whether a Say that comes now is said at once: at its line, and nothing is called before it. */
  get maySay(): boolean {
    const isFirst = this.#calls === 0 && this.#place.done.length === 0 && !this.#isRepeating;
    return isFirst && this.#state === 'open' && this.#course.isDue({ is: 'say' });
  }

  /** Whether it ended with a problem. */
  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  get hasActed(): boolean {
    return this.#acts > 0;
  }

  /** The text has ended where it should not. */
  breakOff(why: string): void {
    if (this.#state === 'open') this.#problem('PV7308', why);
    if (this.#state === 'open') this.#state = 'stopped';
  }

  /** The line to go on with. */
  get line(): string {
    return this.#course.goOn();
  }

  /** Goes behind what has stood of a reply before this one. */
  #goBehind(done: readonly Part[]): void {
    const ends = ['problem', 'yield', 'return', 'end'];
    this.#isQuiet = true;
    for (const part of done) {
      const said = ends.includes(part.op) ? undefined : saidAgain(part);
      if (said) this.take(said);
    }
    this.#isQuiet = false;
    this.#state = 'open';
    this.#acts = 0;
    this.#isShowing = false;
    this.#isUnexpected = false;
  }

  /** Takes what an earlier attempt at this turn has reported, which is reported again. */
  restore(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.op === 'end') return;
      const said = saidAgain(part);
      this.#isQuiet = true;
      if (said) this.take(said);
      this.#isQuiet = false;
      if (part.op === 'problem' && this.#place.strictness !== 'advise') this.#state = 'stopped';
      this.#emit(part);
    }
  }

  take(said: Said): void {
    if (this.#state === 'over') this.#rest(said);
    if (this.#state !== 'open') return;
    try {
      this.#read(said);
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      this.#problem('PV7307', error.message);
    }
  }

  /** The reply is over; `text` is what of it was read. */
  end(text: string, more: (said: string) => EndDetails): EndPart {
    if (this.#state === 'open') this.#implied(text);
    const line = this.#goOn ?? this.#course.goOn();
    const isWhole = this.#state === 'over';
    const part: EndPart = { op: 'end', line, said: text, isWhole, ...more(text) };
    this.#place.emit(part);
    return part;
  }

  #rest(said: Said): void {
    if (this.#hasRest || ['mended', 'think', 'note', 'cut'].includes(said.is)) return;
    this.#hasRest = true;
    this.#place.warn('it went on behind the end of its turn: that was left out');
  }

  #read(said: Said): void {
    switch (said.is) {
      case 'step':
        this.#step(said.line, said.playbook);
        break;
      case 'set':
        this.#set(said);
        break;
      case 'call':
        this.#call(said);
        break;
      case 'say':
        this.#say(said);
        break;
      case 'yield':
        this.#yield(said);
        break;
      case 'return':
        this.#return(this.#names.computed(said.value));
        break;
      case 'show':
        this.#emit({ op: 'show', names: said.names.map((name) => this.#names.read(name)) });
        break;
      case 'think':
      case 'note':
        this.#tell({ op: said.is, text: said.text });
        break;
      case 'unexpected':
        this.#isUnexpected = true;
        this.#emit({ op: 'unexpected', text: said.text });
        break;
      case 'mended':
        this.#place.warn(said.text);
        break;
      case 'wrong':
        this.#problem('PV7310', said.text);
        break;
      case 'cut':
        this.#problem('PV7308', `the reply ends in the middle of ${shortly(said.text)}`);
        break;
    }
  }

  #emit(part: Part): void {
    this.#acts++;
    this.#isShowing = part.op === 'show';
    if (part.op !== 'show') this.#hasActedHere = part.op !== 'step';
    this.#earlier.did(part);
    this.#tell(part);
  }

  #tell(part: Part): void {
    if (!this.#isQuiet) this.#place.emit(part);
  }

  #warn(message: string): void {
    if (!this.#isQuiet) this.#place.warn(message);
  }

  #step(line: string, playbook: string | undefined): void {
    const { name, id, written, lines } = this.#place.playbook;
    if (lines.size === 0) return;
    const [, agent = ''] = /^(.*)\.[^.]*$/.exec(id) ?? [];
    const isOurs = (one: string): boolean => one.toLowerCase() === playbook?.toLowerCase();
    if (playbook !== undefined && ![name, id, written, agent].some(isOurs)) {
      this.#problem('PV7302', `got line ${line} of ${playbook}, want a line of ${name}`);
      return;
    }
    if (!lines.has(line)) {
      const near = nearest(line, lines.keys());
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      const all = [...lines.keys()].join(', ');
      this.#problem('PV7302', `${name} has no line ${line}, its lines are ${all}${hint}`);
      return;
    }
    const before = this.#course.line;
    const mayRepeat = this.#earlier.hasLine(line) && this.#isBefore(line);
    this.#isRepeating = mayRepeat;
    if (mayRepeat) return;
    const move = this.#course.enter(line);
    if (!move) {
      this.#problem('PV7309', `line ${line} does not come after line ${before}`);
      return;
    }
    if (!this.#accept(move)) return;
    if (line !== before) this.#earlier.enter(line);
    this.#emit({ op: 'step', line });
  }

  /** Whether a line was done by an earlier reply, and does not come now: it is told again. */
  #isBefore(line: string): boolean {
    if (line === this.#course.line) return this.#course.isOver && !this.#isUnturned(line);
    return !this.#course.mayEnter(line);
  }

  /** Whether a loop was come to, and its item has still to be set. */
  #isUnturned(line: string): boolean {
    return this.#course.stepAt(line)?.code === 'LOP' && !this.#course.isTurned;
  }

  /** What a move leaves out is a problem, or let pass. */
  #accept({ line, lacking, unreported, commit }: Move): boolean {
    const { strictness } = this.#place;
    const isLenient = this.#isUnexpected && strictness !== 'enforce';
    const before = line === theEnd ? 'the end' : `line ${line}`;
    if (lacking.length > 0) {
      const text = `${lacking.join('; ')}, before ${before}`;
      if (isLenient) this.#warn(`${text}; it was said to be unexpected`);
      else if (!this.#problem('PV7303', text)) return false;
    }
    if (unreported.length > 0) {
      const text = `line ${unreported.join(', ')} was passed without a report, before ${before}`;
      if (strictness !== 'enforce') this.#warn(text);
      else if (!this.#problem('PV7303', text)) return false;
    }
    commit();
    return true;
  }

  /** Takes an act to its line. Undefined where it cannot stand, or has stood before. */
  #placed(act: Act, mark: (line: string) => string): string | undefined {
    if (this.#isRepeating) {
      const line = this.#earlier.takes(mark(''));
      if (line) this.#warn('it repeated what it had done, which was left out');
      else this.#problem('PV7305', 'got something new at a line that is over');
      return undefined;
    }
    const known = this.#course.line;
    if (this.#earlier.takesHere(mark(known))) {
      this.#warn('it repeated what it had done, which was left out');
      this.#course.place(act).commit();
      this.#course.did(act);
      return undefined;
    }
    const move = this.#course.place(act);
    return this.#accept(move) ? move.line : undefined;
  }

  #set({ to, value }: Said & { readonly is: 'set' }): void {
    if (this.#isRepeating) return;
    const at = this.#course.line;
    const move = this.#course.place({ is: 'set', name: to.name });
    const { line } = move;
    const resolved = this.#names.computed(value, line);
    const words = ` set ${inWords(to.name, resolved)}`;
    // What is computed of variables comes to something else the second time.
    const isDone = resolved.is !== 'value' && this.#earlier.takesHere(`${at}${words}`);
    // Before it has named a line, what a variable was set to before is told again.
    const isTold = this.#acts === 0 && this.#earlier.isSetTo(to.name, resolved);
    if (isDone || (isTold && this.#earlier.takes(words))) {
      this.#warn('it repeated what it had done, which was left out');
      return;
    }
    if (!this.#accept(move)) return;
    this.#course.did({ is: 'set', name: to.name });
    const variable = this.#names.write(to);
    this.#emit({ op: 'set', ...variable, value: resolved, line });
  }

  #call(said: SaidCall): void {
    const { directory } = this.#place;
    const callee = directory.find(said.callee);
    if (!callee) {
      const near = directory.near(said.callee);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      this.#problem('PV7304', `there is no playbook or tool ${said.callee}${hint}`);
      return;
    }
    const bound = bind(callee, said, this.#names);
    if (!bound.ok) {
      this.#problem('PV7306', bound.problem);
      return;
    }
    const key = keyOf(callee.on ? `${callee.on} ${callee.name}` : callee.name, bound.args);
    const act = { is: 'call', callee: callee.name } as const;
    const line = this.#placed(act, (at) => `${at} call ${key}`);
    if (line === undefined) {
      // Repeated once is done; a second time in the same reply it would be made anew.
      if (!this.#isRepeating) this.#course.calledBefore(key);
      return;
    }
    if (this.#course.calledBefore(key)) {
      this.#problem('PV7305', `${callee.name} was called with these arguments already, at ${line}`);
      return;
    }
    if (!this.#course.isFor(act)) this.#extra(`${callee.name} is not what line ${line} calls`);
    if (this.#state !== 'open') return;
    this.#course.did(act);
    const into = said.into ? this.#names.write(said.into) : this.#intoOf(callee.name);
    const part: CallPart = {
      ...{ op: 'call', id: String(++this.#calls), callee: callee.name, kind: callee.kind },
      ...(callee.on !== undefined && { on: callee.on }),
      ...{ args: bound.args, into: into?.name ?? null, scope: into?.scope ?? null, line, key },
    };
    this.#emit(part);
  }

  /** The variable that the line says, where the reply does not. */
  #intoOf(callee: string): Variable | undefined {
    const { call } = this.#course.step ?? {};
    if (call?.into === undefined) return undefined;
    if (this.#place.directory.find(call.callee)?.name !== callee) return undefined;
    const isState = call.into.startsWith('$');
    return this.#names.write({ name: call.into.replace('$', ''), sign: isState });
  }

  #say({ to, text }: Said & { readonly is: 'say' }): void {
    const resolved = this.#names.resolve(text);
    const given = addressee(to ?? '', this.#place.directory);
    if (given.is === 'nobody') {
      if (given.isAlone) this.#warn(`${given.text}: it was said to the user`);
      else if (!this.#problem('PV7312', given.text)) return;
    }
    const act = { is: 'say' } as const;
    const line = this.#placed(act, (at) => `${at} say ${inWords('', resolved)}`);
    if (line === undefined) return;
    this.#course.did(act);
    const { say } = this.#course.step ?? {};
    const own = to === undefined ? addressee(say?.to ?? '', this.#place.directory) : given;
    const whom = own.is === 'known' && own.to !== undefined ? { to: own.to } : {};
    this.#emit({ op: 'say', text: resolved, line, ...whom });
  }

  #yield({ for: said, whom = '' }: Said & { readonly is: 'yield' }): void {
    const reason = said ?? (this.#course.hasQueued ? 'call' : 'user');
    if (this.#isShowing && reason === 'call' && !this.#course.hasQueued) {
      this.#comesBack();
      return;
    }
    if (reason === 'return') {
      this.#return({ is: 'value', value: null });
      return;
    }
    this.#isRepeating = false;
    const act = { is: 'yield', for: reason } as const;
    const hasActed = this.#course.hasQueued || this.#course.hasSaid;
    const move = this.#course.place(act);
    if (!this.#accept(move)) return;
    const { line } = move;
    const { step, lacking } = this.#course;
    const isOff = !this.#course.isFor(act);
    if (isOff) {
      if (reason === 'exit') {
        this.#exit(line);
        return;
      }
      // There is nothing to wait for; behind something else, the line is done in the next turn.
      if (lacking !== undefined && !hasActed && !this.#problem('PV7303', lacking)) return;
      const text = `line ${line} does not wait for ${reason}`;
      // Results of what is queued may be waited for anywhere: that leaves nothing out.
      if (reason === 'call' && this.#course.hasQueued) this.#warn(text);
      else this.#extra(text);
      if (this.#state !== 'open') return;
    }
    const asks = [...(step?.asks ?? this.#course.asked)];
    const named = whom || (step?.whom ?? '');
    const wait = waiting({ op: 'yield', for: reason, line, asks, whom: named });
    if (typeof wait !== 'string') this.#emit(wait);
    else if (!this.#problem('PV7310', wait)) return;
    this.#state = 'over';
    this.#goOn = reason === 'exit' ? theEnd : this.#course.goOn({ isYield: true, isOff });
  }

  /** Ends the turn for values that it has asked for: with them, it goes on where it is. */
  #comesBack(): void {
    this.#state = 'over';
    this.#goOn = this.#hasActedHere ? this.#course.goOn() : this.#course.line;
  }

  /** Ends the program where no line says so: nothing may be left to do. */
  #exit(line: string): void {
    if (!this.#accept(this.#course.left())) return;
    this.#emit({ op: 'yield', for: 'exit', line, asks: [], whom: '' });
    this.#state = 'over';
    this.#goOn = theEnd;
  }

  #return(value: Expr): void {
    this.#isRepeating = false;
    const act = { is: 'return' } as const;
    const move = this.#course.place(act);
    if (!this.#accept(move)) return;
    if (this.#course.step?.code !== 'RET' && !this.#accept(this.#course.left())) return;
    this.#emit({ op: 'return', value, line: move.line });
    this.#state = 'over';
    this.#goOn = theEnd;
  }

  /** Something that the line does not say: let pass, unless nothing is. */
  #extra(text: string): void {
    if (this.#place.strictness === 'enforce') this.#problem('PV7303', text);
    else this.#warn(text);
  }

  /** How a reply that does not say so has ended. */
  #implied(text: string): void {
    const { strictness, playbook } = this.#place;
    if (this.#isShowing && !this.#course.hasQueued) {
      this.#comesBack();
      return;
    }
    if (playbook.lines.size === 0) {
      this.#impliedFreely(text);
      return;
    }
    if (this.#acts === 0) {
      const got = text.trim() === '' ? 'nothing' : shortly(text.trim());
      this.#problem('PV7301', `got ${got}, want one JSON object a line, such as {"step": "01"}`);
      return;
    }
    const left = this.#course.left();
    if (left.lacking.length === 0) {
      this.#return({ is: 'value', value: null });
      return;
    }
    const reason = this.#course.hasQueued ? 'call' : this.#course.hasSaid ? 'user' : undefined;
    const [next] = this.#course.next();
    const waits = next === undefined ? undefined : this.#course.stepAt(next)?.waits;
    if (
      reason !== undefined &&
      strictness !== 'enforce' &&
      (reason === 'call' || waits === 'user')
    ) {
      this.#warn(`the reply ended without a yield: it was taken to yield for ${reason}`);
      this.#yield({ is: 'yield', for: reason });
      return;
    }
    this.#problem('PV7308', `the reply ends although ${left.lacking.join('; ')}`);
  }

  /** Without lines there is nothing to hold a reply to: words alone are what it comes to. */
  #impliedFreely(text: string): void {
    const words = this.#acts === 0 ? answerOf(text) : '';
    if (this.#course.hasQueued) {
      this.#warn('the reply ended without a yield: it was taken to yield for call');
      this.#yield({ is: 'yield', for: 'call' });
    } else if (this.#acts === 0 && words === '') {
      this.#problem('PV7301', 'got nothing, want one JSON object a line, such as {"think": "…"}');
    } else {
      const said: Expr = { is: 'value', value: words };
      if (words !== '') this.#emit({ op: 'say', text: said, line: this.#course.line });
      this.#return(words === '' ? { is: 'value', value: null } : said);
    }
  }

  /** Whether the turn goes on behind it. */
  #problem(code: string, text: string): boolean {
    const { strictness } = this.#place;
    this.#tell({ op: 'problem', code, text, line: this.#course.line });
    if (strictness === 'advise') return true;
    this.#state = 'stopped';
    return false;
  }
}
