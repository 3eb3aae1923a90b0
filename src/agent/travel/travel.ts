/**
 * Going to and fro in a run: to moments, lines, places and breakpoints. What it owns: where it
 * stands, and what was released on the way. In the past of a run nothing happens by that. Of a run
 * that goes on, what the program asks for begins when one comes there, and not before.
 */
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunStatus } from '../../engine/journal/run-state.ts';
import { loadProgram } from '../../engine/load.ts';
import { positionAt } from '../../engine/past/checkpoint.ts';
import { stepsNamed } from '../../engine/past/named-steps.ts';
import type { Past } from '../../engine/past/past.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Moment, WalkParts } from '../../engine/past/walk.ts';
import { Moments } from '../../engine/views/moments.ts';
import type { Inspection } from '../../machine/inspection.ts';
import type { Emit } from '../../machine/turn.ts';
import { isOfAnother } from '../../program/program.ts';
import { load } from '../record/load.ts';
import { inspectionSeen } from '../record/seen-state.ts';
import type { Standing, Trigger } from './breakpoints.ts';

/** A run that goes on. */
export interface Ahead {
  /** Lets an effect begin that the program asks for. */
  begin(effect: string): void;
  /**
   * Settles with what there is by now, once that is more than there was. Undefined where there will
   * be no more, or somebody does not want to wait for it.
   */
  more(): Promise<{ readonly past: Past; readonly status: RunStatus } | undefined>;
  /** Ends the waiting for more. */
  interrupt(): void;
}

export type Back = 'step' | 'outcome' | 'line';

/** Lines that are gone through one by one to find where something has changed. */
const narrowMost = 10_000;
/** Moments in one go, between looks at whether it is to stop. */
const batch = 500;

/** Through the past of a run of a journal. */
export const loadTravel = (journal: Journal, run: string): Travel =>
  new Travel(walkPartsOf(journal, run));

export function walkPartsOf(journal: Journal, run: string): WalkParts {
  const past = readPast(journal.events(run));
  const { status = 'running' } = journal.find(run) ?? {};
  return { loaded: loadProgram(run, past, load), past, status };
}

export class Travel {
  readonly #ahead: Ahead | undefined;
  readonly #moments: Moments;
  #parts: WalkParts;
  #isInterrupted = false;
  #emits: Emit[] = [];

  constructor(parts: WalkParts, ahead?: Ahead) {
    this.#ahead = ahead;
    this.#parts = ahead
      ? { ...parts, onRequest: ({ id }, { kind }) => void (kind === 'nothing' && ahead.begin(id)) }
      : parts;
    this.#moments = new Moments(this.#parts);
  }

  get parts(): WalkParts {
    return this.#parts;
  }

  get moments(): Moments {
    return this.#moments;
  }

