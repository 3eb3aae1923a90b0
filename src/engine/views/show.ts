/**
 * The document that `show --json` prints: the steps and effects of a run, from its journal. Steps
 * are not journaled; the pure machine runs the program again with the recorded outcomes.
 */
import type { View } from '../../machine/machine.ts';
import type { StepVisit } from '../../machine/turn.ts';
import {
  type EffectError,
  type Request,
  raceTool,
  type Source,
  type ToolSpec,
} from '../../program/effect.ts';
import { decode, textOf } from '../../program/json.ts';
import { isOfAnother, isShown, type Program } from '../../program/program.ts';
import { waitsOf } from '../due.ts';
import type { Usage } from '../handler.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import type { RunMetadata } from '../journal/run-identity.ts';
import type { RunReason, RunStatus } from '../journal/run-state.ts';
import { withVerdicts } from '../judged.ts';
import { type Loaded, loadProgram, type RecordedRun } from '../load.ts';
import type { Past, PastEffect } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import { isHandedIn } from '../past/replay.ts';
import { messagesIn, type Said } from '../past/verify.ts';
import { Walk } from '../past/walk.ts';
import { shownArguments } from '../perform/arguments.ts';
import type { OpenWait } from '../perform/person.ts';
import { type Answer, answerOf, shownOf } from '../result.ts';
import { findRun } from '../run-name.ts';
import { aroundIn } from './around.ts';

export interface RunView {
  readonly run: string;
  readonly status: RunStatus;
  readonly reason?: RunReason;
  readonly title: string;
  readonly metadata?: RunMetadata;
  /** The last of the answers, else null. */
  readonly answer: unknown;
  /** Those that it has given so far, with what was said of them. */
  readonly answers: readonly Answer[];
  /** What a waiting run waits for, with replies that were left. */
  readonly waits?: readonly OpenWait[];
  readonly steps: readonly StepView[];
  /** In the order in which they were started; those that never were come last. */
  readonly effects: readonly EffectView[];
  /**
   * What it has said to whom it talks with, in order, and what the loop over another text has to
   * say of that; absent where that is nothing.
   */
  readonly says?: readonly SayView[];
}

