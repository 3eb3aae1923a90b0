/** Where a debugger stops on its way, and what it shows each time: breakpoints and watches. */

import type { Moment } from '../../engine/past/walk.ts';
import { preview } from '../../engine/views/preview.ts';
import { truth } from '../../machine/compare.ts';
import type { Inspection } from '../../machine/inspection.ts';
import type { Program } from '../../program/program.ts';
import { Expression, scopeOf } from './expression.ts';
import { variableNamed, writtenName } from './references.ts';

export type Breakpoint =
  /** A step by its label, or one visit of it by its id. */
  | { readonly kind: 'step'; readonly step: string }
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
  readonly inspect: () => Inspection;
}

export function textOf(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'step':
      return `step ${breakpoint.step}`;
    case 'effect':
      return `effect ${breakpoint.name}`;
    case 'change':
      return `change ${writtenName(breakpoint.variable)}`;
    case 'if':
      return `if ${breakpoint.expression.text}`;
  }
}

/** Undefined where the words make none; `if` takes all that follows. */
export function parseBreakpoint(words: string): Breakpoint | undefined {
  const [, kind = '', rest = ''] = /^(\S+)\s+(.+)$/s.exec(words.trim()) ?? [];
  switch (kind) {
    case 'step':
      return { kind, step: rest.replace(/@1$/, '') };
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
      const id = moment.kind === 'step' ? moment.step.id : '';
      return id === breakpoint.step || id.replace(/@\d+$/, '') === breakpoint.step;
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
  #text({ inspect, program }: Standing): string | undefined {
    const { breakpoint } = this;
    if (breakpoint.kind === 'if') {
      const found = breakpoint.expression.evaluate(inspect());
      return String(found.ok && truth(found.value));
    }
    if (breakpoint.kind !== 'change') return undefined;
    const inspection = inspect();
    const value = scopeOf(inspection).get(breakpoint.variable);
    const { pendings } = inspection;
    return value === undefined ? undefined : preview(value, { program, pendings }, changeMost);
  }
}

/** Characters of a variable within which changes are seen. */
const changeMost = 2 ** 20;
