/**
 * When things happened in a run, from its events alone: the times in which a process had it, and
 * each attempt at each effect; of a fork, since it was made. Pure; asks neither the machine nor the
 * journal.
 */
import type { RunEvent } from '../journal/journal.ts';

/** A time in which one process had the run; epoch milliseconds. */
export interface Session {
  readonly from: number;
  readonly to: number;
}

export interface AttemptTimes {
  /** From 1. */
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Null where it runs, or where its process ended before it did. */
  readonly endedAt: number | null;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Timeline {
  readonly sessions: readonly Session[];
  /** By effect id. */
  readonly effects: ReadonlyMap<string, EffectTimes>;
}

export interface EffectTimes {
  /** When it was asked for, epoch milliseconds. */
  readonly queuedAt: number;
  /** In the order of their starts. */
  readonly attempts: readonly AttemptTimes[];
}

type AttemptDraft = { -readonly [K in keyof AttemptTimes]: AttemptTimes[K] };

interface Draft {
  queuedAt: number;
  attempts: AttemptDraft[];
}

export function timelineOf(events: readonly RunEvent[]): Timeline {
  const sessions: { from: number; to: number }[] = [];
  const effects = new Map<string, Draft>();
  for (const event of events) {
    if (event.type === 'run.forked') {
      // A fork's time is its own: what it has in common with its base took none of it.
      sessions.length = 0;
      effects.clear();
    }
    const begins = sessions.length === 0 || event.type === 'run.resumed';
    const session = begins ? { from: event.at, to: event.at } : sessions.at(-1);
    if (begins && session) sessions.push(session);
    if (session) session.to = event.at;
    read(effects, event);
  }
  return { sessions, effects };
}

function read(effects: Map<string, Draft>, event: RunEvent): void {
  if (event.type === 'effect.started') {
    // What was forgotten is begun anew.
    const known = event.attempt === 1 ? undefined : effects.get(event.effect);
    const own: AttemptDraft[] = known?.attempts ?? [];
    if (!known) effects.set(event.effect, { queuedAt: event.queuedAt, attempts: own });
    const before = own.at(-1);
    const { failed } = event;
    if (before && failed) {
      // A start is journaled a little later than it happens.
      before.startedAt = failed.startedAt;
      before.endedAt = failed.endedAt;
      before.error = { code: failed.code, message: failed.message };
    }
    const startedAt = event.startedAt ?? event.at;
    own.push({ attempt: event.attempt, startedAt, endedAt: null });
  } else if (event.type === 'effect.settled') {
    const own = effects.get(event.effect)?.attempts;
    const last = own?.at(-1);
    if (!own || !last) return;
    last.endedAt = event.at;
    if (!event.outcome.ok) {
      last.error = { code: event.outcome.error.code, message: event.outcome.error.message };
    }
    if (own.length === 1) last.startedAt = Math.min(last.startedAt, event.startedAt);
  } else if (event.type === 'effect.cancelled' || event.type === 'effect.unknown') {
    const last = effects.get(event.effect)?.attempts.at(-1);
    if (last) last.endedAt ??= event.at;
  }
}

/**
 * The run's own clock: milliseconds since its start in which a process had it, for a time. Between
 * two processes it stands still.
 */
export function runClock(sessions: readonly Session[]): (at: number) => number {
  return (at) =>
    sessions.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0);
}
