/**
 * What variables have as a reply goes on, as far as that is known: what it sets, what it waits for,
 * what lines compute of these. Owns the values at this point of the reply; what stands of it, and
 * whether it was done before, is for others.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import {
  declaredTypes,
  givenType,
  typeOf,
} from '../../../../dialects/playbook/compiled/declared-types.ts';
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import { counted } from '../../../../program/counted.ts';
import type { Variable } from '../../parts.ts';
import { valueTermOf } from '../../reply/line-value.ts';
import type { Expr } from '../../reply/term.ts';
import { nameOf, textTerm } from '../../reply/term.ts';
import type { Unset } from '../course/duties.ts';
import { computedBy } from '../course/line-acts.ts';
import type { Position } from '../course/walk.ts';
import { type Condition, conditionAt } from '../values/conditions.ts';
import { Decided, type Undecided, valueInWords } from '../values/decided.ts';
import { unfit, unquoted } from '../values/declared.ts';
import type { Callee } from '../values/directory.ts';
import { firstRounds, itemIn, itemsOf } from '../values/first-rounds.ts';
import { asText, KnownValues, placeOf } from '../values/known-values.ts';
import { type Names, variableOf } from '../values/names.ts';
import type { DonePart } from './earlier.ts';
import type { TurnPlace } from './turn-place.ts';

export class TurnValues {
  readonly known: KnownValues;
  readonly decided: Decided;
  readonly #place: TurnPlace;
  readonly #names: Names;
  /** What gives the values of variables that this reply has called something for. */
  readonly #awaited = new Map<string, string>();

  constructor(place: TurnPlace, names: Names) {
    this.#place = place;
    this.#names = names;
    this.known = new KnownValues(place.variables);
    this.decided = new Decided(names, this.known);
  }

  /** Behind what was done before: from here on it is this reply that sets variables. */
  begin(): void {
    this.known.begin(this.#place.variables);
    this.decided.begin();
    this.#awaited.clear();
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
      for (const name of step.writes) this.known.set(variableOf(name));
    }
  }

  /** A variable is set; `value` is absent where that is not known yet. */
  set(variable: Variable, value?: Expr): void {
    this.known.set(variable, value);
    this.decided.set(variable);
    this.#awaited.delete(placeOf(variable));
  }

  /** What was called may set variables that nobody knows of before the reply is over. */
  called({ kind, on, sets }: Callee): void {
    if (kind !== 'tool') this.decided.called(on === undefined ? sets : undefined);
  }

  /** A variable takes what was called, which nobody knows before the reply is over. */
  awaits(into: Variable, { name }: Callee): void {
    this.known.set(into);
    this.#awaited.set(placeOf(into), name);
  }

  /** What this reply has called for a variable. */
  giverOf(variable: Variable): string | undefined {
    return this.#awaited.get(placeOf(variable));
  }

  /** Whether a variable has a value, as far as that is known by now, and not nothing. */
  isThere(written: string): boolean {
    const variable = variableOf(written);
    const isAwaited = this.giverOf(variable) !== undefined;
    const known = this.known.known({ is: 'ref', ...variable, path: [] });
    return this.#names.has(written) && !isAwaited && known?.value !== null;
  }

  /** What is to give the value of a variable that is made up instead. */
  madeUp(variable: Variable, value: Expr, step: Step | undefined): string | undefined {
    const isIts = (one: string): boolean => one.replace('$', '') === variable.name;
    const isOwn = step?.code === 'EXE' && step.writes.some(isIts);
    return value.is === 'value' && !isOwn ? this.giverOf(variable) : undefined;
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
    const now = this.known.text({ is: 'ref', ...variable, path: [] });
    const then = this.known.text(value);
    return now === undefined || then === undefined ? undefined : now !== then;
  }

  /** What a line sets its variable to; undefined where it is no such line, or has that already. */
  unset(step: Step): Unset | undefined {
    const [written] = step.writes;
    const term = computedBy(step);
    if (written === undefined || !term) return undefined;
    const variable = variableOf(written);
    const now: Expr = { is: 'ref', ...variable, path: [] };
    if (this.decided.isAlready(term, now)) return undefined;
    const other = this.#other(step, now, typeOf(declaredTypes(this.#place.playbook), written));
    return { want: other?.want ?? step.value ?? '', isSure: other !== undefined };
  }

  /** Whether the condition of a line holds, where that can be computed. */
  condition(step: Step): Condition | undefined {
    return conditionAt(step, this.decided);
  }

  /** That a loop has rounds to do where it is come to from outside; undefined where it may not. */
  firstRounds(head: string): Condition | undefined {
    const rounds = this.#names.rounds.get(head);
    const count = rounds && firstRounds(head, rounds, this.decided);
    const kind = rounds?.item === undefined ? 'round' : 'item';
    return count ? { holds: true, as: `it has ${counted(count, kind)}` } : undefined;
  }

  /** How many rounds a counted loop has that begins now, where it has any, and what they are of. */
  roundsAt(head: string): { count: number; itemIn: (at: number) => unknown } | undefined {
    const rounds = this.#names.rounds.get(head);
    const count = rounds && firstRounds(head, rounds, this.decided);
    return count ? { count, itemIn: (at) => itemIn(rounds.items, at, this.decided) } : undefined;
  }

  /**
   * Whether a line in words makes something of the item of its rounds that is no item. Of a list
   * that is not known here the loop knows the items: it says whether that is the next one.
   */
  isReworded(item: string, value: Expr, line: string): boolean {
    const rounds = [...this.#names.rounds.values()].find(
      (one) => one.item?.replace('$', '') === item && one.words.includes(line),
    );
    const text = this.known.text(value);
    if (!rounds || text === undefined) return false;
    if (rounds.items.kind === 'numbers') return !/^-?\d+$/.test(text);
    const items = itemsOf(rounds.items, this.decided);
    return items === undefined || items.every((one) => asText(one) !== text);
  }

  /** What a line itself returns; undefined where that is for a model to say, or still to come. */
  returned(step: Step | undefined): Expr | undefined {
    if (step?.code !== 'RET' || step.isAmbiguous || step.call) return undefined;
    const term = valueTermOf(step);
    if (!term || step.reads.some((name) => this.giverOf(variableOf(name)))) return undefined;
    return this.decided.plain(term);
  }

  /** What a line returns, where a reply returns something else; `given` has what its call gives. */
  misreturned(step: Step | undefined, value: Expr, given?: Variable): Undecided | undefined {
    if (step?.code !== 'RET' || step.isAmbiguous) return undefined;
    if (step.call && given && !isResult(value, given)) {
      const got = this.wordsOf(value) ?? 'something else';
      return { want: `what ${step.call.callee} gives`, got };
    }
    const term = valueTermOf(step);
    const giver = term && step.reads.map((name) => this.giverOf(variableOf(name))).find(Boolean);
    const made = giver === undefined ? undefined : this.known.known(value);
    const got = made?.value === null ? 'null' : 'what is made up';
    if (made) return { want: `what ${giver} gives`, got };
    const isAround = giver !== undefined && term?.is === 'ref' && /^(?:dict|list)$/.test(value.is);
    if (isAround) return { want: `what ${giver} gives`, got: `a ${value.is} around it` };
    return this.#other(step, value, givenType(this.#place.playbook));
  }

  /** A value that is not of the type that is wanted has to be put otherwise. */
  #other(step: Step | undefined, value: Expr, type: string | undefined): Undecided | undefined {
    const term = step && valueTermOf(step);
    const wanted = term && this.decided.of(term);
    const isUnfit = wanted && unfit(unquoted(wanted, type), type) !== undefined;
    return term && !isUnfit ? this.decided.otherwise(term, value) : undefined;
  }

  /** As a line would have it; undefined where that is not known. */
  wordsOf(value: Expr): string | undefined {
    const known = this.known.known(value);
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

  /** What a variable has as it is written; undefined for none. */
  held(written: string): string | Expr | undefined {
    const term = textTerm(`$${written.replace(/^\$/, '')}`);
    if (term.is !== 'ref') return undefined;
    const found = this.#names.find({ ...term.to, sign: written.startsWith('$') });
    const value: Expr | undefined = found && { is: 'ref', ...found, path: term.path };
    return value && (this.known.text(value) ?? value);
  }
}

/** Whether a value is what a call has given, that a variable has, and `$_`. */
const isResult = (value: Expr, { name }: Variable): boolean =>
  value.is === 'ref' && value.path.length === 0 && [name, '_'].includes(value.name);
