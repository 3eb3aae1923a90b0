/**
 * What a model is told that is to change the program of a run, and where a fork begins with what it
 * writes: both from the run's journal.
 */

import { detect } from '../../dialects/index.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { inspectArrived } from '../../engine/past/arrived.ts';
import { labelNamed, nearSteps } from '../../engine/past/named-steps.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { stateAt } from '../../engine/past/time.ts';
import { type RunView, type StepView, showRun } from '../../engine/views/show.ts';
import type { Inspection } from '../../machine/inspection.ts';
import type { Goal } from '../../planner/goal.ts';
import { shortened } from '../../planner/prompt.ts';
import type { Revision, Scope, StepState, Write } from '../../planner/revision.ts';
import { stringify } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import { AgentError } from '../port/errors.ts';
import { load } from '../record/load.ts';
import { evidenceOf } from './evidence.ts';
import { knownVariables, localVariables } from './known-variables.ts';

export interface RunPlace {
  readonly journal: Journal;
  readonly run: string;
}

export interface Wanted extends RunPlace {
  /** A step id, with or without a visit; absent: the whole program. */
  readonly at?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly goal: Goal;
  readonly error?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly refused: readonly string[];
  readonly about: string;
  readonly isLast?: true | undefined;
}

/** Throws `AgentError` PV6042 for a step that the run has not come to. */
export function revisionOf(wanted: Wanted): Revision {
  const { journal, run, goal, error, suggestion, refused, about } = wanted;
  const view = showRun({ journal, run, load });
  const past = readPast(journal.events(run));
  const { text: program = '', dialect = '' } = past.program ?? {};
  const labels = labelsOf(program, dialect);
  const loaded = loadProgram(run, past, load);
  const at =
    wanted.at === undefined ? undefined : topLabel(wanted.at, labels, view, loaded.program);
  // Where nothing is taken apart, all of it is written anew.
  const scopes: readonly Scope[] = at === undefined ? ['plan'] : wanted.scopes;
  const [first] = at === undefined ? [] : entered(view, [at]);
  const inspectAt = (place: string): Inspection =>
    inspectArrived(stateAt({ journal, run, load, at: place }));
  const ended = error !== undefined || at === undefined ? inspectAt('end') : undefined;
  const known = at === undefined ? ended : first && inspectAt(first.id);
  const locals = error !== undefined && ended ? localVariables(ended) : [];
  return {
    ...{ goal, dialect, program, scopes, about, refused: [...refused, program] },
    ...(at !== undefined && { at }),
    ...(wanted.isLast && { isLast: true }),
    ...(error !== undefined && { calls: view.effects.slice(-callsMost).map(evidenceOf) }),
    states: statesOf(view, labels),
    variables: known ? knownVariables(known.globals) : [],
    ...(locals.length > 0 && { locals }),
    ...(error !== undefined && { error }),
    ...(suggestion !== undefined && { suggestion }),
    // A program that is written anew from its beginning may leave out any of them.
    writes: writesFrom(view, scopes.includes('plan') ? undefined : first?.id),
  };
}

/**
 * The step id from which on a fork may differ: where the run first entered any step that is written
 * anew. Undefined for the beginning.
 */
export function forkPoint(
  { journal, run }: RunPlace,
  { at, program, dialect }: Pick<Revision, 'at' | 'program' | 'dialect'>,
  scope: Scope,
): string | undefined {
  if (at === undefined || scope === 'plan') return undefined;
  const labels = labelsOf(program, dialect);
  const changed = scope === 'step' ? [at] : labels.slice(labels.indexOf(at));
  return entered(showRun({ journal, run, load }), changed)[0]?.id;
}

/** Calls that are nearest to the failure. */
const callsMost = 12;

export function labelsOf(text: string, name: string): string[] {
  const dialect = detect(text, { dialect: name });
  return 'code' in dialect ? [] : (dialect.parts?.of(text) ?? []).map(({ label }) => label);
}

/** Of `3.true.4@2`, the step of the plan that it stands in: `3`. */
function topLabel(
  step: string,
  labels: readonly string[],
  view: RunView,
  program: Program,
): string | undefined {
  const label = labelNamed(program, step);
  const top = labels.find((one) => label === one || label.startsWith(`${one}.`));
  if (top !== undefined && entered(view, [top]).length > 0) return top;
  if (labels.length === 0) return undefined;
  const steps = view.steps.map(({ id }) => id).join(', ');
  const why = top === undefined ? 'has no step' : 'has not come to step';
  throw new AgentError('PV6042', `run ${view.run} ${why} ${label}`, {
    facts: { run: view.run, step: label },
    hint: nearSteps(program, step) ?? `its steps: ${shortened(steps, 200)}`,
  });
}

const labelOf = ({ id }: StepView): string => id.replace(/@\d+$/, '');

/** Visits of these steps, and of those inside of them, in the order in which they were entered. */
function entered({ steps }: RunView, labels: readonly string[]): StepView[] {
  return steps.filter((step) => labels.some((label) => isIn(labelOf(step), label)));
}

const isIn = (label: string, top: string): boolean => label === top || label.startsWith(`${top}.`);

function statesOf(view: RunView, labels: readonly string[]): Record<string, StepState> {
  const states = labels.flatMap((label): [string, StepState][] => {
    const own = entered(view, [label]).map(({ status }) => status);
    if (own.length === 0) return [];
    if (own.includes('failed')) return [[label, 'failed']];
    return [[label, own.every((status) => status === 'done') ? 'done' : 'begun']];
  });
  return Object.fromEntries(states);
}

/** Writes that have succeeded in a step that was entered there or later. */
function writesFrom({ steps, effects }: RunView, from: string | undefined): Write[] {
  const index = steps.findIndex(({ id }) => id === from);
  const later = new Set(steps.slice(Math.max(index, 0)).map(({ id }) => id));
  const made = effects.filter((one) => one.class === 'write' && one.status === 'done');
  const own = index < 0 ? made : made.filter(({ step }) => later.has(step));
  return own.map(({ step, name: tool, request }) => ({
    ...{ step, tool, request: shortened(stringify(request)) },
  }));
}
