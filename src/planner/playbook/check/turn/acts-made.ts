/**
 * What replies to a playbook have called and said, and at which lines: what they do again, they do
 * for none. Owns what this turn does; what those before it have done is given.
 */
import type { SaidText, Step, StepCall } from '../../../../dialects/playbook/compiled/compiled.ts';
import type { CallPart, MadeAct, Part, SayPart } from '../../parts.ts';
import type { Expr, Name, Term } from '../../reply/term.ts';
import { textTerm, writtenText } from '../../reply/term.ts';
import { asksIn, type CallAct, isOpen, type SayAct } from '../course/line-acts.ts';
import { type Addressee, addressee } from '../values/addressee.ts';
import { asTaken } from '../values/arguments.ts';
import { valueInWords } from '../values/decided.ts';
import { type Callee, type Directory, idOf, mayWrite, sameIn } from '../values/directory.ts';
import { KnownValues } from '../values/known-values.ts';
import {
  argumentsIn,
  leftOut,
  type Otherwise,
  otherwise,
  otherwiseKnown,
} from '../values/line-call.ts';
import { type Names, NoValue } from '../values/names.ts';
import { isOtherThan, isQuote, plainWords } from '../values/quoted.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnValues } from './turn-values.ts';

export interface Misquoted {
  readonly want: string;
  readonly got: string;
  /** Whether it says something else, rather than the same in other words. */
  readonly isOther: boolean;
}

export class ActsMade {
  readonly #place: TurnPlace;
  readonly #names: Names;
  /** Lines by keys: of replies before this one, and of this one. */
  readonly #before = new Map<string, string>();
  readonly #now = new Map<string, string>();
  /** Keys of replies before this one, by what they are with what is known by now. */
  readonly #written = new Map<string, string>();
  /** What has stood of a reply that this one goes on behind, with what is known by now. */
  readonly done: readonly Part[];
  readonly #values: TurnValues;
  /** Finds what variables name by what they have at this point of the reply. */
  readonly directory: Directory;

  constructor(place: TurnPlace, names: Names, values: TurnValues) {
    const { directory } = place;
    const find = (name: string) => directory.find(name, (written) => values.held(written));
    this.directory = { ...directory, find };
    this.#place = place;
    this.#names = names;
    this.#values = values;
    for (const [line, acts] of Object.entries(place.acts ?? {})) {
      for (const one of acts) this.#before.set(this.#again(one), line);
    }
    this.done = place.done.map((part) =>
      part.op === 'call' || part.op === 'say' ? { ...part, key: this.#again(part) } : part,
    );
  }

  #again(act: MadeAct | CallPart | SayPart): string {
    const { key, with: values } = typeof act === 'string' ? { key: act } : act;
    const again = this.#values.known.again(key, values);
    this.#written.set(again, key);
    return again;
  }

