/** Where a debugger stops on its way, and what it shows each time: breakpoints and watches. */
import { asLabelled, labelsNamed } from '../../engine/past/named-steps.ts';
import type { Moment } from '../../engine/past/walk.ts';
import { preview } from '../../engine/views/preview.ts';
import type { Inspection } from '../../machine/inspection.ts';
import type { StepVisit } from '../../machine/turn.ts';
import { truth } from '../../machine/values/compare.ts';
import type { Program } from '../../program/program.ts';
import { Expression, scopeOf } from './expression.ts';
import { variableNamed, writtenName } from './references.ts';

export type Breakpoint =
  /** A step by its label, or one visit of it by its id; only where `when` holds, if it is there. */
  | { readonly kind: 'step'; readonly step: string; readonly when?: Expression }
  /** The outcome of an effect by its id, or of any effect of a tool. */
  | { readonly kind: 'effect'; readonly name: string }
  | { readonly kind: 'change'; readonly variable: string }
  | { readonly kind: 'if'; readonly expression: Expression };

/** Where a debugger stands, as breakpoints see it. */
export interface Standing {
  readonly moment: Moment;
  /** Tool of the effect whose outcome has come. */
  readonly tool: string | undefined;
  readonly program: Program;
  /** Who it goes on with: the main line, `0`, or a fiber. */
  readonly path: string;
  readonly inspect: () => Inspection;
}

export function textOf(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'step':
      return `step ${breakpoint.step}${breakpoint.when ? ` if ${breakpoint.when.text}` : ''}`;
    case 'effect':
      return `effect ${breakpoint.name}`;
    case 'change':
      return `change ${writtenName(breakpoint.variable)}`;
    case 'if':
      return `if ${breakpoint.expression.text}`;
  }
}

/**
 * Undefined where the words make none; `if` takes all that follows. What the program has, or what
 * looks like a line of a playbook, is a step without saying so.
 */
export function parseBreakpoint(words: string, program: Program): Breakpoint | undefined {
  const [first = ''] = words.trim().split(/\s/);
  const isLine = lineForm.test(first) && program.steps.some(({ label }) => lineForm.test(label));
  const isStep = isLine || isPlace(program, first);
  const text = isStep ? `step ${words}` : words;
  const [, kind = '', rest = ''] = /^(\S+)\s+(.+)$/s.exec(text.trim()) ?? [];
  switch (kind) {
    case 'step': {
      const [, step = '', when] = /^(\S+)(?:\s+if\s+(.+))?$/s.exec(rest) ?? [];
      if (step === '') return undefined;
      const named = { kind, step: asLabelled(program, step) } as const;
      return when === undefined ? named : { ...named, when: new Expression(when) };
    }
    case 'effect':
      return { kind, name: rest };
    case 'change':
      return { kind, variable: variableNamed(rest) };
    case 'if':
      return { kind, expression: new Expression(rest) };
    default:
      return undefined;
  }
}

const lineForm = /^\p{L}[^\s:]*:\d+(?:\.\d+)*(?:@\d+)?$/u;

/** Meets a breakpoint again and again; what changes is held against the time before. */
export class Trigger {
  readonly breakpoint: Breakpoint;
  /** Of a variable or a condition, when it was looked at last. */
  #before: string | undefined;

  constructor(breakpoint: Breakpoint) {
    this.breakpoint = breakpoint;
  }

  /** Takes what is there as seen: only what differs from it is met. */
  look(standing: Standing): void {
    this.#before = this.#text(standing);
  }

  isMet(standing: Standing): boolean {
    const { breakpoint } = this;
    const { moment } = standing;
    if (breakpoint.kind === 'step') {
      if (moment.kind !== 'step' || !isAt(breakpoint.step, moment.step, standing)) return false;
      return breakpoint.when === undefined || holds(breakpoint.when, standing);
    }
    if (breakpoint.kind === 'effect') {
      const id = moment.kind === 'outcome' ? moment.effect : undefined;
      return id !== undefined && [id, standing.tool].includes(breakpoint.name);
    }
    const before = this.#before;
    const now = this.#text(standing);
    this.#before = now;
    return now !== before && (breakpoint.kind === 'change' || now === 'true');
  }

  /** The variable's text, or whether the condition holds; it does not where it has no value. */
  #text(standing: Standing): string | undefined {
    const { breakpoint } = this;
    const { inspect, path, program } = standing;
    if (breakpoint.kind === 'if') return String(holds(breakpoint.expression, standing));
    if (breakpoint.kind !== 'change') return undefined;
    const inspection = inspect();
    const value = scopeOf(inspection, path).get(breakpoint.variable);
    const { pendings } = inspection;
    return value === undefined ? undefined : preview(value, { program, pendings }, changeMost);
  }
}

/** Whether a program has a step, a playbook, or a line of its text, of a name. */
export const isPlace = (program: Program, named: string): boolean =>
  labelsNamed(program, named).length > 0;

/** By label or id; the name of a playbook alone is its first line. */
function isAt(wanted: string, { id, index }: StepVisit, { program }: Standing): boolean {
  if (id === wanted) return true;
  const label = program.steps[index]?.label;
  if (/@\d+$/.test(wanted)) return false;
  return label !== undefined && labelsNamed(program, wanted).includes(label);
}

function holds(expression: Expression, { inspect, path }: Standing): boolean {
  const found = expression.evaluate(inspect(), path);
  return found.ok && truth(found.value);
}

/** Characters of a variable within which changes are seen. */
const changeMost = 2 ** 20;
