/** What an event makes of its run: the last `run.*` event is the run's status. */
import type { EventBody } from './journal.ts';
import type { RunReason, RunStatus } from './run-state.ts';

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