  /** Who it goes on with: at a line, whose line that is; at an outcome, the fiber that has it. */
  get path(): string {
    const { moment, lines, walk } = this.#moments;
    if (lines > 0) return walk.path;
    if (isOfAnother(this.#parts.loaded.program)) return '0';
    const path = moment.kind === 'outcome' ? fiberOf(moment.effect) : '0';
    return walk.machine.place(path) ? path : '0';
  }

  /** What was released on the way forward since this was asked last. */
  takeEmits(): readonly Emit[] {
    const emits = this.#emits;
    this.#emits = [];
    return emits;
  }

  /** Ends what goes on for long. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#ahead?.interrupt();
  }

  async forward(kind: Moment['kind'], times: number): Promise<void> {
    for (let left = times; left > 0; ) {
      const moment = await this.#next();
      if (moment.kind === kind) left--;
      if (moment.kind === 'end') return;
    }
  }

  async nextLines(times: number): Promise<void> {
    for (let left = times; left > 0; left--) {
      await this.#nextLine();
      if (this.#moments.isAtEnd) return;
    }
  }

  back(kind: Back, times: number): void {
    for (let left = times; left > 0; left--) {
      if (kind === 'line') this.#moments.previousLine();
      else this.#moments.goTo(this.#before(kind));
    }
    this.#emits = [];
  }

  /** On to one of the breakpoints, or the end; gives those that are met. */
  async goOn(triggers: readonly Trigger[]): Promise<readonly Trigger[]> {
    for (const trigger of triggers) trigger.look(this.standing());
    this.#isInterrupted = false;
    // What lies between a line and the next moment must not happen where the line stops it.
    if (this.#ahead && triggers.some((one) => this.#isOfLines(one)))
      return await this.#goOnByLines(triggers);
    const { position, lines } = this.#moments;
    for (let passed = 1; ; passed++) {
      await this.#next();
      const met = this.#met(triggers);
      if (met.length > 0) {
        const isSame = this.#moments.position === position + 1;
        return this.#narrow(met, isSame ? lines : 0);
      }
      if (this.#moments.isAtEnd || (await this.#isStopped(passed))) return [];
    }
  }

  /** Back to one of the breakpoints, or the start; gives whether there was one. */
  reverse(triggers: readonly Trigger[]): boolean {
    let before = -2;
    let met: readonly Trigger[] = [];
    const found = this.#moments.searchBefore(() => {
      const { position } = this.#moments;
      // Each stretch begins anew: what is there then has not changed.
      if (position !== before + 1) for (const one of triggers) one.look(this.standing());
      before = position;
      const here = this.#met(triggers);
      if (here.length > 0) met = here;
      return here.length > 0;
    });
    this.#moments.goTo(found ?? 0);
    if (found !== undefined) this.#narrow(met);
    this.#emits = [];
    return found !== undefined;
  }

  /** To a place as a person names it; false where the run has none such. */
  async goTo(place: string): Promise<boolean> {
    const from = this.#moments.position;
    const found = await this.#positionOf(place);
    this.#moments.goTo(found ?? from);
    this.#emits = [];
    return found !== undefined;
  }

  standing(): Standing {
    const { moment, walk } = this.#moments;
    const { past, loaded } = this.#parts;
    const effect = moment.kind === 'outcome' ? past.effects.get(moment.effect) : undefined;
    const { program } = loaded;
    const inspect = (): Inspection => inspectionSeen(walk.machine.inspect(), program);
    return { moment, tool: effect?.tool, program, path: this.path, inspect };
  }

  /** What is to be seen of the state. */
  inspect(): Inspection {
    return this.standing().inspect();
  }

  /** Takes in what has happened since; false where nothing has, or will. */
  async #more(): Promise<boolean> {
    const more = await this.#ahead?.more();
    if (!more) return false;
    this.#parts = { ...this.#parts, ...more };
    this.#moments.grow(this.#parts);
    return true;
  }

  async #next(): Promise<Moment> {
    let moment = this.#moments.forward();
    while (moment.kind === 'end' && (await this.#more())) moment = this.#moments.forward();
    this.#emits.push(...this.#moments.emits);
    return moment;
  }

  async #nextLine(): Promise<void> {
    this.#moments.nextLine();
    while (this.#moments.isAtEnd && (await this.#more())) this.#moments.nextLine();
    this.#emits.push(...this.#moments.emits);
  }

  async #goOnByLines(triggers: readonly Trigger[]): Promise<readonly Trigger[]> {
    for (let passed = 1; ; passed++) {
      await this.#nextLine();
      const isMoment = this.#moments.lines === 0;
      const met = this.#met(triggers.filter((one) => isMoment || this.#isOfLines(one)));
      if (met.length > 0 || this.#moments.isAtEnd || (await this.#isStopped(passed))) return met;
    }
  }

  /** Lets others have their turn now and then. */
  async #isStopped(passed: number): Promise<boolean> {
    if (passed % batch === 0) await new Promise((resolve) => setImmediate(resolve));
    return this.#isInterrupted;
  }

  /**
   * Of what is met at this moment, what is met first on a line since the moment before, and that
   * many lines behind it; stands there then.
   */
  #narrow(triggers: readonly Trigger[], lines = 0): readonly Trigger[] {
    const { position } = this.#moments;
    const own = triggers.filter((one) => this.#isOfLines(one));
    if (own.length === 0) return triggers;
    this.#moments.goTo(position - 1, lines);
    for (const trigger of own) trigger.look(this.standing());
    for (let passed = 0; passed < narrowMost; passed++) {
      this.#moments.nextLine();
      if (this.#moments.position === position) return triggers;
      const met = this.#met(own);
      if (met.length > 0) return met;
    }
    this.#moments.goTo(position);
    return triggers;
  }

  #met(triggers: readonly Trigger[]): readonly Trigger[] {
    const standing = this.standing();
    // Each is asked: what changes is held against the moment before.
    return triggers.filter((trigger) => trigger.isMet(standing));
  }

  /** Whether it is met by what variables hold, on any line; those of a loop are nobody's. */
  #isOfLines({ breakpoint: { kind } }: Trigger): boolean {
    return (kind === 'change' || kind === 'if') && !isOfAnother(this.#parts.loaded.program);
  }

  /** Where it began with what it is in now, or the one before. */
  #before(kind: Moment['kind']): number {
    const { moment, lines, position } = this.#moments;
    if (lines > 0 && moment.kind === kind) return position;
    return this.#moments.findBefore((one) => one.kind === kind) ?? 0;
  }

  async #positionOf(place: string): Promise<number | undefined> {
    if (place === 'start') return 0;
    if (place === 'end') {
      do this.#moments.goTo(Number.MAX_SAFE_INTEGER);
      while (await this.#more());
      return Number.MAX_SAFE_INTEGER;
    }
    const [, seq] = /^event:(\d+)$/.exec(place) ?? [];
    if (seq !== undefined) return this.#outcome(positionAt(this.#parts.past, Number(seq)));
    const ids = stepsNamed(this.#parts.loaded.program, place);
    return await this.#find((moment) =>
      moment.kind === 'outcome'
        ? moment.effect === place
        : moment.kind === 'step' && ids.includes(moment.step.id),
    );
  }

  async #find(fits: (moment: Moment) => boolean): Promise<number | undefined> {
    for (;;) {
      const found = this.#moments.find(fits);
      if (found !== undefined || !(await this.#more())) return found;
    }
  }

  /** The moment at which so many outcomes have come. */
  #outcome(count: number): number {
    let seen = 0;
    const isIt = (moment: Moment): boolean => moment.kind === 'outcome' && ++seen === count;
    return (count === 0 ? 0 : this.#moments.find(isIt)) ?? Number.MAX_SAFE_INTEGER;
  }
}

/** Its path, without its own generation: `0~1.2` of `0~1.2~1#3`. */
const fiberOf = (effect: string): string => effect.replace(/(~\d+)?#.*$/, '');
