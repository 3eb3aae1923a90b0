/**
 * A debugger over a run's journal. What it owns: where it stands, breakpoints, watches. Nothing is
 * performed and nothing is written: it goes to and fro in what has happened.
 */

import type { Journal } from '../../engine/journal/journal.ts';
import { positionAt } from '../../engine/past/checkpoint.ts';
import type { Moment, WalkParts } from '../../engine/past/walk.ts';
import { shownOf } from '../../engine/result.ts';
import { Moments } from '../../engine/views/moments.ts';
import { preview } from '../../engine/views/preview.ts';
import { diffStates } from '../../engine/views/state-diff.ts';
import { type StateView, stateView } from '../../engine/views/state-view.ts';
import { type StateAt, stateAt } from '../../engine/views/time.ts';
import type { Emit } from '../../machine/machine.ts';
import { encode, stringify } from '../../program/json.ts';
import { load } from '../program.ts';
import { print, type Style, say } from '../view/output.ts';
import {
  allFrameLines,
  diffLines,
  pendingLines,
  sourceLines,
  variableLines,
  whereLines,
} from '../view/state-text.ts';
import { clip, columns, oneLine } from '../view/text.ts';
import { type Breakpoint, parseBreakpoint, type Standing, Trigger, textOf } from './breakpoints.ts';
import { type Action, type CommandRow, rowOf, rows } from './commands.ts';
import { Expression, scopeOf } from './expression.ts';

export interface DebuggerOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly parts: WalkParts;
  readonly style: Style;
}

/** What a person typed cannot be done; the message says why. */
class Refused extends Error {}

const shownColumns = 100;
/** Lines that are gone through one by one to find where something has changed. */
const narrowMost = 10_000;
/** Moments in one go, between looks at whether it is to stop. */
const batch = 500;

export class Debugger {
  readonly #options: DebuggerOptions;
  readonly #moments: Moments;
  #breakpoints: Breakpoint[] = [];
  #watches: Expression[] = [];
  #isInterrupted = false;
  /** Released since it was shown last. */
  #emits: Emit[] = [];

  constructor(options: DebuggerOptions) {
    this.#options = options;
    this.#moments = new Moments(options.parts);
  }

