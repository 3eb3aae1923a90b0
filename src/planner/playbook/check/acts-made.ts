/**
 * What replies to a playbook have called and said, and at which lines: what they do again, they do
 * for none. Owns what this turn does; what those before it have done is given.
 */

import type { SaidText, Step, StepCall } from '../../../dialects/playbook/compiled/compiled.ts';
import {
  declaredTypes,
  givenType,
  typeOf,
} from '../../../dialects/playbook/compiled/declared-types.ts';
import { isWithin } from '../../../dialects/playbook/compiled/graph.ts';
import { counted } from '../../../program/counted.ts';
import type { Part, Variable } from '../parts.ts';
import type { Expr, Name, Term } from '../reply/term.ts';
import { nameOf, textTerm, writtenText } from '../reply/term.ts';
import { type Addressee, addressee } from './addressee.ts';
import { asTaken } from './arguments.ts';
import { type Condition, conditionAt } from './conditions.ts';
import { Decided, type Undecided, valueInWords } from './decided.ts';
import { unfit, unquoted } from './declared.ts';
import { type Callee, type Directory, idOf, mayWrite, sameIn } from './directory.ts';
import type { Unset } from './duties.ts';
import type { DonePart } from './earlier.ts';
import { firstRounds, itemsOf } from './first-rounds.ts';
import { asText, KnownValues, placeOf } from './known-values.ts';
import { asksIn, type CallAct, computedBy, isOpen, type SayAct, valueTermOf } from './line-acts.ts';
import { argumentsIn, leftOut, type Otherwise, otherwise, otherwiseKnown } from './line-call.ts';
import { type Names, NoValue, variableOf } from './names.ts';
import { isOtherThan, isQuote, plainWords } from './quoted.ts';
import type { TurnPlace } from './turn-place.ts';
import type { Position } from './walk.ts';

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
  readonly #values: KnownValues;
  readonly #decided: Decided;
  /** Finds what variables name by what they have at this point of the reply. */
  readonly directory: Directory;
  /** What gives the values of variables that this reply has called something for. */
  readonly #awaited = new Map<string, string>();

  constructor(place: TurnPlace, names: Names) {
    const { directory } = place;
    const find = (name: string) => directory.find(name, (written) => this.#held(written));
    this.directory = { ...directory, find };
    this.#place = place;
    this.#names = names;
    this.#values = new KnownValues(place.variables);
    this.#decided = new Decided(names, this.#values);
    for (const [line, keys] of Object.entries(place.acts ?? {})) {
      for (const key of keys) this.#before.set(this.#again(key), line);
    }
    this.done = place.done.map((part) =>
      part.op === 'call' || part.op === 'say' ? { ...part, key: this.#again(part.key) } : part,
    );
  }

  #again(key: string): string {
    const again = this.#values.again(key);
    this.#written.set(again, key);
    return again;
  }

  /** With the key that the replies before this one have, where one of them has done the same. */
  asWritten(part: Part): Part {
    if (part.op !== 'call' && part.op !== 'say') return part;
    return { ...part, key: this.#written.get(part.key) ?? part.key };
  }

  /** Behind what was done before: from here on it is this reply that sets variables. */
  begin(): void {
    this.#values.begin(this.#place.variables);
    this.#decided.begin();
    this.#awaited.clear();
  }

  /** Gives what takes back what variables are taken to be from now on. */
  saved(): () => void {
    return this.#values.saved();
  }

  /**
   * The reply comes to a line. Whose loops begin there or go round, also where it does not say so,
   * has their items set, by the reply or by the machine: until then they are not known.
   */
  comes(line: string, { line: from, isDone }: Position): void {
    const order = [...this.#place.playbook.lines.keys()];
    const isBack = order.indexOf(line) < order.indexOf(from) || (line === from && isDone);
    for (const [head, { step }] of this.#place.playbook.lines) {
      if (step.code !== 'LOP' || (line !== head && !isWithin(line, head))) continue;
      const isNew = !isWithin(from, head) && !(from === head && isDone);
      if (line !== head && !isBack && !isNew) continue;
      for (const name of step.writes) this.#values.set(variableOf(name));
    }
  }

  /** A variable is set; `value` is absent where that is not known yet. */
  set(variable: Variable, value?: Expr): void {
    this.#values.set(variable, value);
    this.#decided.set(variable);
    this.#awaited.delete(placeOf(variable));
  }

  /** What was called may set variables that nobody knows of before the reply is over. */
  called({ kind, on, sets }: Callee): void {
    if (kind !== 'tool') this.#decided.called(on === undefined ? sets : undefined);
  }

  /** A variable takes what was called, which nobody knows before the reply is over. */
  awaits(into: Variable, { name }: Callee): void {
    this.#values.set(into);
    this.#awaited.set(placeOf(into), name);
  }

  /** What this reply has called for a variable. */
  #giverOf(variable: Variable): string | undefined {
    return this.#awaited.get(placeOf(variable));
  }

  /** Whether a variable has a value, as far as that is known by now, and not nothing. */
  isThere(written: string): boolean {
    const variable = variableOf(written);
    const isAwaited = this.#giverOf(variable) !== undefined;
    const known = this.#values.known({ is: 'ref', ...variable, path: [] });
    return this.#names.has(written) && !isAwaited && known?.value !== null;
  }

  /** What is to give the value of a variable that is made up instead. */
  madeUp(variable: Variable, value: Expr, step: Step | undefined): string | undefined {
    const isIts = (one: string): boolean => one.replace('$', '') === variable.name;
    const isOwn = step?.code === 'EXE' && step.writes.some(isIts);
    return value.is === 'value' && !isOwn ? this.#giverOf(variable) : undefined;
  }

  /** What a line sets a variable to, where a reply sets it to something else. */
  misset(step: Step | undefined, name: string, value: Expr): Undecided | undefined {
    const isIts = step?.code === 'EXE' && step.isAmbiguous === undefined;
    const [only, more] = isIts ? step.writes : [];
    if (more !== undefined || only?.replace('$', '') !== name) return undefined;
    return this.#other(step, value, typeOf(declaredTypes(this.#place.playbook), only));
  }

  /** Whether a variable has another value; undefined where that is not known. */
  isOther(variable: Variable, value: Expr): boolean | undefined {
    const now = this.#values.text({ is: 'ref', ...variable, path: [] });
    const then = this.#values.text(value);
    return now === undefined || then === undefined ? undefined : now !== then;
  }

  /** What a line sets its variable to; undefined where it is no such line, or has that already. */
  unset(step: Step): Unset | undefined {
    const [written] = step.writes;
    const term = computedBy(step);
    if (written === undefined || !term) return undefined;
    const variable = variableOf(written);
    const now: Expr = { is: 'ref', ...variable, path: [] };
    if (this.#decided.isAlready(term, now)) return undefined;
    const other = this.#other(step, now, typeOf(declaredTypes(this.#place.playbook), written));
    return { want: other?.want ?? step.value ?? '', isSure: other !== undefined };
  }

  /** Whether the condition of a line holds, where that can be computed. */
  condition(step: Step): Condition | undefined {
    return conditionAt(step, this.#decided);
  }

  /** That a loop has rounds to do where it is come to from outside; undefined where it may not. */
  firstRounds(head: string): Condition | undefined {
    const rounds = this.#names.rounds.get(head);
    const count = rounds && firstRounds(head, rounds, this.#decided);
    const kind = rounds?.item === undefined ? 'round' : 'item';
    return count ? { holds: true, as: `it has ${counted(count, kind)}` } : undefined;
  }

  /** Whether a line in words makes something of the item of its rounds that is no item. */
  isReworded(item: string, value: Expr, line: string): boolean {
    const rounds = [...this.#names.rounds.values()].find(
      (one) => one.item?.replace('$', '') === item && one.words.includes(line),
    );
    const items = rounds && itemsOf(rounds.items, this.#decided);
    const text = this.#values.text(value);
    return text !== undefined && items?.every((one) => asText(one) !== text) === true;
  }

  /** What a line itself returns; undefined where that is for a model to say, or still to come. */
  returned(step: Step | undefined): Expr | undefined {
    if (step?.code !== 'RET' || step.isAmbiguous || step.call) return undefined;
    const term = valueTermOf(step);
    if (!term || step.reads.some((name) => this.#giverOf(variableOf(name)))) return undefined;
    return this.#decided.plain(term);
  }

  /** What a line returns, where a reply returns something else; `given` has what its call gives. */
  misreturned(step: Step | undefined, value: Expr, given?: Variable): Undecided | undefined {
    if (step?.code !== 'RET' || step.isAmbiguous) return undefined;
    if (step.call && given && !isResult(value, given)) {
      const got = this.wordsOf(value) ?? 'something else';
      return { want: `what ${step.call.callee} gives`, got };
    }
    const term = valueTermOf(step);
    const giver = term && step.reads.map((name) => this.#giverOf(variableOf(name))).find(Boolean);
    const made = giver === undefined ? undefined : this.#values.known(value);
    const got = made?.value === null ? 'null' : 'what is made up';
    if (made) return { want: `what ${giver} gives`, got };
    return this.#other(step, value, givenType(this.#place.playbook));
  }

  /** A value that is not of the type that is wanted has to be put otherwise. */
  #other(step: Step | undefined, value: Expr, type: string | undefined): Undecided | undefined {
    const term = step && valueTermOf(step);
    const wanted = term && this.#decided.of(term);
    const isUnfit = wanted && unfit(unquoted(wanted, type), type) !== undefined;
    return term && !isUnfit ? this.#decided.otherwise(term, value) : undefined;
  }

  /** Undefined where that is not known. */
  textOf(value: Expr): string | undefined {
    return this.#values.text(value);
  }

  /** As a line would have it; undefined where that is not known. */
  wordsOf(value: Expr): string | undefined {
    const known = this.#values.known(value);
    return known && valueInWords(known.value);
  }

  /** What was done, in words; what is not known of it is left open. */
  inWords(part: DonePart): string {
    const brief = (value: Expr): string => this.wordsOf(value) ?? '…';
    if (part.op === 'say') return `said ${brief(part.text)}`;
    if (part.op === 'set')
      return `set ${this.#names.written(nameOf(part))} to ${brief(part.value)}`;
    const args = Object.entries(part.args).map(([name, value]) => `${name} = ${brief(value)}`);
    return `called ${part.callee}(${args.join(', ')})`;
  }

  keyOf(callee: Callee, args: Args): string {
    const { name, on } = callee;
    const whose: Expr | undefined = typeof on === 'string' ? { is: 'value', value: on } : on;
    return this.#values.key(name, whose ? { ...args, '': whose } : args);
  }

  /** Equal for texts that are. */
  keyOfSaid(text: Expr): string {
    return keyOfSaid(text, this.#values);
  }

  #held(written: string): string | Expr | undefined {
    const term = textTerm(`$${written.replace(/^\$/, '')}`);
    if (term.is !== 'ref') return undefined;
    const found = this.#names.find({ ...term.to, sign: written.startsWith('$') });
    const value: Expr | undefined = found && { is: 'ref', ...found, path: term.path };
    return value && (this.#values.text(value) ?? value);
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
    const wanted = this.#values.words(filled && this.#decided.filled(filled));
    const known = this.#values.words(this.#decided.filled(resolved));
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
    const both = [quoted, resolved].map((one) => this.#values.words(this.#decided.filled(one)));
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
    const known = { names: this.#names, decided: this.#decided };
    return [...otherwise(call, callee, args, known.names), ...leftOut(call, callee, args, known)];
  }

  /** The same of a call that is made at its line: variables are known there. */
  misgiven(step: Step, callee: Callee, args: Args): readonly Otherwise[] {
    if (!step.call) return [];
    const known = otherwiseKnown(step.call, callee, args, this.#decided);
    const made = this.#madeFor(step.call, callee, args);
    return [...made, ...known, ...this.otherwise(step, callee, args)];
  }

  /** What is passed on in place of what a call of this reply is to give. */
  #madeFor(call: StepCall, callee: Callee, args: Args): readonly Otherwise[] {
    return [...(argumentsIn(call, callee) ?? [])].flatMap(([name, term]) => {
      const given = args[name];
      const made = given && this.#values.known(given);
      const variable = term.is === 'ref' ? this.#names.find(term.to) : undefined;
      const giver = variable && this.#giverOf(variable);
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

/** Whether a value is what a call has given, that a variable has, and `$_`. */
const isResult = (value: Expr, { name }: Variable): boolean =>
  value.is === 'ref' && value.path.length === 0 && [name, '_'].includes(value.name);

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