  /** With the key that the replies before this one have, where one of them has done the same. */
  asWritten(part: Part): Part {
    if (part.op !== 'call' && part.op !== 'say') return part;
    return { ...part, key: this.#written.get(part.key) ?? part.key };
  }

  keyOf(callee: Callee, args: Args): string {
    const { name, on } = callee;
    const whose: Expr | undefined = typeof on === 'string' ? { is: 'value', value: on } : on;
    return this.#values.known.key(name, whose ? { ...args, '': whose } : args);
  }

  /** Equal for texts that are. */
  keyOfSaid(text: Expr): string {
    return keyOfSaid(text, this.#values.known);
  }

  note(key: string, line: string): void {
    this.#now.set(key, line);
  }

  call(callee: Callee, args: Args, key: string, into: Name | undefined): CallAct {
    return {
      ...{ is: 'call', callee: idOf(callee), isMade: this.#madeAt(key) !== undefined },
      isOtherAt: (step) =>
        isInto(step, into) === false || this.otherwise(step, callee, args).length > 0,
    };
  }

  /** Who says the same once more has no other line in mind, unless that has it in quotes. */
  say(text: Term, resolved: Expr, key: string, whom: Addressee | undefined): SayAct {
    const isMade = this.#now.has(key);
    const isOtherAt = ({ say }: Step): boolean => (say?.isLiteral ? !isIn(say, text) : isMade);
    const isForOther = ({ say }: Step): boolean =>
      whom !== undefined &&
      say !== undefined &&
      this.#isOther(whom, addressee(say.to, this.#place.directory));
    const quotedAt = this.#quotedAt(key);
    const isQuotedAt = (step: Step): boolean => this.#isQuoted(step, resolved);
    const told = { isMade, isOtherAt, isQuotedAt, quotedAt, isForOther };
    return { is: 'say', ...told, isQuestion: asksIn(text) };
  }

  /**
   * Whether two are not the same and one of them is an agent: people are called by many words. Who
   * was spoken to by an agent has that one for its user.
   */
  #isOther(one: Addressee, other: Addressee): boolean {
    if (one.is === 'nobody' || other.is === 'nobody') return false;
    const { directory, partner } = this.#place;
    const names = [one.to, other.to].map((to) => (to === partner ? undefined : to));
    const isAgent = (to = ''): boolean =>
      directory.agents.some(({ name }) => name === to) || directory.made.includes(to);
    const isFree = names.some((to) => to !== undefined && /^(?:\$|meeting\b)/i.test(to));
    return names[0] !== names[1] && !isFree && names.some(isAgent);
  }

  /** How a message is not what its line has in quotes; undefined where it is. */
  misquoted({ text: quoted }: SaidText, said: Term, resolved: Expr): Misquoted | undefined {
    const filled = this.#filledIn(quoted);
    const wanted = this.#values.known.words(filled && this.#values.decided.filled(filled));
    const known = this.#values.known.words(this.#values.decided.filled(resolved));
    const got = known ?? writtenText(said) ?? '';
    const isSame =
      wanted === undefined || known === undefined
        ? isIn({ text: quoted }, said)
        : plainWords(wanted) === plainWords(known);
    if (isSame) return undefined;
    const others = [...this.#place.playbook.lines.values()].filter(({ step }) => step.say);
    const isOfLine = others.some(({ step }) => this.#isQuoted(step, resolved));
    const isOther = wanted !== undefined && (got === '' || isOtherThan(quoted, wanted, got));
    return { want: wanted ?? quoted, got, isOther: isOther || isOfLine };
  }

  /** Whether a message is just what a line has in quotes, as far as that is known. */
  #isQuoted({ say, isAmbiguous }: Step, resolved: Expr): boolean {
    const quoted = say?.isLiteral && !isAmbiguous ? this.#filledIn(say.text) : undefined;
    if (!quoted) return false;
    const both = [quoted, resolved].map((one) =>
      this.#values.known.words(this.#values.decided.filled(one)),
    );
    const [wanted, got] = both.map((words) => words && plainWords(words));
    const isSame = wanted !== undefined && wanted !== '' && wanted === got;
    return isSame || this.keyOfSaid(quoted) === this.keyOfSaid(resolved);
  }

  /** Undefined where something has no value. */
  #filledIn(quoted: string): Expr | undefined {
    try {
      return this.#names.said(textTerm(quoted));
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }

  /** What of the arguments is other than a line has it. */
  otherwise({ call }: Step, callee: Callee, args: Args): readonly Otherwise[] {
    if (!call) return [];
    const known = { names: this.#names, decided: this.#values.decided };
    return [...otherwise(call, callee, args, known.names), ...leftOut(call, callee, args, known)];
  }

  /** The same of a call that is made at its line: variables are known there. */
  misgiven(step: Step, callee: Callee, args: Args): readonly Otherwise[] {
    if (!step.call) return [];
    const known = otherwiseKnown(step.call, callee, args, this.#values.decided);
    const made = this.#madeFor(step.call, callee, args);
    return [...made, ...known, ...this.otherwise(step, callee, args)];
  }

  /** What is passed on in place of what a call of this reply is to give. */
  #madeFor(call: StepCall, callee: Callee, args: Args): readonly Otherwise[] {
    return [...(argumentsIn(call, callee) ?? [])].flatMap(([name, term]) => {
      const given = args[name];
      const made = given && this.#values.known.known(given);
      const variable = term.is === 'ref' ? this.#names.find(term.to) : undefined;
      const giver = variable && this.#values.giverOf(variable);
      if (!made || giver === undefined) return [];
      return [{ name, got: valueInWords(made.value), want: `what ${giver} gives`, isPlain: true }];
    });
  }

  /** Whether a line calls just that: all of what it is written with is the same. */
  isCallOf({ call }: Step, callee: Callee, key: string): boolean {
    const found = call && this.directory.find(call.callee);
    if (!found || idOf(found) !== idOf(callee)) return false;
    try {
      const written = argumentsIn(call, callee);
      const args = [...(written ?? [])].map(([name, one]) => [name, this.#names.resolve(one)]);
      const taken = asTaken(callee, Object.fromEntries(args));
      return written !== undefined && this.keyOf(callee, taken) === key;
    } catch (error) {
      if (error instanceof NoValue) return false;
      throw error;
    }
  }

  /** Whether a reply before this one has made the same call. */
  wasMade(key: string): boolean {
    return this.#before.has(key);
  }

  /** Whether a reply that this one goes on behind has called the same: it may tell of it again. */
  isTold(key: string): boolean {
    return this.done.some((part) => part.op === 'call' && part.key === key);
  }

  /**
   * The line that has called the same, where this one does not say it. To read something once more
   * changes nothing, and where a line leaves open what to do, that may be meant.
   */
  calledAt(callee: Callee, key: string, act: CallAct, step: Step | undefined): string | undefined {
    const before = this.#madeAt(key);
    if (before === undefined || !step || isOpen(step)) return undefined;
    const isOwn = sameIn(this.directory)(step, act.callee);
    return (isOwn ? act.isOtherAt(step) : mayWrite(callee)) ? before : undefined;
  }

  /**
   * The line that has said the same, where this one says something else, or nothing. A question may
   * be put again in a later reply, what stands in quotes has been said.
   */
  saidAt(key: string, text: Term, step: Step | undefined): string | undefined {
    if (!step || isOpen(step) || (step.say && (!step.say.isLiteral || isIn(step.say, text))))
      return undefined;
    return this.#now.get(key) ?? this.#quotedAt(key);
  }

  #quotedAt(key: string): string | undefined {
    const before = this.#before.get(key);
    const { lines } = this.#place.playbook;
    const isQuoted = before !== undefined && lines.get(before)?.step.say?.isLiteral === true;
    return isQuoted ? before : undefined;
  }

  #madeAt(key: string): string | undefined {
    return this.#now.get(key) ?? this.#before.get(key);
  }
}

/** Equal for texts that are. */
export const keyOfSaid = (text: Expr, values: KnownValues = new KnownValues([])): string =>
  values.key('Say', { text });

type Args = Readonly<Record<string, Expr>>;

/** Whether the result goes where the line says; undefined where one of them does not say. */
const isInto = ({ call }: Step, into: Name | undefined): boolean | undefined =>
  call?.into === undefined || !into ? undefined : call.into.replace('$', '') === into.name;

/** Whether it may be what stands in quotes. */
const isIn = ({ text }: Pick<SaidText, 'text'>, said: Term): boolean =>
  isQuote(text, writtenText(said) ?? '');