  /** Names that can be completed. */
  get names(): string[] {
    return [...scopeOf(this.#moments.walk.machine.inspect()).keys()];
  }

  /** Ends a `continue` that goes on for long. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Does what a line says; gives whether that was possible. */
  async obey(line: string): Promise<boolean> {
    const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
    try {
      const row = rowOf.get(word);
      if (!row) throw new Refused(`there is no command ${oneLine(word)}; help lists them`);
      await this.#do(row, rest);
      return true;
    } catch (error) {
      if (!(error instanceof Refused) && !hasCode(error)) throw error;
      say(this.#options.style.error(error.message));
      return false;
    }
  }

  /** Goes to a place, as `go` does. */
  go(place: string): void {
    const position = this.#placeOf(place);
    this.#goTo(position);
    this.show();
  }

  /** Where it stands, what was released on the way, and the watches. */
  show(): void {
    const { style } = this.#options;
    for (const { channel, value } of this.#emits) {
      const text = typeof value === 'string' ? value : stringify(shownOf(encode(value)));
      print(style.dim(clip(oneLine(`${channel}: ${text}`), shownColumns)));
    }
    this.#emits = [];
    print(this.#headline());
    const line = this.#moments.isAtEnd ? 0 : this.#place().line;
    for (const row of sourceLines(this.#source, line, style, 0)) print(row);
    for (const watch of this.#watches) this.#printValue(watch, `${watch.text} = `);
  }

  async #do(row: CommandRow, rest: string): Promise<void> {
    const { style } = this.#options;
    const simple: Partial<Record<Action, () => readonly string[]>> = {
      vars: () => variableLines({ ...this.#view().variables, ...this.#locals() }, style),
      where: () => [
        ...whereLines(this.#view(), this.#source, style),
        ...allFrameLines(this.#view().lines, style),
      ],
      pending: () => pendingLines(this.#view().lines, style),
      answers: () => this.#answers(),
      effects: () => this.#effects(rest),
      list: () => this.#list(rest),
      breaks: () => this.#stops(),
      help: () => helpLines(),
      diff: () => this.#diff(rest),
    };
    const lines = simple[row.action]?.();
    if (lines) for (const line of lines.length > 0 ? lines : ['none']) print(line);
    else await this.#act(row.action, rest);
  }

  async #act(action: Action, rest: string): Promise<void> {
    switch (action) {
      case 'step':
        this.#forward('step', countOf(rest));
        return;
      case 'effect':
        this.#forward('outcome', countOf(rest));
        return;
      case 'next':
        for (let i = countOf(rest); i > 0; i--) this.#nextLine();
        this.show();
        return;
      case 'back':
        this.#back(rest);
        return;
      case 'continue':
        await this.#continue();
        return;
      case 'reverse':
        this.#reverse();
        return;
      case 'go':
        this.go(wanted(rest, 'a place, such as 4@2, 0#7, event:12, start or end'));
        return;
      case 'break':
        this.#addBreakpoint(rest);
        return;
      case 'watch':
        this.#watches.push(new Expression(wanted(rest, 'an expression')));
        this.#printValue(this.#watches.at(-1), `${rest} = `);
        return;
      case 'delete':
        this.#delete(rest);
        return;
      case 'print':
        this.#printValue(new Expression(wanted(rest, 'an expression')), '', true);
        return;
      default:
    }
  }

  // Going to and fro.

  #forward(kind: Moment['kind'], times: number): void {
    for (let i = 0; i < times && !this.#moments.isAtEnd; ) {
      if (this.#next().kind === kind) i++;
    }
    this.show();
  }

  #nextLine(): void {
    this.#moments.nextLine();
    this.#emits.push(...this.#moments.emits);
  }

  #next(): Moment {
    const moment = this.#moments.forward();
    this.#emits.push(...this.#moments.emits);
    return moment;
  }

  #back(rest: string): void {
    const [, word, times] = /^(effect|e|line|l)?\s*(\d*)$/.exec(rest) ?? [];
    if (times === undefined) throw new Refused(`back: got ${rest}, want [line | effect] [N]`);
    const kind = word?.startsWith('e') ? 'outcome' : 'step';
    for (let i = countOf(times); i > 0; i--) {
      if (word?.startsWith('l')) this.#moments.previousLine();
      else this.#goTo(this.#before(kind));
    }
    this.#emits = [];
    this.show();
  }

  /** Where it began with what it is in now, or the one before. */
  #before(kind: Moment['kind']): number {
    const { moment, lines, position } = this.#moments;
    if (lines > 0 && moment.kind === kind) return position;
    return this.#moments.findBefore((one) => one.kind === kind) ?? 0;
  }

  async #continue(): Promise<void> {
    const triggers = this.#breakpoints.map((one) => new Trigger(one));
    for (const trigger of triggers) trigger.look(this.#standing());
    this.#isInterrupted = false;
    const { position, lines } = this.#moments;
    for (let passed = 1; !this.#moments.isAtEnd; passed++) {
      this.#next();
      const met = this.#met(triggers);
      if (met.length > 0) {
        const isSame = this.#moments.position === position + 1;
        const found = this.#narrow(met, isSame ? lines : 0);
        print(this.#options.style.warning(wordsOf(found)));
        break;
      }
      if (passed % batch > 0) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#isInterrupted) break;
    }
    this.show();
  }

  /**
   * Of what is met at this moment, what is met first on a line since the moment before, and that
   * many lines behind it; stands there then.
   */
  #narrow(triggers: readonly Trigger[], lines = 0): readonly Trigger[] {
    const { position } = this.#moments;
    const own = triggers.filter(({ breakpoint }) => ['change', 'if'].includes(breakpoint.kind));
    if (own.length === 0) return triggers;
    this.#moments.goTo(position - 1, lines);
    for (const trigger of own) trigger.look(this.#standing());
    for (let passed = 0; passed < narrowMost; passed++) {
      this.#moments.nextLine();
      if (this.#moments.position === position) return triggers;
      const met = this.#met(own);
      if (met.length > 0) return met;
    }
    this.#moments.goTo(position);
    return triggers;
  }

  #reverse(): void {
    const triggers = this.#breakpoints.map((one) => new Trigger(one));
    const from = this.#moments.position;
    let before = -2;
    let met: readonly Trigger[] = [];
    const found = this.#moments.searchBefore(() => {
      const { position } = this.#moments;
      // Each stretch begins anew: what is there then has not changed.
      if (position !== before + 1) for (const one of triggers) one.look(this.#standing());
      before = position;
      const here = this.#met(triggers);
      if (here.length > 0) met = here;
      return here.length > 0;
    });
    this.#goTo(found ?? 0);
    if (found !== undefined) this.#narrow(met);
    this.#emits = [];
    if (found === undefined && from > 0 && triggers.length > 0) print('no breakpoint before');
    this.show();
  }

  #met(triggers: readonly Trigger[]): readonly Trigger[] {
    const standing = this.#standing();
    // Each is asked: what changes is held against the moment before.
    return triggers.filter((trigger) => trigger.isMet(standing));
  }

  #goTo(position: number): void {
    this.#moments.goTo(position);
    this.#emits = [];
  }

  #placeOf(place: string): number {
    const { run, parts } = this.#options;
    if (place === 'start') return 0;
    if (place === 'end') return Number.MAX_SAFE_INTEGER;
    const [, seq] = /^event:(\d+)$/.exec(place) ?? [];
    if (seq !== undefined) return this.#outcome(positionAt(parts.past, Number(seq)));
    const from = this.#moments.position;
    const step = place.replace(/@1$/, '');
    const found = this.#moments.find((moment) =>
      moment.kind === 'outcome'
        ? moment.effect === place
        : moment.kind === 'step' && moment.step.id === step,
    );
    if (found !== undefined) return found;
    this.#goTo(from);
    throw new Refused(`run ${run} has no step, and no outcome of an effect, ${place}`);
  }

  /** The moment at which so many outcomes have come. */
  #outcome(count: number): number {
    let seen = 0;
    const isIt = (moment: Moment): boolean => moment.kind === 'outcome' && ++seen === count;
    return (count === 0 ? 0 : this.#moments.find(isIt)) ?? Number.MAX_SAFE_INTEGER;
  }

  // Breakpoints and watches.

  #addBreakpoint(rest: string): void {
    const breakpoint = parseBreakpoint(rest);
    if (!breakpoint) {
      const [row] = rows.filter(({ action }) => action === 'break');
      throw new Refused(`break: got ${oneLine(rest) || 'nothing'}, want ${row?.takes ?? ''}`);
    }
    this.#breakpoints.push(breakpoint);
    print(`${this.#breakpoints.length}  break ${textOf(breakpoint)}`);
  }

  #stops(): string[] {
    return [
      ...this.#breakpoints.map((one) => `break ${textOf(one)}`),
      ...this.#watches.map(({ text }) => `watch ${text}`),
    ].map((text, i) => `${i + 1}  ${oneLine(text)}`);
  }

