/**
 * A debugger over a run's journal, or over a run that goes on: its commands, breakpoints and
 * watches, and what they show. Where it stands, and how it gets there, is in travel.ts.
 */

import { fileSeen, sourceSeen } from '../../agent/record/seen-source.ts';
import {
  type Breakpoint,
  isPlace,
  parseBreakpoint,
  Trigger,
  textOf,
} from '../../agent/travel/breakpoints.ts';
import { Expression } from '../../agent/travel/expression.ts';
import { type Ahead, Travel } from '../../agent/travel/travel.ts';
import { nearSteps } from '../../engine/past/named-steps.ts';
import type { StateAt } from '../../engine/past/time.ts';
import type { WalkParts } from '../../engine/past/walk.ts';
import { shownOf } from '../../engine/result.ts';
import { preview } from '../../engine/views/preview.ts';
import { type StateView, stateView } from '../../engine/views/state-view.ts';
import type { LineView } from '../../machine/inspection.ts';
import { encode, stringify } from '../../program/json.ts';
import { isOfAnother, nameBy } from '../../program/program.ts';
import { clip, oneLine } from '../../text/words.ts';
import { print, type Style, say } from '../view/output.ts';
import {
  allFrameLines,
  pendingLines,
  sourceLines,
  variableLines,
  whereLines,
} from '../view/state-text.ts';
import { countOf, hasCode, helpLines, Refused, rowOf, rows, wanted, wordsOf } from './commands.ts';

export interface DebuggerOptions {
  readonly run: string;
  readonly parts: WalkParts;
  /** Of a run that goes on. */
  readonly ahead?: Ahead | undefined;
  readonly style: Style;
  /** Whether each stop shows the variables that differ from those of the stop before. */
  readonly tracks?: boolean | undefined;
}

const shownColumns = 100;

export class Debugger {
  readonly #options: DebuggerOptions;
  readonly #travel: Travel;
  #breakpoints: Breakpoint[] = [];
  #watches: Expression[] = [];
  #seen: ReadonlySet<string> = new Set();

  constructor(options: DebuggerOptions) {
    this.#options = options;
    this.#travel = new Travel(options.parts, options.ahead);
  }

  /** Ends what goes on for long. */
  interrupt(): void {
    this.#travel.interrupt();
  }

  /** Does what a line says; gives whether that was possible. */
  async obey(line: string): Promise<boolean> {
    const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
    try {
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
        this.#isOfAnother
          ? this.#travel.forward('step', countOf(rest))
          : this.#travel.nextLines(countOf(rest)),
      ),
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
