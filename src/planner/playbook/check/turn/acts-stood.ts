/**
 * What replies before this one have done: each act stands at its line, as it was reported. Nothing
 * of it is held against the lines once more, as variables have other values by now than those that
 * it was done with.
 */
import type { CallPart, Part, SayPart, SetPart, StepPart } from '../../parts.ts';
import { nameOf, termOf } from '../../reply/term.ts';
import { type Act, fits } from '../course/line-acts.ts';
import { addressee } from '../values/addressee.ts';
import { idOf } from '../values/directory.ts';
import type { ActsAt } from './acts-at.ts';
import { inWords } from './said-again.ts';
import type { TurnCalls } from './turn-calls.ts';

export class ActsStood {
  readonly #at: ActsAt;
  readonly #calls: TurnCalls;

  constructor(at: ActsAt, calls: TurnCalls) {
    this.#at = at;
    this.#calls = calls;
  }

  /** Whether it is an act, or a line that it stays at, which stands from now on. */
  takes(part: Part): boolean {
    if (part.op === 'call') this.#call(part);
    else if (part.op === 'say') this.#say(part);
    else if (part.op === 'set') this.#set(part);
    else if (part.op === 'step' && this.#isStill(part)) this.#at.course.still().commit();
    else return false;
    this.#at.lines.emit(part);
    return true;
  }

  /** By what has stood behind it, another round might be taken to begin there. */
  #isStill({ line, isAgain }: StepPart): boolean {
    const { position } = this.#at.course;
    return isAgain === true && line === position.line && position.isDone;
  }

  #call(part: CallPart): void {
    const { place, names, lines, ends } = this.#at;
    const { callee, on, key, line, into, scope } = part;
    this.#comesTo(line);
    const id = idOf({ name: callee, ...(on !== undefined && { on }) });
    this.#did({ is: 'call', callee: id, isMade: true, isOtherAt: () => false }, part);
    const found = place.directory.find(callee);
    lines.duties.didBefore(this.#at.keyOnce(key, into ?? undefined, found));
    const taken = into !== null && scope !== null ? { name: into, scope } : undefined;
    if (taken) names.write(nameOf(taken));
    if (taken && lines.placing.isReturned) ends.gives(taken);
    if (found) this.#calls.called(part, found);
  }

  #say(part: SayPart): void {
    const { place, lines, made } = this.#at;
    const { key, line, text, to } = part;
    this.#comesTo(line);
    if (part.isAgain) lines.duties.isAskedAgain = true;
    const whom = to === undefined ? undefined : addressee(to, place.directory);
    lines.duties.didBefore(key);
    this.#did(made.say(termOf(text), text, key, whom), part);
  }

  #did(act: Act, { key, line, ahead }: CallPart | SayPart): void {
    const { lines, made } = this.#at;
    lines.placing.did(act);
    made.note(key, line);
    if (ahead !== undefined) lines.duties.didAhead(ahead);
  }

  #set(part: SetPart): void {
    const { names, lines, values } = this.#at;
    const { course } = lines;
    const { name, value, line } = part;
    const act = { is: 'set', name } as const;
    const step = course.stepAt(line);
    // What a person has said is noted before the line that goes on behind the question.
    const isIts = !part.isAnswer && step !== undefined && fits(step, act, () => false);
    if (line !== course.line || isIts) this.#comesTo(line);
    lines.placing.did(act);
    if (value.is !== 'value' && course.step?.isAmbiguous === undefined)
      lines.duties.didBefore(`set ${inWords(name, value)}`);
    values.set(names.write(nameOf(part)), value);
  }

  #comesTo(line: string): void {
    const { course } = this.#at.lines;
    const { position } = course;
    const isThere = line === position.line;
    if (isThere && position.isDone) return;
    course.moved(line, isThere ? undefined : course.wayTo(line), false).commit();
  }
}
