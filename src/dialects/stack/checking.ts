/** Where the check of a program has come to, and what its parts share. */
import type { Site } from '../../program/effect.ts';
import type { Environment } from '../dialect.ts';
import { type Depth, take } from './depth.ts';
import { forms } from './forms.ts';
import { error, type Report, warn } from './report.ts';
import type { StackTree } from './tree.ts';

export interface Checking {
  readonly report: Report;
  readonly environment: Environment;
  /** The variables that are set by now. */
  readonly names: Set<string>;
  /** The stack, or inside of a foreach the one of an element. */
  readonly depth: Depth;
  /** Inside of a foreach: whether its element has been looked at. */
  readonly element: { isUsed: boolean } | undefined;
  /** The programs that it may use. */
  readonly programs: StackTree['programs'];
  /** The programs inside of which this one is checked. */
  readonly within: readonly string[];
  /** How many programs are used so far, in all of them. */
  readonly uses: { count: number };
  /** Whether there are statements that could not be read. */
  readonly isBroken: boolean;
  /** Whether any statement answers. */
  readonly seen: { answers: boolean };
}

/** Takes values, and says where that is a part of what a foreach has left. */
export function takeFrom(c: Checking, at: Site, count: number | 'all'): void {
  const many = take(c.depth, count);
  if (!many || count === 'all') return;
  const taken = count === 1 ? 'the newest value' : `the ${count} newest values`;
  const all = many.count === undefined ? 'one for each element' : String(many.count);
  const message = `this takes ${taken} of those that foreach leaves, which are ${all}`;
  warn(c.report, 'halfTaken', at, message, { hint: 'stack() takes all of them' });
}

/** What is not told what it is about is about the element, or about the top of the stack. */
export function takeTop(c: Checking, at: Site, what: string): void {
  takeFrom(c, at, 1);
  if (c.element) {
    c.element.isUsed = true;
    return;
  }
  const message = `${what} is not told what it is about; it takes the top of the stack`;
  warn(c.report, 'implicitTop', at, message, {
    hint: what === 'llm_call' ? `write ${forms.llm_call}` : 'give it stack_pop(1)',
  });
}

/** Says which tools a statement cannot do without, where they are not there. */
export function needTools(c: Checking, at: Site, why: string, names: readonly string[]): void {
  const { tools, open } = c.environment;
  const missing = names.filter((name) => !tools.has(name));
  if (missing.length === 0 || open) return;
  const message = `${why}: the tool ${missing.join(' and ')} is not there`;
  error(c.report, 'unknownTool', at, message, {
    hint: 'what a run may call is said by allow and deny',
  });
}