export interface SayView {
  readonly step: string;
  readonly text: string;
  /** To whom, where that is not the person who uses it. */
  readonly to?: string;
  /** It is for whoever looks on, not for whom the program talks with. */
  readonly isNote?: true;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface StepView {
  /** `4@2`. */
  readonly id: string;
  readonly kind: string;
  /** `running`: entered and not over, also where no process goes on with the run now. */
  readonly status: 'running' | 'done' | 'failed' | 'unknown' | 'cancelled' | 'skipped';
  /** Of a task that has given nothing: why. */
  readonly reason?: string;
  readonly objective?: string;
  readonly reasoning?: string;
  /** The step's own text. */
  readonly source?: string;
  /** The step that it is a part of: `Main:03` of one of a playbook that is called there. */
  readonly within?: string;
  /** Who does it, where that is one of several: the agent `Ann`, which is like `Player`. */
  readonly by?: string;
  /** The text that it stands in, where that is not the program's own. */
  readonly file?: string;
  readonly line: number;
}

export interface EffectView {
  readonly id: string;
  readonly step: string;
  readonly kind: ToolSpec['kind'];
  readonly name: string;
  readonly class: ToolSpec['effect'];
  /**
   * `interrupted`: started, but no process has the run now. `waiting`: for a person or for time,
   * with or without a process.
   */
  readonly status:
    | 'queued'
    | 'running'
    | 'interrupted'
    | 'waiting'
    | 'done'
    | 'failed'
    | 'unknown'
    | 'cancelled';
  readonly attempts: number;
  /** Epoch milliseconds; null where it has not come to that. */
  readonly queuedAt: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The arguments as ordinary JSON data. */
  readonly request: unknown;
  readonly outcome: { readonly value: unknown } | { readonly error: EffectError } | null;
  /** What its model calls have used. */
  readonly usage?: Usage;
  /** Where its outcome comes from, by what the tool said. */
  readonly sources?: readonly Source[];
  /** The tool that has performed it, where that is an alternative of the one that failed. */
  readonly standIn?: string;
  /** The model that it asks, where that is not the run's own. */
  readonly model?: string;
  /** It was not performed: it has the outcome of this effect, an equal request of the run. */
  readonly as?: string;
  /**
   * Of a fork, where it was performed if not here: before the step at which the fork began, or
   * behind it, so that an equal request has taken its outcome.
   */
  readonly origin?: 'base' | 'reused';
  /** Runs within it, which have made its outcome or are to make it. */
  readonly inner?: readonly { readonly run: string; readonly status: RunStatus }[];
}

/** Throws `RunError` where there is no such run, or its program cannot be read any more. */
export const showRun = (options: RecordedRun): RunView => lookAt(options).view;

/** A run as it is shown, and what it was made of. */
export interface Look {
  readonly view: RunView;
  readonly events: readonly RunEvent[];
  readonly again: RunAgain;
  readonly program: Program;
}

/** The same with what else there is to know of it; throws as `showRun` does. */
export function lookAt({ journal, run, load }: RecordedRun): Look {
  const summary = findRun(journal, run);
  const events = journal.events(run);
  const past = readPast(events);
  const loaded = loadProgram(run, past, load);
  const recorded = [...past.effects];
  const again = runAgain(loaded, past, summary.status);
  const inner = innerRunsOf(journal, run);
  const effects = recorded.map(([id, effect]): EffectView => {
    const view = effectView(id, effect, loaded.specs.get(effect.tool), summary.owned);
    const own = inner.get(id);
    return own ? { ...view, inner: own } : view;
  });
  for (const request of again.queued) {
    const queued = queuedView(request, loaded.specs);
    const isAsked = past.approvals.get(request.id)?.state === 'requested';
    effects.push(isAsked ? { ...queued, status: 'waiting' } : queued);
  }
  const left = new Set(recorded.flatMap(([id, effect]) => (isLeft(effect) ? [id] : [])));
  const steps = stepViews(again, loaded.program, statesByStep(effects, left));
  const { status, reason, title, metadata } = summary;
  const notes = isOfAnother(loaded.program);
  const says = messagesIn(events).flatMap((one) => sayIn(one, notes));
  const said = says.length > 0 ? { says } : {};
  const { answers } = withVerdicts({ answers: again.view.answers.map(answerOf) }, past.verdicts);
  const waits = waitsOf(journal, summary);
  const view = {
    ...{ run, status, ...(reason ? { reason } : {}), title, ...(metadata && { metadata }) },
    ...{ answer: answers.at(-1)?.value ?? null, answers, ...(waits.length > 0 && { waits }) },
    ...{ steps, effects, ...said },
  };
  return { view, events, again, program: loaded.program };
}

function sayIn({ at, channel, step, value }: Said, withNotes: boolean): SayView[] {
  if (withNotes && channel === 'print') {
    return [{ step, text: textOf(decode(value)), isNote: true, at }];
  }
  if (channel !== 'say') return [];
  const { to, text }: { to?: unknown; text?: unknown } = Object(shownOf(value));
  if (typeof text !== 'string') return [{ step, text: textOf(decode(value)), at }];
  return [{ step, text, ...(typeof to === 'string' && { to }), at }];
}

/** By effect, oldest first. */
function innerRunsOf(
  journal: Journal,
  run: string,
): ReadonlyMap<string, NonNullable<EffectView['inner']>> {
  const all = journal.list({ within: run }).reverse();
  const byEffect = Map.groupBy(all, ({ parent }) => parent?.effect ?? '');
  return new Map(
    [...byEffect].map(([id, runs]) => [id, runs.map(({ id: run, status }) => ({ run, status }))]),
  );
}

export interface RunAgain {
  readonly view: View;
  /** The steps that it is at, unless it is over. */
  readonly at: readonly string[];
  readonly steps: readonly StepVisit[];
  /** Requests that the journal knows nothing of. */
  readonly queued: readonly Request[];
  /**
   * By effect, the one whose outcome, or part, let the machine ask for it: the last that it waited
   * for, in whatever way. Without an entry it was asked for at the start.
   */
  readonly causes: ReadonlyMap<string, string>;
  /** The effect after whose outcome the machine went as far as it came. */
  readonly last: string | undefined;
}

/** Takes the effects of `past` up, one by one. */
function runAgain(loaded: Loaded, past: Past, status: RunStatus): RunAgain {
  const steps: StepVisit[] = [];
  const queued = new Map<string, Request>();
  const causes = new Map<string, string>();
  let last: string | undefined;
  /** What was handed in with the requests of a turn: the next turn goes on with it. */
  let handed: string | undefined;
  const walk = new Walk({
    ...{ loaded, past, status },
    onRequest(request, known) {
      if (last !== undefined) causes.set(request.id, last);
      if (known.kind === 'nothing') queued.set(request.id, request);
      else if (known.kind !== 'other' && isHandedIn(known)) handed = request.id;
    },
    onCancel: (effect) => void queued.delete(effect),
    onTurn() {
      last = handed ?? last;
      handed = undefined;
    },
  });
  const note = (step: StepVisit): boolean => {
    if (isShown(loaded.program, step.index)) steps.push(step);
    return false;
  };
  for (let moment = walk.next(note); moment.kind !== 'end'; moment = walk.next(note)) {
    if (moment.kind === 'outcome') last = moment.effect;
  }
  const { machine } = walk;
  const view = machine.view();
  const isOver = view.status === 'done' || view.status === 'failed';
  const at = isOver ? [] : machine.inspect().lines.map(({ step }) => step);
  return { view, at, steps, queued: [...queued.values()], causes, last };
}

/** `owned`: whether a process has the run now. */
export function effectView(
  id: string,
  effect: PastEffect,
  spec: ToolSpec | undefined,
  owned: boolean,
): EffectView {
  const { outcome, attempts, step, tool, queuedAt, startedAt, endedAt, request } = effect;
  const { usage, origin, standIn, model, as, sources } = effect;
  return {
    id,
    step,
    kind: kindOf(tool, spec),
    name: tool,
    class: classOf(tool, spec),
    status: statusOf(effect, kindOf(tool, spec), owned),
    attempts,
    queuedAt,
    startedAt,
    endedAt: endedAt ?? null,
    request: request === undefined ? null : shownOf(request),
    outcome: outcome
      ? outcome.ok
        ? { value: shownOf(outcome.value) }
        : { error: outcome.error }
      : null,
    ...(usage ? { usage } : {}),
    ...(sources ? { sources } : {}),
    ...(standIn === undefined ? {} : { standIn }),
    ...(model === undefined ? {} : { model }),
    ...(as === undefined ? {} : { as }),
    ...(origin === 'own' ? {} : { origin }),
  };
}

function statusOf(
  { outcome, state }: PastEffect,
  kind: ToolSpec['kind'],
  owned: boolean,
): EffectView['status'] {
  if (outcome) return outcome.ok ? 'done' : 'failed';
  if (state === 'asked') return 'waiting';
  if (state !== 'started' && state !== 'settled') return state;
  if (kind === 'person' || kind === 'clock') return 'waiting';
  return owned ? 'running' : 'interrupted';
}

/** Without a declaration it is a race, or a tool that is not there any more. */
const kindOf = (name: string, spec: ToolSpec | undefined): ToolSpec['kind'] =>
  spec?.kind ?? (name === raceTool ? 'clock' : 'tool');

const classOf = (name: string, spec: ToolSpec | undefined): ToolSpec['effect'] =>
  spec?.effect ?? (name === raceTool ? 'read' : 'write');

/** Of an effect that was not started. */
export function queuedView(request: Request, specs: ReadonlyMap<string, ToolSpec>): EffectView {
  const spec = specs.get(request.tool);
  return {
    id: request.id,
    step: request.step,
    kind: kindOf(request.tool, spec),
    name: request.tool,
    class: classOf(request.tool, spec),
    status: 'queued',
    attempts: 0,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    request: shownOf(shownArguments(spec, request.args)),
    outcome: null,
  };
}

/**
 * A step is what its effects are, the worst of them; one without any is done once it has run, and
 * one that went on behind an effect that was given up, too. One that stands around another has
 * failed with it, and is over with it.
 */
function stepViews(
  { steps, view, at }: RunAgain,
  program: Program,
  states: ReadonlyMap<string, ReadonlySet<EffectView['status']>>,
): StepView[] {
  const around = aroundIn(steps);
  const error = view.error?.step;
  const failing = new Set(error === undefined ? [] : around(error));
  const open = new Set([...view.openSteps, ...at].flatMap(around));
  let failed = false;
  return steps.map(({ id, index, within, by }): StepView => {
    const { kind = '', objective, reasoning, source, file, line = 0 } = program.steps[index] ?? {};
    const said = { ...(objective && { objective }), ...(reasoning && { reasoning }) };
    const whose = { ...(within !== undefined && { within }), ...(by !== undefined && { by }) };
    const place = { ...whose, ...(file && { file }), line };
    const words = { ...said, ...(source && { source }), ...place };
    const own = states.get(id);
    const task = kind === 'task' ? view.failures.get(program.steps[index]?.label ?? '') : undefined;
    let status: StepView['status'] = 'done';
    if (failing.has(id)) status = 'failed';
    else if (own?.has('unknown')) status = 'unknown';
    else if (open.has(id)) status = 'running';
    else if (task) status = task.skipped ? 'skipped' : 'failed';
    // After the step that ended the run nobody has handled what failed beside it.
    else if (failed && own?.has('failed')) status = 'failed';
    else if (own ? own.has('cancelled') && !own.has('done') : failed) status = 'cancelled';
    failed ||= id === error;
    return { id, kind, status, ...(task && { reason: task.message }), ...words };
  });
}

/** Of a stream enough was read: whether its end had come by then says nothing of its step. */
const isLeft = ({ state, parts }: PastEffect): boolean => state === 'cancelled' && parts.length > 0;

function statesByStep(
  effects: readonly EffectView[],
  left: ReadonlySet<string>,
): Map<string, Set<EffectView['status']>> {
  const byStep = new Map<string, Set<EffectView['status']>>();
  for (const { id, step, status } of effects) {
    const states = byStep.get(step) ?? new Set();
    byStep.set(step, states.add(left.has(id) ? 'done' : status));
  }
  return byStep;
}