  #delete(rest: string): void {
    const all = this.#breakpoints.length;
    const index = Number(rest) - 1;
    if (rest === 'all') [this.#breakpoints, this.#watches] = [[], []];
    else if (index >= 0 && index < all) this.#breakpoints.splice(index, 1);
    else if (index >= all && index < all + this.#watches.length) {
      this.#watches.splice(index - all, 1);
    } else throw new Refused(`delete: got ${rest || 'nothing'}, want a number of breaks, or all`);
  }

  // What is shown.

  #printValue(expression: Expression | undefined, before: string, isAsked = false): boolean {
    if (!expression) return false;
    const found = expression.evaluate(this.#moments.walk.machine.inspect());
    if (!found.ok) {
      if (isAsked) throw new Refused(found.why);
      print(this.#options.style.dim(`${before}(${oneLine(found.why)})`));
      return false;
    }
    const context = { program: found.program, pendings: new Map() };
    print(`${before}${oneLine(preview(found.value, context, isAsked ? 10_000 : shownColumns))}`);
    return true;
  }

  #headline(): string {
    const { style, parts } = this.#options;
    const { moment, position } = this.#moments;
    const { lines } = this.#moments;
    if (lines > 0) return this.#lineHead(lines);
    const number = style.dim(`[${position}]`);
    switch (moment.kind) {
      case 'start':
        return `${number} start`;
      case 'step': {
        const { kind, objective = '' } = parts.loaded.program.steps[moment.step.index] ?? {};
        const about = clip(oneLine(`${kind ?? ''}  ${objective}`).trimEnd(), shownColumns);
        return `${number} step ${style.strong(moment.step.id)} ${about}`;
      }
      case 'outcome':
        return `${number} ${this.#outcomeText(moment.effect)}`;
      case 'end': {
        const [first] = whereLines(this.#view(), '', style);
        return `${number} end: ${first ?? ''}`;
      }
    }
  }

  #lineHead(lines: number): string {
    const { style } = this.#options;
    const { walk, position } = this.#moments;
    const [main] = walk.machine.inspect().lines;
    const { name = '', line = 0 } = main?.frames.at(-1) ?? {};
    return `${style.dim(`[${position}+${lines}]`)} ${name} line ${line}`;
  }

