/**
 * A debugger over a run's journal, or over a run that goes on: its commands, breakpoints and
 * watches, and what they show. Where it stands, and how it gets there, is in travel.ts.
 */

import type { HeldRun } from '../../agent/port/host.ts';
import { load } from '../../agent/record/load.ts';
import { fileSeen, sourceSeen } from '../../agent/record/seen-source.ts';
import { depthOf, stateSeen } from '../../agent/record/seen-state.ts';
import type { PlannedFork } from '../../agent/resume/planned-fork.ts';
import {
  type Breakpoint,
  isPlace,
  parseBreakpoint,
  Trigger,
  textOf,
} from '../../agent/travel/breakpoints.ts';
import { Expression, scopeOf } from '../../agent/travel/expression.ts';
import { writtenName } from '../../agent/travel/references.ts';
import { type Ahead, Travel, walkPartsOf } from '../../agent/travel/travel.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { nearSteps } from '../../engine/past/named-steps.ts';
import { type StateAt, stateAt } from '../../engine/past/time.ts';
import type { WalkParts } from '../../engine/past/walk.ts';
import { shownOf } from '../../engine/result.ts';
import { preview } from '../../engine/views/preview.ts';
import { diffStates } from '../../engine/views/state-diff.ts';
import { type StateView, stateView } from '../../engine/views/state-view.ts';
import type { LineView } from '../../machine/inspection.ts';
import { encode, stringify } from '../../program/json.ts';
import { isOfAnother, nameBy } from '../../program/program.ts';
import { clip, oneLine } from '../../text/words.ts';
import { forkLines } from '../view/notice-lines.ts';
import { print, type Style, say } from '../view/output.ts';
import {
  allFrameLines,
  diffLines,
  pendingLines,
  sourceLines,
  variableLines,
  whereLines,
} from '../view/state-text.ts';
import {
  assignedIn,
  countOf,
  hasCode,
  helpLines,
  Refused,
  rowOf,
  rows,
  wanted,
  wordsOf,
} from './commands.ts';

export interface DebuggerOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly parts: WalkParts;
  /** Of a run that goes on. */
  readonly ahead?: Ahead | undefined;
  /** How to go on from its past in another run. */
  readonly forking?: Forking | undefined;
  readonly style: Style;
  /** Whether each stop shows the variables that differ from those of the stop before. */
  readonly tracks?: boolean | undefined;
}

export interface Forking {
  plan(edit: Pick<ForkEdit, 'at' | 'set'>): Promise<PlannedFork>;
  begin(fork: HeldRun): { readonly run: string; readonly ahead: Ahead };
}

const shownColumns = 100;

export class Debugger {
  #options: DebuggerOptions;
  #travel: Travel;
  /** A fork that a person has been asked about. */
  #drafted: (PlannedFork & { readonly at: string }) | undefined;
  #breakpoints: Breakpoint[] = [];
  #watches: Expression[] = [];
  #seen: ReadonlySet<string> = new Set();

  constructor(options: DebuggerOptions) {
    this.#options = options;
    this.#travel = new Travel(options.parts, options.ahead);
  }

