/**
 * What must hold of every run's history, whoever wrote it and however often that process died. A
 * break of a rule is a damaged or edited journal, or a defect of planvm.
 *
 * - H1 Events are numbered from 1 without gaps; the first says what the run is.
 * - H2 What happens to an effect happens after its start, and nothing after its outcome.
 * - H3 An effect has one outcome, unless resuming the run has said that it no longer counts.
 * - H4 An effect is one request: its hash stays the same.
 * - H5 Attempts are counted one by one, parts from 0 without gaps.
 * - H6 After its end, nothing happens in a run before it is taken up again.
 *
 * What a fork shares with its base ends anywhere in the base; from there on it may differ in all.
 */
import type { EventBody, RunEvent } from './journal.ts';
import type { RunReason, RunStatus } from './run-state.ts';

/** A rule that is broken, by the event that breaks it. */
export interface Break {
  readonly seq: number;
  readonly message: string;
}

/** What of the events of one run, all of them and in order, cannot be. */
export function breaksIn(events: readonly RunEvent[]): Break[] {
  const reader = new Reader();
  events.forEach((event, i) => {
    if (event.seq !== i + 1) reader.report(event, `comes as event ${i + 1}`);
    if (i === 0 && event.type !== 'run.started') reader.report(event, 'is the first event');
    reader.read(event);
  });
  return reader.breaks;
}

interface Known {
  hash: string | undefined;
  attempts: number;
  parts: number;
  settled: boolean;
}

type EffectEvent = Extract<RunEvent, { effect: string; tool: string }>;

class Reader {
  readonly breaks: Break[] = [];
  readonly #effects = new Map<string, Known>();
  #isFork = false;
  /** The event that ended the run, while nobody has taken it up again. */
  #end: RunEvent['type'] | undefined;

  report({ seq, type }: RunEvent, problem: string): void {
    this.breaks.push({ seq, message: `event ${seq} (${type}) ${problem}` });
  }

  read(event: RunEvent): void {
    const effect = event.type.startsWith('effect.') || event.type === 'message.emitted';
    if (effect && this.#end) this.report(event, `comes after the run's end (${this.#end})`);
    if ('result' in event) {
      if (this.#end === 'run.finished') this.report(event, 'comes after run.finished');
      this.#end = event.type;
    } else if (event.type === 'run.resumed') {
      if (this.#end === 'run.finished') this.report(event, 'resumes a run that is done');
      this.#end = undefined;
      for (const id of event.again ?? []) this.#effects.delete(id);
    } else if (event.type === 'run.forked') {
      this.#end = undefined;
      this.#effects.clear();
      this.#isFork = true;
    } else if (event.type === 'effect.reused') {
      const { hash } = event;
      this.#effects.set(event.effect, { hash, attempts: 0, parts: 0, settled: true });
    } else if (event.type === 'approval.requested') {
      // One that is denied has an outcome and never starts.
      const asked = { hash: undefined, attempts: 0, parts: 0, settled: false };
      if (!this.#effects.has(event.effect)) this.#effects.set(event.effect, asked);
    } else if (event.type === 'effect.started') {
      this.#started(event);
    } else if ('effect' in event && 'attempts' in event) {
      this.#ended(event);
    } else if (event.type === 'effect.part') {
      this.#part(event);
    }
  }

  #started(event: Extract<RunEvent, { type: 'effect.started' }>): void {
    const known = this.#effects.get(event.effect);
    if (known?.settled) this.report(event, `starts ${event.effect}, which has its outcome`);
    if (known && event.attempt <= known.attempts && event.attempt !== 1) {
      this.report(event, `is attempt ${event.attempt} after attempt ${known.attempts}`);
    }
    this.#sameHash(event, known);
    const { hash, attempt } = event;
    this.#effects.set(event.effect, {
      ...{ hash, attempts: attempt, settled: false },
      parts: known?.parts ?? 0,
    });
  }

  #ended(event: Extract<EffectEvent, { attempts: number }>): void {
    const known = this.#effects.get(event.effect);
    if (!known && event.type === 'effect.settled' && event.as !== undefined) {
      this.#shared(event, event.as);
      return;
    }
    if (!known && !this.#isFork) {
      this.report(event, `is about ${event.effect}, which has not started`);
    } else if (known?.settled) {
      this.report(event, `is about ${event.effect}, which has its outcome`);
    }
    if ('hash' in event) this.#sameHash(event, known);
    if (known && event.type === 'effect.settled') known.settled = true;
  }

  /** It has no start of its own, but the outcome of one that is over. */
  #shared({ hash, ...event }: Extract<RunEvent, { type: 'effect.settled' }>, as: string): void {
    if (!this.#effects.get(as)?.settled && !this.#isFork) {
      this.report({ hash, ...event }, `takes the outcome of ${as}, which has none`);
    }
    this.#effects.set(event.effect, { hash, attempts: 0, settled: true, parts: 0 });
  }

  #part(event: Extract<RunEvent, { type: 'effect.part' }>): void {
    const known = this.#effects.get(event.effect);
    if (!known) this.report(event, `is about ${event.effect}, which has not started`);
    else if (known.settled) this.report(event, `is about ${event.effect}, which has its outcome`);
    else if (event.index !== known.parts++) {
      this.report(event, `is part ${event.index} of ${event.effect}, want ${known.parts - 1}`);
    }
  }

  #sameHash(event: EffectEvent & { hash: string }, known: Known | undefined): void {
    if (known?.hash === undefined || known.hash === event.hash) return;
    this.report(event, `is about ${event.effect} with another request than before`);
  }
}

// What an event makes of its run: the last `run.*` event is the run's status.

export interface Turn {
  readonly status: RunStatus;
  readonly reason?: RunReason;
}

const reasons: Readonly<Record<RunReason, true>> = {
  person: true,
  approval: true,
  time: true,
  limit: true,
  unknown: true,
  diverged: true,
  interrupted: true,
};

export const runReasons: readonly RunReason[] = Object.keys(reasons) as RunReason[];

/** The status of a run from its creation on, until an event says otherwise. */
export const created: Turn = { status: 'running' };

/** The status the run has after the last of these events that changes it, if one does. */
export function lastTurn(events: readonly EventBody[]): Turn | undefined {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    // Nearly all are about effects, and each append is looked through.
    if (!event?.type.startsWith('run.')) continue;
    const turn = turnOf(event);
    if (turn !== undefined) return turn;
  }
  return undefined;
}

/** The status that an event with a result gives its run. */
export const statusOf = {
  'run.finished': 'done',
  'run.failed': 'failed',
  'run.waiting': 'waiting',
  'run.suspended': 'suspended',
  'run.cancelled': 'cancelled',
} as const;

/** Those that a run in a journal has: of an invalid program there is none. */
export const runStatuses: readonly RunStatus[] = ['running', ...Object.values(statusOf)];

function turnOf(event: EventBody): Turn | undefined {
  switch (event.type) {
    case 'run.started':
    case 'run.forked':
    case 'run.resumed':
      return { status: 'running' };
    case 'run.finished':
    case 'run.failed':
    case 'run.waiting':
    case 'run.suspended':
    case 'run.cancelled':
      return ended(statusOf[event.type], event.reason);
    default:
      return undefined;
  }
}

function ended(status: RunStatus, reason: RunReason | undefined): Turn {
  return reason === undefined ? { status } : { status, reason };
}