  #outcomeText(id: string): string {
    const effect = this.#options.parts.past.effects.get(id);
    const { outcome, tool = '' } = effect ?? {};
    if (!outcome) return `${id} ${tool}`;
    const text = outcome.ok
      ? `gave ${stringify(shownOf(outcome.value))}`
      : `failed: ${outcome.error.code} ${outcome.error.message}`;
    return clip(oneLine(`${id} ${tool} ${text}`), shownColumns);
  }

  #effects(name: string): string[] {
    const { past } = this.#options.parts;
    const ids = past.order.slice(0, this.#moments.walk.position).filter((id) => {
      const effect = past.effects.get(id);
      return effect !== undefined && (name === '' || name === id || name === effect.tool);
    });
    return ids.map((id) => this.#outcomeText(id));
  }

  #answers(): string[] {
    return this.#view().answers.map(({ value, step }) =>
      clip(oneLine(`${stringify(value)}  step ${step}`), shownColumns),
    );
  }

  #list(rest: string): string[] {
    const line = rest === '' ? Math.max(1, this.#place().line) : Number(rest);
    const found = sourceLines(this.#source, line, this.#options.style, 6);
    if (found.length > 0) return found;
    throw new Refused(`the program has no line ${rest || line}`);
  }

  #diff(rest: string): string[] {
    const { journal, run, style } = this.#options;
    const [from, to] = wanted(rest, 'one place or two').split(/\s+/);
    const at = (place: string): StateAt => stateAt({ journal, run, load, at: place });
    const there = to === undefined ? this.#state() : at(to);
    const diff = diffStates([at(from ?? ''), there], [from ?? '', to ?? 'here']);
    return diffLines(diff, style);
  }

  get #source(): string {
    return this.#options.parts.loaded.source.text;
  }

  #state(): StateAt {
    const { run, parts } = this.#options;
    const { walk, moment } = this.#moments;
    const { machine, emitted, position } = walk;
    const inspection = machine.inspect();
    const { loaded, past } = parts;
    return { run, moment, inspection, emitted, position, machine, loaded, past: () => past };
  }

  #view(): StateView {
    return stateView(this.#state(), '');
  }

  #locals(): StateView['variables'] {
    return this.#view().lines[0]?.frames.at(-1)?.locals ?? {};
  }

  /** The line of source where the main line stands, or stood last; 0 before it has begun. */
  #place(): { readonly line: number } {
    const { lines, error } = this.#moments.walk.machine.inspect();
    const [main] = lines;
    if (this.#moments.moment.kind === 'start' || !main) return { line: 0 };
    const step = this.#options.parts.loaded.program.steps[main.stepIndex];
    return main.frames.at(-1) ?? error ?? step ?? { line: 0 };
  }

  #standing(): Standing {
    const { moment, walk } = this.#moments;
    const { past, loaded } = this.#options.parts;
    const effect = moment.kind === 'outcome' ? past.effects.get(moment.effect) : undefined;
    const { program } = loaded;
    return { moment, tool: effect?.tool, program, inspect: () => walk.machine.inspect() };
  }
}

const wordsOf = (triggers: readonly Trigger[]): string =>
  triggers.map(({ breakpoint }) => textOf(breakpoint)).join(', ');

const hasCode = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('PV');

function wanted(rest: string, what: string): string {
  if (rest === '') throw new Refused(`got nothing, want ${what}`);
  return rest;
}

function countOf(rest: string): number {
  if (rest === '') return 1;
  const times = Number(rest);
  if (Number.isSafeInteger(times) && times > 0) return times;
  throw new Refused(`got ${rest}, want a number from 1 on`);
}

const helpLines = (): string[] =>
  columns(
    rows.map(({ action, short, takes = '', about }) => [
      `  ${short === undefined ? action : `${action}, ${short}`} ${takes}`.trimEnd(),
      about,
    ]),
  );