  /** Names that can be completed. */
  get names(): string[] {
    const state = this.#travel.inspect();
    return [...scopeOf(state, this.#travel.path).keys()].map(writtenName);
  }

  /** Ends what goes on for long. */
  interrupt(): void {
    this.#travel.interrupt();
  }

  /** Does what a line says; gives whether that was possible. */
  async obey(line: string): Promise<boolean> {
    const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
    try {
      const drafted = this.#drafted;
      this.#drafted = undefined;
      if (drafted && /^(y|yes|n|no)$/i.test(word)) {
        if (/^y/i.test(word)) await this.#goOnIn(drafted);
        else say('no fork was made');
        return true;
      }
      const row = rowOf.get(word);
      if (!row) throw new Refused(`there is no command ${oneLine(word)}; help lists them`);
      await this.#do(row.action, rest);
      return true;
    } catch (error) {
      if (!(error instanceof Refused) && !hasCode(error)) throw error;
      say(this.#options.style.error(error.message));
      return false;
    }
  }

  /** Goes to a place, as `go` does. */
  async go(place: string): Promise<void> {
    if (!(await this.#travel.goTo(place))) {
      const { run } = this.#options;
      const near = nearSteps(this.#travel.parts.loaded.program, place);
      const hint = near === undefined ? '' : `; ${near}`;
      throw new Refused(`run ${run} has no step, and no outcome of an effect, ${place}${hint}`);
    }
    this.show();
  }

  /** Where it stands, what was released on the way, and the watches. */
  show(): void {
    const { style } = this.#options;
    for (const { channel, value } of this.#travel.takeEmits()) {
      const text = typeof value === 'string' ? value : stringify(shownOf(encode(value)));
      print(style.dim(clip(oneLine(`${channel}: ${text}`), shownColumns)));
    }
    print(this.#headline());
    const { line, file } = this.#travel.moments.isAtEnd ? nowhere : this.#place();
    for (const row of sourceLines(fileSeen(this.#source, file), line, style, 0)) print(row);
    if (this.#options.tracks) for (const changed of this.#changes()) print(changed);
    for (const watch of this.#watches) {
      for (const line of this.#valueLine(watch, `${watch.text} = `)) print(line);
    }
  }

  /** The variables that differ from what was shown of them last. */
  #changes(): string[] {
    const lines = this.#variables();
    const changed = lines.filter((line) => !this.#seen.has(line));
    this.#seen = new Set(lines);
    return changed;
  }

  /** What each command does; lines that it gives are printed. */
  readonly #commands: Readonly<
    Record<string, (rest: string) => Promise<void> | readonly string[] | undefined>
  > = {
    step: (rest) => this.#moved(this.#travel.forward('step', countOf(rest))),
    effect: (rest) => this.#moved(this.#travel.forward('outcome', countOf(rest))),
    next: (rest) =>
      this.#moved(
        this.#isOfAnother ? this.#over(countOf(rest), 0) : this.#travel.nextLines(countOf(rest)),
      ),
    over: (rest) => this.#moved(this.#over(countOf(rest), 0)),
    out: () => this.#moved(this.#over(1, 1)),
    back: (rest) => this.#back(rest),
    continue: () => this.#moved(this.#continue()),
    reverse: () => this.#reverse(),
    go: (rest) => this.go(wanted(rest, 'a place, such as 4@2, 0#7, event:12, start or end')),
    break: (rest) => this.#addBreakpoint(rest),
    breaks: () => this.#stops(),
    delete: (rest) => this.#delete(rest),
    watch: (rest) => {
      this.#watches.push(new Expression(wanted(rest, 'an expression')));
      return this.#valueLine(this.#watches.at(-1), `${rest} = `);
    },
    print: (rest) => this.#valueLine(new Expression(wanted(rest, 'an expression')), '', true),
    vars: () => this.#variables(),
    where: () => [
      ...whereLines(this.#view(), this.#source, this.#options.style),
      ...allFrameLines(this.#view().lines, this.#options.style),
    ],
    pending: () => pendingLines(this.#view().lines, this.#options.style),
    effects: (rest) => this.#effects(rest),
    answers: () => this.#answers(),
    list: (rest) => this.#list(rest),
    diff: (rest) => this.#diff(rest),
    fork: (rest) => this.#fork(rest),
    help: helpLines,
    // The prompt ends before it comes to this.
    quit: () => undefined,
  };

  async #do(action: string, rest: string): Promise<void> {
    const lines = await this.#commands[action]?.(rest);
    if (lines) for (const line of lines.length > 0 ? lines : ['none']) print(line);
  }

  async #moved(moving: Promise<void>): Promise<void> {
    await moving;
    this.show();
  }

  /** To the next step that is as deep in calls as this one, or less deep by `less`. */
  async #over(times: number, less: number): Promise<void> {
    const triggers = this.#breakpoints.map((one) => new Trigger(one));
    const { moment } = this.#travel.moments;
    const depth = moment.kind === 'start' ? Infinity : depthOf(this.#travel.inspect()) - less;
    for (let left = times; left > 0 && !this.#travel.moments.isAtEnd; left--) {
      const met = await this.#travel.toDepth(depth, triggers);
      if (met.length === 0) continue;
      print(this.#options.style.warning(wordsOf(met)));
      return;
    }
  }

  /** Whether the program plays playbooks, whose lines are what counts. */
  get #isOfAnother(): boolean {
    return isOfAnother(this.#travel.parts.loaded.program);
  }

  #back(rest: string): undefined {
    const [, word, times] = /^(effect|e|line|l)?\s*(\d*)$/.exec(rest) ?? [];
    if (times === undefined) throw new Refused(`back: got ${rest}, want [line | effect] [N]`);
    const kind = word?.startsWith('e') ? 'outcome' : word?.startsWith('l') ? 'line' : 'step';
    this.#travel.back(kind, countOf(times));
    this.show();
  }

  async #continue(): Promise<void> {
    const met = await this.#travel.goOn(this.#breakpoints.map((one) => new Trigger(one)));
    if (met.length > 0) print(this.#options.style.warning(wordsOf(met)));
  }

  #reverse(): undefined {
    const triggers = this.#breakpoints.map((one) => new Trigger(one));
    const from = this.#travel.moments.position;
    const isFound = this.#travel.reverse(triggers);
    if (!isFound && from > 0 && triggers.length > 0) print('no breakpoint before');
    this.show();
  }

  /** Says what a fork from here would perform, and asks for it. */
  async #fork(rest: string): Promise<void> {
    const { run, ahead, forking } = this.#options;
    if (ahead || !forking) throw new Refused(`fork: run ${run} goes on here already`);
    const { moment, lines } = this.#travel.moments;
    const isStart = moment.kind === 'start';
    if (lines > 0 || (!isStart && moment.kind !== 'step')) {
      throw new Refused('fork: it begins where a step does, or at the start; back leads there');
    }
    const set = assignedIn(rest);
    const at = isStart ? 'start' : moment.step.id;
    const edit = { ...(isStart ? {} : { at }), ...(set && { set }) };
    const drafted = await forking.plan(edit);
    const { style } = this.#options;
    for (const line of forkLines(drafted.preview, style)) print(line);
    print(style.warning('go on from here in this new run? yes or no'));
    this.#drafted = { ...drafted, at };
  }

  /** The fork is gone through from here on. */
  async #goOnIn({ held, at }: PlannedFork & { readonly at: string }): Promise<void> {
    const begun = this.#options.forking?.begin(held);
    if (!begun) return;
    const parts = walkPartsOf(this.#options.journal, begun.run);
    this.#options = { ...this.#options, ...begun, parts };
    this.#travel = new Travel(parts, begun.ahead);
    await this.go(at);
  }

  // Breakpoints and watches.

  #addBreakpoint(rest: string): readonly string[] {
    const { program } = this.#travel.parts.loaded;
    const breakpoint = parseBreakpoint(rest, program);
    if (!breakpoint) {
      const [row] = rows.filter(({ action }) => action === 'break');
      throw new Refused(`break: got ${oneLine(rest) || 'nothing'}, want ${row?.takes ?? ''}`);
    }
    // Of other programs more may come: plans grow.
    if (breakpoint.kind === 'step' && this.#isOfAnother && !isPlace(program, breakpoint.step)) {
      const some = program.steps.flatMap(({ file, label }) => (file === undefined ? [] : [label]));
      const hint = nearSteps(program, breakpoint.step) ?? some.slice(0, 12).join(', ');
      throw new Refused(`break: there is no line ${breakpoint.step}; ${hint}`);
    }
    this.#breakpoints.push(breakpoint);
    return [`${this.#breakpoints.length}  break ${textOf(breakpoint)}`];
  }

  #stops(): string[] {
    return [
      ...this.#breakpoints.map((one) => `break ${textOf(one)}`),
      ...this.#watches.map(({ text }) => `watch ${text}`),
    ].map((text, i) => `${i + 1}  ${oneLine(text)}`);
  }

  #delete(rest: string): undefined {
    const all = this.#breakpoints.length;
    const index = Number(rest) - 1;
    if (rest === 'all') [this.#breakpoints, this.#watches] = [[], []];
    else if (index >= 0 && index < all) this.#breakpoints.splice(index, 1);
    else if (index >= all && index < all + this.#watches.length) {
      this.#watches.splice(index - all, 1);
    } else throw new Refused(`delete: got ${rest || 'nothing'}, want a number of breaks, or all`);
  }

  // What is shown.

  #valueLine(expression: Expression | undefined, before: string, isAsked = false): string[] {
    if (!expression) return [];
    const { path } = this.#travel;
    const found = expression.evaluate(this.#travel.inspect(), path);
    if (!found.ok) {
      if (isAsked) throw new Refused(found.why);
      return [this.#options.style.dim(`${before}(${oneLine(found.why)})`)];
    }
    const context = { program: found.program, pendings: new Map() };
    return [`${before}${oneLine(preview(found.value, context, isAsked ? 10_000 : shownColumns))}`];
  }

  #headline(): string {
    const { style } = this.#options;
    const { parts } = this.#travel;
    const { moment, position, lines } = this.#travel.moments;
    if (lines > 0) return this.#lineHead(lines);
    const number = style.dim(`[${position}]`);
    switch (moment.kind) {
      case 'start':
        return `${number} start`;
      case 'step': {
        const { kind, objective = '' } = parts.loaded.program.steps[moment.step.index] ?? {};
        const about = clip(oneLine(`${kind ?? ''}  ${objective}`).trimEnd(), shownColumns);
        const name = nameBy(moment.step.id, moment.step.by);
        return `${number} step ${style.strong(name)} ${about}`;
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
    const { position } = this.#travel.moments;
    const { path } = this.#travel;
    const { name = '', line = 0 } = this.#line()?.frames.at(-1) ?? {};
    const who = path === '0' ? '' : `${path} `;
    return `${style.dim(`[${position}+${lines}]`)} ${who}${name} line ${line}`;
  }

  #outcomeText(id: string): string {
    const effect = this.#travel.parts.past.effects.get(id);
    const { outcome, tool = '' } = effect ?? {};
    if (!outcome) return `${id} ${tool}`;
    const text = outcome.ok
      ? `gave ${stringify(shownOf(outcome.value))}`
      : `failed: ${outcome.error.code} ${outcome.error.message}`;
    return clip(oneLine(`${id} ${tool} ${text}`), shownColumns);
  }

  #effects(name: string): string[] {
    const { past } = this.#travel.parts;
    const ids = past.order.slice(0, this.#travel.moments.walk.position).filter((id) => {
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
    const { file, ...here } = this.#place();
    const line = rest === '' ? Math.max(1, here.line) : Number(rest);
    const found = sourceLines(fileSeen(this.#source, file), line, this.#options.style, 6);
    if (found.length > 0) return found;
    throw new Refused(`the program has no line ${rest || line}`);
  }

  #diff(rest: string): string[] {
    const { journal, run, style } = this.#options;
    const [from, to] = wanted(rest, 'one place or two').split(/\s+/);
    const at = (place: string): StateAt => stateSeen(stateAt({ journal, run, load, at: place }));
    const there = to === undefined ? this.#state() : at(to);
    const diff = diffStates([at(from ?? ''), there], [from ?? '', to ?? 'here']);
    return diffLines(diff, style);
  }

  get #source(): string {
    const { loaded, past } = this.#travel.parts;
    return sourceSeen(past.record, loaded.program, loaded.source.text);
  }

  #state(): StateAt {
    const { run } = this.#options;
    const { parts } = this.#travel;
    const { walk, moment } = this.#travel.moments;
    const { emitted, position } = walk;
    const inspection = this.#travel.inspect();
    const { loaded, past } = parts;
    return { run, moment, inspection, emitted, position, walk, loaded, past: () => past };
  }

  #variables(): string[] {
    const all = { ...this.#view().variables, ...this.#locals() };
    return variableLines(all, this.#options.style);
  }

  #view(): StateView {
    return stateView(this.#state(), '');
  }

  #locals(): StateView['variables'] {
    const { path } = this.#travel;
    return (
      this.#view()
        .lines.find((line) => line.path === path)
        ?.frames.at(-1)?.locals ?? {}
    );
  }

  /** Who it goes on with: the main line, or a fiber. */
  #line(): LineView | undefined {
    const { path } = this.#travel;
    return this.#travel.inspect().lines.find((line) => line.path === path);
  }

  /** The line of source where that stands, or stood last; 0 before it has begun. */
  #place(): { readonly line: number; readonly file?: string | undefined } {
    const { moments, parts } = this.#travel;
    const line = this.#line();
    if (moments.moment.kind === 'start' || !line) return nowhere;
    const { error } = this.#travel.inspect();
    const step = parts.loaded.program.steps[line.stepIndex];
    return line.frames.at(-1) ?? error ?? step ?? nowhere;
  }
}

const nowhere: { readonly line: number; readonly file?: string } = { line: 0 };
