/**
 * What the acts of a reply share: where the turn is, what names mean there, and what holds it. Who
 * acts takes each to its line, and reports what stands.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import type { Expr, Term } from '../../reply/term.ts';
import type { Course } from '../course/course.ts';
import { isOpen } from '../course/line-acts.ts';
import type { Placing } from '../course/placing.ts';
import { type Callee, mayWrite } from '../values/directory.ts';
import type { Names } from '../values/names.ts';
import type { ActsMade } from './acts-made.ts';
import type { Heard } from './heard.ts';
import type { TurnEnds } from './turn-ends.ts';
import type { TurnLines } from './turn-lines.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnReport } from './turn-report.ts';
import type { TurnValues } from './turn-values.ts';

/** What a turn is held by, which its acts share with its lines and its ends. */
type Held = Pick<
  ActsAt,
  'place' | 'names' | 'report' | 'lines' | 'ends' | 'made' | 'values' | 'heard'
>;

export class ActsAt {
  readonly place: TurnPlace;
  readonly names: Names;
  readonly report: TurnReport;
  readonly lines: TurnLines;
  readonly ends: TurnEnds;
  readonly made: ActsMade;
  readonly values: TurnValues;
  readonly heard: Heard;

  constructor({ place, names, report, lines, ends, made, values, heard }: Held) {
    this.place = place;
    this.names = names;
    this.report = report;
    this.lines = lines;
    this.ends = ends;
    this.made = made;
    this.values = values;
    this.heard = heard;
  }

  get course(): Course {
    return this.lines.course;
  }

  get placing(): Placing {
    return this.lines.placing;
  }

  /** Whether anything may be done at the line that the turn is at. */
  get isOpen(): boolean {
    const { step } = this.course;
    return !step || isOpen(step);
  }

  /** The line that the turn is at, where the reply itself has named it. */
  get namedStep(): Step | undefined {
    return this.course.isNamed ? this.course.step : undefined;
  }

  /**
   * What a call is known by in its reply. What a line leaves open, and what only reads where there
   * are none, may be meant twice: each result has a variable of its own then.
   */
  keyOnce(key: string, into: string | undefined, callee: Callee | undefined): string {
    const { step } = this.course;
    const isFree = step ? isOpen(step) : callee !== undefined && !mayWrite(callee);
    return isFree && into !== undefined ? `${key} into ${into}` : key;
  }

  computed(value: Term, line?: string): Expr {
    return this.asRead(value, this.names.computed(value, line));
  }

  asRead(written: Term, read: Expr): Expr {
    const isNamed = written.is === 'value' && read.is === 'ref';
    if (isNamed) this.report.warn(`${read.name} was written as a text, and is a variable`);
    return read;
  }

  /**
   * Who does what the next line says at one that leaves open what to do has named its line too
   * late: it is not done once more for that. The line that it was.
   */
  didAhead(isIts: (next: Step) => boolean): Step | undefined {
    const next = this.course.behindOpen.find(isIts);
    if (next) this.lines.duties.didAhead(next.number);
    return next;
  }
}

/** Whether it is done when it comes, with nothing to follow. */
export const isQueued = ({ code }: Step): boolean => code === 'QUE';

/** Where something was done before, and what the line says at which it was done again. */
export function placeText(before: string, step: Step | undefined): string {
  if (before === '') return ' in this reply';
  const isOwn = !step || step.number === before;
  return `, at ${before}${isOwn ? '' : `; line ${step.number} says: ${step.text}`}`;
}
