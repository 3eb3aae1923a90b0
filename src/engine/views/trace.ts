/**
 * The document of `show --trace --json`: steps → effects → attempts with their times, and the
 * critical path.
 *
 * What an effect *waited for* is the effect whose outcome let the machine ask for it. The machine
 * is run again with one outcome at a time, in the order of the journal; what it asks for after one
 * of them needed that one, be it by a value, by a branch, by the order of writes or by a full
 * window.
 * The *critical path* goes back from the outcome after which the program could end, from effect to
 * effect that it waited for, to the start. What is no effect's own time on it is the machine's and
 * the journal's.
 * A fork begins when it was made. What it has from its base took none of its time, cost it nothing,
 * and is not on its path.
 */
import { raceTool } from '../../program/effect.ts';
import type { RunReason, RunStatus } from '../journal/run-state.ts';
import { type ResultUsage, usageOf } from '../result.ts';
import { nothingSpent, type Spent, spend } from '../spent.ts';
import type { EffectView, Look, StepView } from './show.ts';
import { type EffectTimes, runClock, type Session, timelineOf } from './timeline.ts';

export interface RunTrace {
  readonly run: string;
  readonly status: RunStatus;
  readonly reason?: RunReason;
  /** Epoch milliseconds; of a fork, when it was made. */
  readonly startedAt: number;
  readonly totals: TraceTotals;
  /** The times in which a process had the run. */
  readonly sessions: readonly Session[];
  readonly steps: readonly TraceStep[];
  /** From the start to the end. */
  readonly criticalPath: readonly TraceSegment[];
}

/** Milliseconds; between two processes no time passes. */
export interface TraceTotals {
  /** From start to end: the makespan. */
  readonly wallMs: number;
  /** All effects, one after the other. */
  readonly runMs: number;
  /** Time in which effects waited for a slot or a budget. */
  readonly queueMs: number;
  /** How many effects ran on average: `runMs` / `wallMs`, to two digits. */
  readonly parallelism: number;
  readonly critical: {
    readonly runMs: number;
    readonly queueMs: number;
    readonly machineMs: number;
  };
  readonly usage: ResultUsage;
}

export interface TraceStep {
  readonly id: string;
  readonly kind: string;
  readonly status: StepView['status'];
  readonly objective?: string;
  readonly by?: string;
  /** Milliseconds since the start of the run to the first request and to the last end. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly critical: boolean;
  readonly usage: ResultUsage;
  readonly effects: readonly TraceEffect[];
}

export interface TraceEffect {
  readonly id: string;
  readonly name: string;
  readonly kind: EffectView['kind'];
  readonly status: EffectView['status'];
  /** Milliseconds since the start of the run; null where it has not come to that. */
  readonly queuedMs: number | null;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** How long it waited for a slot or a budget, and how long it ran, all attempts together. */
  readonly queueMs: number;
  readonly runMs: number;
  readonly critical: boolean;
  /** The effect whose outcome let the machine ask for it; null where it needed none. */
  readonly waitedFor: string | null;
  readonly usage?: ResultUsage;
  /** Of a fork, where it has the outcome from its base: it has no times of its own. */
  readonly origin?: 'base' | 'reused';
  readonly attempts: readonly TraceAttempt[];
}

