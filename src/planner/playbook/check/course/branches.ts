/**
 * Which way conditions send a turn, where that can be computed. Owns what the condition of the line
 * that the turn is at was when it came there: what is done in its branch may change that.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { Edge, LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';
import { elseCondition } from '../../../../dialects/playbook/text/words.ts';
import type { Condition } from '../values/conditions.ts';
import type { Way } from './walk.ts';

/** Of a step, as things are now; undefined where only a model can say. */
export type ConditionOf = (step: Step) => Condition | undefined;

/** That a loop which is come to from outside has rounds to do. */
export type FirstRounds = (head: string) => Condition | undefined;

export class Branches {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #conditionOf: ConditionOf;
  readonly #firstRounds: FirstRounds;
  #line: string | undefined;
  #seen: Condition | undefined;

  constructor(
    lines: ReadonlyMap<string, LinkedLine>,
    conditionOf: ConditionOf,
    firstRounds: FirstRounds,
  ) {
    this.#lines = lines;
    this.#conditionOf = conditionOf;
    this.#firstRounds = firstRounds;
  }

  comesTo(line: string): void {
    this.#line = line;
    this.#seen = this.#now(line);
  }

  /**
   * Whether a condition says that an edge is not the one. Of what the lines before it (`by`) may
   * change, which are passed without a word, nothing is known.
   */
  readonly isAgainst = (line: string, { kind }: Edge, by: readonly string[]): boolean => {
    const isInto = kind === 'true' || kind === 'loop';
    if (!isInto && kind !== 'false' && kind !== 'exit') return false;
    const reads = this.#lines.get(line)?.step.reads ?? [];
    const changed = by.flatMap((one) => this.#lines.get(one)?.step.writes ?? []);
    if (reads.some((name) => changed.includes(name))) return false;
    const holds = (this.#condition(line) ?? this.#rounds(line, by))?.holds;
    return holds !== undefined && holds !== isInto;
  };

  /** Which round a loop is in that it was in before, this turn does not know. */
  #rounds(head: string, by: readonly string[]): Condition | undefined {
    const isOutside = (line: string): boolean => !isWithin(line, head);
    const from = this.#line;
    const isNew = from !== undefined && from !== head && [from, ...by].every(isOutside);
    return isNew ? this.#firstRounds(head) : undefined;
  }

  /** What the conditions that a way goes against say, and of which values. */
  inWords(way: Way | undefined): readonly string[] {
    return (way?.against ?? []).map((line) => this.#said(line));
  }

  /** The same of the condition that a line is due by; empty where none can be computed. */
  dueBy(line: string): string {
    const head = [...this.#lines.keys()].findLast((one) => this.#decides(one, line));
    return head === undefined ? '' : this.#said(head);
  }

  /** The condition that only a model can judge, into whose branch a way leads. */
  unknownInto(from: string, to: string): Step | undefined {
    const [, found] =
      [...this.#lines].findLast(
        ([head, { step }]) =>
          (step.code === 'CND' || step.code === 'ELS') &&
          isWithin(to, head) &&
          !isWithin(from, head) &&
          this.#isUnknown(head, step),
      ) ?? [];
    return found?.step;
  }

  #isUnknown(head: string, { code, text }: Step): boolean {
    if (this.#condition(head)) return false;
    if (code === 'CND' || elseCondition.test(text)) return true;
    const block = [...this.#lines].filter(([one]) => blockOf(one) === blockOf(head));
    const [before, of] = block[block.findIndex(([one]) => one === head) - 1] ?? [];
    return before !== undefined && of !== undefined && this.#isUnknown(before, of.step);
  }

  /** Whether a line is under a condition, or under what is done where that does not hold. */
  #decides(head: string, line: string): boolean {
    const branch = line.split('.').slice(0, head.split('.').length).join('.');
    if (branch === line || blockOf(branch) !== blockOf(head) || !this.#condition(head))
      return false;
    const order = [...this.#lines.keys()].filter((one) => blockOf(one) === blockOf(head));
    const [from, to] = [order.indexOf(head), order.indexOf(branch)];
    const between = order.slice(from + 1, to + 1);
    return from <= to && between.every((one) => this.#lines.get(one)?.step.code === 'ELS');
  }

  #said(line: string): string {
    const text = this.#lines.get(line)?.step.text;
    const { as } = this.#condition(line) ?? this.#firstRounds(line) ?? {};
    return `line ${line} says ${text}, and ${as}`;
  }

  #condition(line: string): Condition | undefined {
    return line === this.#line ? this.#seen : this.#now(line);
  }

  #now(line: string): Condition | undefined {
    const { step } = this.#lines.get(line) ?? {};
    return step && this.#conditionOf(step);
  }
}

const blockOf = (line: string): string => line.slice(0, Math.max(0, line.lastIndexOf('.')));
