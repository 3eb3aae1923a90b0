/**
 * Steps that code enters by their names, with `at_step`: those of a text that a loop carries out,
 * which declares them (`Program.steps`). They are counted, shown and stopped at as any.
 *
 * - N1 What enters them is the main line, or an `attempt` that it waits for, and so on inwards. So
 *   there is one at a time, and which visit it is does not depend on what comes when. In a
 *   `parallel` a name is only shown.
 * - N2 An attempt counts for itself. What it has counted holds once it has succeeded.
 * - N3 A visit may be counted before it is entered, for what is asked for ahead of it.
 */
import type { Step } from '../program/program.ts';
import { visited } from './instructions.ts';
import type { State } from './state.ts';
import type { StepVisit } from './turn.ts';

export interface NamedStep {
  readonly label: string;
  /** The id of the step that it is a part of; empty where it stands alone. */
  readonly within: string;
  /** Who does it; empty where that goes without saying. */
  readonly by: string;
  /** Whether the label is the id of a visit that was counted ahead. */
  readonly isCounted: boolean;
}

export function enterNamed(state: State, { label, within, by, isCounted }: NamedStep): void {
  // An error is this step's.
  state.label = label;
  const index = indexOf(state, label);
  if (index === undefined || isBeside(state)) return;
  const { hub, outbox, fiber } = state;
  const entered = {
    ...((isCounted && counted(state, index, label)) || visited(state, index)),
    ...(within !== '' && { within }),
    ...(by !== '' && { by }),
    ...(fiber && { path: fiber.path }),
  };
  state.label = entered.id;
  outbox.steps.push(entered);
  if (hub.pause !== undefined) hub.isPaused = hub.pause(entered);
}

/** Counts the next visit of a step, and enters nothing; gives its id, as a label. */
export function countNamed(state: State, label: string): string {
  const index = indexOf(state, label);
  return index === undefined || isBeside(state) ? label : visited(state, index).id;
}

/** A visit that was counted; undefined where an attempt has counted it that has failed (N2). */
function counted(state: State, index: number, id: string): StepVisit | undefined {
  const visit = Number(/@(\d+)$/.exec(id)?.[1] ?? 1);
  return visit > (state.visits[index] ?? 0) ? undefined : { index, visit, id };
}

/** The step that a state's label names; undefined where that is none of the program. */
export const indexOf = ({ program: { steps } }: State, id: string): number | undefined =>
  byLabel(steps).get(id.replace(/@\d+$/, ''));

const known = new WeakMap<readonly Step[], ReadonlyMap<string, number>>();

function byLabel(steps: readonly Step[]): ReadonlyMap<string, number> {
  const found = known.get(steps) ?? new Map(steps.map(({ label }, index) => [label, index]));
  known.set(steps, found);
  return found;
}

/** Whether it runs beside others (N1). */
function isBeside({ fiber }: State): boolean {
  for (let around = fiber; around; around = around.parent.fiber) {
    if (around.work.mode !== 'attempt') return true;
  }
  return false;
}

/** Begins to count where the line stands that waits for an attempt (N2). */
export function countAlong(child: State, parent: State): void {
  if (parent.label !== '') child.visits = [...parent.visits];
}

/** The attempt has succeeded: what it has counted holds. */
export function takeCounted(parent: State, child: State): void {
  if (parent.label !== '' || child.label !== '') parent.visits = child.visits;
}