export interface TraceAttempt {
  readonly attempt: number;
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An effect on the critical path. */
export interface TraceSegment {
  readonly effect: string;
  readonly step: string;
  /** Between the end of what it waited for and its request: machine and journal. */
  readonly machineMs: number;
  readonly queueMs: number;
  readonly runMs: number;
}

export function traceOf({ view, events, again }: Look): RunTrace {
  const timeline = timelineOf(events);
  const { sessions } = timeline;
  const clock = runClock(sessions);
  const wallMs = clock(sessions.at(-1)?.to ?? 0);
  const effects = new Map(
    view.effects.map((effect): [string, Timed] => [
      effect.id,
      timed(effect, timeline.effects.get(effect.id), clock, wallMs),
    ]),
  );
  const criticalPath = pathOf(effects, again.causes, lastOf(effects, again.last), wallMs);
  const critical = new Set(criticalPath.map(({ effect }) => effect));
  const byStep = Map.groupBy(effects.values(), ({ view: { step } }) => step);
  const traced = (step: TracedStep): TraceStep => {
    const own = byStep.get(step.id) ?? [];
    const shown = own.map((effect) => {
      const { id } = effect.view;
      return effectTrace(effect, critical.has(id), again.causes.get(id));
    });
    return stepTrace(step, shown, spentOn(own));
  };
  const ids = new Set(view.steps.map(({ id }) => id));
  // Of effects outside any step, or of one that the program no longer has.
  const loose = [...byStep.keys()].filter((id) => !ids.has(id));
  const outside = loose.map((id): TracedStep => ({ id, kind: '', status: 'done' }));
  const { run, status, reason } = view;
  return {
    run,
    status,
    ...(reason ? { reason } : {}),
    startedAt: sessions[0]?.from ?? 0,
    totals: totalsOf([...effects.values()], criticalPath, wallMs),
    sessions,
    steps: [...view.steps, ...outside].map(traced),
    criticalPath,
  };
}

/** An effect on the run's own clock. */
interface Timed {
  readonly view: EffectView;
  /** Where it has come from, if it was not performed by this run. */
  readonly origin: EffectView['origin'];
  readonly times: Times;
}

interface Times {
  readonly queued: number | null;
  readonly started: number | null;
  readonly ended: number | null;
  readonly queueMs: number;
  readonly runMs: number;
  readonly attempts: readonly TraceAttempt[];
}

function timed(
  view: EffectView,
  own: EffectTimes | undefined,
  clock: (at: number) => number,
  nowMs: number,
): Timed {
  // What its base has begun and not ended, a fork performs itself.
  const origin = (own?.attempts ?? []).length > 0 ? undefined : view.origin;
  if (origin !== undefined) {
    const times = { queued: null, started: null, ended: null, queueMs: 0, runMs: 0 };
    return { view, origin, times: { ...times, attempts: [] } };
  }
  const made = (own?.attempts ?? []).map(({ attempt, startedAt, endedAt, error }) => ({
    attempt,
    startedMs: clock(startedAt),
    endedMs: endedAt === null ? null : clock(endedAt),
    ...(error ? { error } : {}),
  }));
  const queuedAt = own?.queuedAt ?? view.queuedAt;
  const queued = queuedAt === null ? null : clock(queuedAt);
  const started = made[0]?.startedMs ?? null;
  const ended = view.endedAt === null ? null : clock(view.endedAt);
  const queueMs = queued === null ? 0 : Math.max(0, (started ?? nowMs) - queued);
  const runMs = started === null ? 0 : Math.max(0, (ended ?? nowMs) - started);
  return { view, origin, times: { queued, started, ended, queueMs, runMs, attempts: made } };
}

function effectTrace(timed: Timed, critical: boolean, cause: string | undefined): TraceEffect {
  const { view, origin, times } = timed;
  return {
    id: view.id,
    name: view.name,
    kind: view.kind,
    status: view.status,
    queuedMs: times.queued,
    startedMs: times.started,
    endedMs: times.ended,
    queueMs: times.queueMs,
    runMs: times.runMs,
    critical,
    waitedFor: cause ?? null,
    ...(view.usage && origin === undefined ? { usage: usageOf(spentOn([timed])) } : {}),
    ...(origin === undefined ? {} : { origin }),
    attempts: times.attempts,
  };
}

type TracedStep = Pick<StepView, 'id' | 'kind' | 'status' | 'objective' | 'by'>;

function stepTrace(step: TracedStep, effects: readonly TraceEffect[], spent: Spent): TraceStep {
  const starts = effects.flatMap(({ queuedMs }) => queuedMs ?? []);
  const ends = effects.flatMap(({ endedMs }) => endedMs ?? []);
  const { id, kind, status, objective, by } = step;
  return {
    id,
    kind,
    status,
    ...(objective === undefined ? {} : { objective }),
    ...(by === undefined ? {} : { by }),
    fromMs: starts.length === 0 ? null : Math.min(...starts),
    toMs: ends.length === 0 ? null : Math.max(...ends),
    critical: effects.some(({ critical }) => critical),
    usage: usageOf(spent),
    effects,
  };
}

function spentOn(effects: readonly Timed[]): Spent {
  const spent = nothingSpent();
  for (const { view, origin } of effects) if (origin === undefined) spend(spent, view.usage);
  return spent;
}

function totalsOf(
  effects: readonly Timed[],
  path: readonly TraceSegment[],
  wallMs: number,
): TraceTotals {
  // A race is no work of its own: it lasts while others run.
  const working = effects.filter(({ view }) => view.name !== raceTool);
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const runMs = sum(working.map(({ times }) => times.runMs));
  const critical = {
    runMs: sum(path.map((segment) => segment.runMs)),
    queueMs: sum(path.map((segment) => segment.queueMs)),
  };
  return {
    wallMs,
    runMs,
    queueMs: sum(working.map(({ times }) => times.queueMs)),
    parallelism: wallMs === 0 ? 0 : Math.round((100 * runMs) / wallMs) / 100,
    critical: { ...critical, machineMs: Math.max(0, wallMs - critical.runMs - critical.queueMs) },
    usage: usageOf(spentOn(effects)),
  };
}

/** Where the path ends: what the machine took last, or what still runs where it waits. */
function lastOf(
  effects: ReadonlyMap<string, Timed>,
  settled: string | undefined,
): string | undefined {
  const open = [...effects].filter(
    ([, { view, times }]) => times.started !== null && times.ended === null && !isRace(view),
  );
  return open.at(-1)?.[0] ?? settled;
}

const isRace = ({ name }: EffectView): boolean => name === raceTool;

function pathOf(
  effects: ReadonlyMap<string, Timed>,
  causes: ReadonlyMap<string, string>,
  last: string | undefined,
  wallMs: number,
): TraceSegment[] {
  const path: TraceSegment[] = [];
  const seen = new Set<string>();
  let next = last;
  /** What follows on the path had been asked for then: a stream counts until that. */
  let until = wallMs;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const { view, times, origin } = effects.get(next) ?? {};
    if (!view || !times) break;
    if (origin !== undefined) {
      next = causes.get(next);
      continue;
    }
    const winner = isRace(view) ? winnerOf(effects, view, times) : undefined;
    if (winner !== undefined) {
      next = winner;
      continue;
    }
    const cause = ownCause(effects, causes, next);
    const from = cause === undefined ? 0 : (effects.get(cause)?.times.ended ?? 0);
    const machineMs = Math.max(0, (times.queued ?? wallMs) - from);
    const early = Math.max(0, (times.ended ?? wallMs) - until);
    const runMs = Math.max(0, times.runMs - early);
    path.push({ effect: next, step: view.step, machineMs, queueMs: times.queueMs, runMs });
    until = times.queued ?? until;
    next = cause;
  }
  return path.reverse();
}

/** What it waited for that the run has performed itself: what a fork takes over, takes no time. */
function ownCause(
  effects: ReadonlyMap<string, Timed>,
  causes: ReadonlyMap<string, string>,
  effect: string,
): string | undefined {
  let cause = causes.get(effect);
  while (cause !== undefined && effects.get(cause)?.origin) cause = causes.get(cause);
  return cause;
}

/** What decided a race: what ended last before it did; nothing where its time was over. */
function winnerOf(
  effects: ReadonlyMap<string, Timed>,
  { outcome }: EffectView,
  { queued, ended }: Times,
): string | undefined {
  const over = outcome !== null && 'value' in outcome && outcome.value === null;
  if (ended === null || over) return undefined;
  let winner: [string, number] | undefined;
  for (const [id, { view, times }] of effects) {
    if (isRace(view) || times.ended === null || times.ended > ended) continue;
    if (queued !== null && times.ended < queued) continue;
    if (winner === undefined || times.ended > winner[1]) winner = [id, times.ended];
  }
  return winner?.[0];
}
