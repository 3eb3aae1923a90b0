/**
 * What a reply says, and to whom. Each message is taken to its line and held against what that has
 * in quotes; what stands is reported.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { meetingOf } from '../../../../dialects/playbook/source/meeting.ts';
import { type Said, shortly } from '../../reply/said.ts';
import type { Expr, Term } from '../../reply/term.ts';
import { isOpen, type SayAct } from '../course/line-acts.ts';
import { type Addressee, addressee } from '../values/addressee.ts';
import { type ActsAt, isQueued, placeText } from './acts-at.ts';
import { listed } from './listed.ts';
import { sayMarks } from './said-again.ts';

export class TurnSays {
  readonly #at: ActsAt;

  constructor(at: ActsAt) {
    this.#at = at;
  }

  /** What cannot stand has moved nothing: the turn is where it was. */
  say(said: Said & { readonly is: 'say' }): void {
    const takeBack = this.#at.course.saved();
    const { directory, playbook } = this.#at.place;
    const isMeeting = directory.agents.length > 0 || meetingOf(playbook) !== undefined;
    const whom = addressee(said.to ?? '', directory, isMeeting);
    this.#say(said, whom);
    if (this.#at.report.isStopped) takeBack();
    else if (whom.is === 'nobody' && whom.isForUser) this.#saidToUser(whom.text);
  }

  /** Whom it is for may be known only behind its words, which the user has heard by then. */
  #saidToUser(text: string): void {
    const told = `${text}, who has heard it`;
    if (this.#at.place.strictness === 'enforce') this.#at.report.problem('PV7312', told);
    else this.#at.report.warn(`PV7312 ${told}`);
  }

  #say({ to, text }: Said & { readonly is: 'say' }, given: Addressee): void {
    const resolved = this.#at.names.said(this.#at.names.readAt(text, this.#at.namedStep));
    const [, holder] = /^\$(\p{XIDC}+)/u.exec((given.is === 'known' && given.to) || '') ?? [];
    // Whoever has set off a playbook is its sender, also where it takes no argument of that name.
    if (holder !== undefined && holder !== 'sender')
      this.#at.names.read({ name: holder, sign: true });
    const isLost = given.is === 'nobody' && !given.isForUser;
    if (isLost && !this.#at.report.problem('PV7312', given.text)) return;
    const key = this.#at.made.keyOfSaid(resolved);
    const act = this.#at.made.say(text, resolved, key, to === undefined ? undefined : given);
    const line = this.#at.lines.placed(act, (at) => sayMarks(at, { text: resolved, key }));
    if (line === undefined) return;
    const { step } = this.#at.course;
    if (this.#at.placing.isAnswered(act)) {
      this.#asksInVain(line);
      return;
    }
    const isSaidThere = (one: Step): boolean => this.#isQuote(one, act);
    if (step && isSaidThere(step) && this.#at.lines.duties.wasDoneAhead(line)) {
      this.#at.lines.warnOfRepeated();
      this.#at.placing.did(act, true);
      return;
    }
    // What the next line says is that one's.
    const isFree = step && isOpen(step) && !this.#at.course.behindOpen.some(isSaidThere);
    if (isFree && !this.#at.lines.mayDo((done) => done.some(({ op }) => op === 'say'))) return;
    const isAgain = this.#at.placing.isDoneOnce(act) && this.#at.lines.duties.didBefore(key);
    const before = isAgain ? line : this.#at.made.saidAt(key, text, step);
    if (before !== undefined) {
      this.#at.report.problem('PV7305', `this was said already${placeText(before, step)}`);
      return;
    }
    const isForOther = step !== undefined && act.isForOther(step);
    if (isForOther && !isOpen(step)) this.#at.lines.extra(`line ${line} does not speak to ${to}`);
    else if (step && !this.#at.placing.isFor(act))
      this.#at.lines.extra(`line ${line} says nothing`);
    if (!this.#at.report.isOpen) return;
    if (step && !isForOther && !this.#isAsQuoted(step, text, resolved)) return;
    this.#at.lines.duties.didBefore(key);
    this.#at.placing.did(act);
    this.#at.made.note(key, line);
    const next = this.#at.didAhead(isSaidThere);
    const { say } = step ?? {};
    const own = to === undefined ? addressee(say?.to ?? '', this.#at.place.directory) : given;
    const whom = own.is === 'known' && own.to !== undefined ? { to: own.to } : {};
    const ahead = next && { ahead: next.number };
    const heard = this.#at.heard.halfOf(resolved, line);
    const half = heard !== undefined && { half: heard };
    this.#at.lines.emit({ op: 'say', text: resolved, line, key, ...half, ...ahead, ...whom });
  }

  /** Whether a message is what its line has in quotes; in other words it may be meant. */
  #isAsQuoted({ number, say, isAmbiguous }: Step, text: Term, resolved: Expr): boolean {
    if (!say?.isLiteral || isAmbiguous) return true;
    const found = this.#at.made.misquoted(say, text, resolved);
    if (!found) return true;
    const words = `line ${number} says ${shortly(found.want)}, got ${shortly(found.got)}`;
    if (found.isOther || this.#at.place.strictness === 'enforce')
      return this.#at.report.problem('PV7315', words);
    this.#at.report.warn(`PV7315 ${words}`);
    return true;
  }

  #isQuote(step: Step, act: SayAct): boolean {
    return isQueued(step) && !act.isForOther(step) && act.isQuotedAt(step);
  }

  /** Who asks for what is known is told so where everything is; nobody hears it. */
  #asksInVain(line: string): void {
    const names = this.#at.course.stepAt(line)?.asks ?? [];
    const are = names.length === 1 ? 'is' : 'are';
    const words = `line ${line} asks for ${listed(names)}, which ${are} known: nobody is asked`;
    if (this.#at.place.strictness === 'enforce') this.#at.report.problem('PV7329', words);
    else this.#at.report.warn(`PV7329 ${words}`);
  }
}
