/** A run as people see it: the lines that were done, what was said and called there, and values. */
import { stateSeen } from '../../../src/cli/record/seen-state.ts';
import { stackIn } from '../../../src/cli/view/step-stack.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { stateAt } from '../../../src/engine/past/time.ts';
import { showRun } from '../../../src/engine/views/show.ts';
import { stateView, type ValueView } from '../../../src/engine/views/state-view.ts';
import { load } from './played.ts';

export interface Seen {
  /** Each with the steps around it. */
  readonly ids: readonly string[];
  readonly says: readonly string[];
  /** In the order of the lines, but for turns of the model: a process that dies asks once more. */
  readonly calls: readonly string[];
}

export function seenIn(journal: Journal, run: string): Seen {
  const view = showRun({ journal, run, load });
  const stack = stackIn(view.steps);
  const order = new Map(view.steps.map(({ id }, at) => [id, at]));
  const effects = view.effects
    .filter(({ name }) => name !== 'turn')
    .toSorted((a, b) => (order.get(a.step) ?? -1) - (order.get(b.step) ?? -1));
  return {
    ids: view.steps.map(({ id }) => stack(id)),
    says: (view.says ?? []).map(({ step, text }) => `${step} ${text}`),
    calls: effects.map(
      ({ step, name, status, request, outcome }) =>
        `${step} ${name} ${status} ${JSON.stringify(request)} ${JSON.stringify(outcome)}`,
    ),
  };
}

/** Variables as a line was come to. */
export interface SeenAt {
  readonly shared: Values;
  /** By the lines that call each other, outermost first. */
  readonly frames: readonly (readonly [line: number, Values])[];
}

type Values = Readonly<Record<string, string>>;

export function seenAt(journal: Journal, run: string, at: string): SeenAt {
  const { variables, lines } = stateView(stateSeen(stateAt({ journal, run, load, at })), at);
  return {
    shared: textsOf(variables),
    frames: lines.flatMap(({ frames }) =>
      frames.map(({ line, locals }) => [line, textsOf(locals)] as const),
    ),
  };
}

/** All but what is still to come: who goes on with a run has waited for that. */
const textsOf = (values: Readonly<Record<string, ValueView>>): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { text, waits }]) => (waits ? [] : [[name, text]])),
  );
