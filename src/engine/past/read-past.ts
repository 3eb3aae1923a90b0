/** Reads a run's events into its past. Pure; asks nobody. */
import type { Usage } from '../handler.ts';
import type { EventOf, RunEvent } from '../journal/journal.ts';
import { noKey } from '../request-hash.ts';
import { readLimits, readSettings } from '../settings.ts';
import { addUsage, countEffect, countStandIn, nothingSpent, spend } from '../spent.ts';
import { branch, readReused } from './branch.ts';
import { remember } from './known-outcome.ts';
import type { Past, PastEffect, Reading } from './past.ts';
import { readApproval } from './past-approval.ts';
import { forget, noAnswers } from './past-effect.ts';

export function readPast(events: readonly RunEvent[]): Past {
  const reading: Reading = {
    record: undefined,
    requestKey: noKey,
    program: undefined,
    effects: new Map(),
    order: [],
    emits: 0,
    spent: nothingSpent(),
    warnings: [],
    verdicts: [],
    approvals: new Map(),
    raised: {},
    wallMs: 0,
    edit: undefined,
    writer: 'person',
    reuse: undefined,
    assignments: [],
    branches: [],
    lost: [],
    once: new Map(),
    isDone: false,
    lastSeq: events.at(-1)?.seq ?? 0,
  };
  let since = events[0]?.at ?? 0;
  let last = since;
  for (const event of events) {
    if (event.type === 'run.resumed') reading.wallMs += Math.max(0, last - since);
    if (event.type === 'run.resumed' || event.type === 'run.forked') since = event.at;
    last = event.at;
    read(reading, event);
  }
  // A clock may have been set back.
  reading.wallMs += Math.max(0, last - since);
  return reading;
}

function read(past: Reading, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      past.record = event.run;
      past.requestKey = readSettings(event.run.settings).requestKey;
      return;
    case 'run.forked':
      branch(past, event);
      past.isDone = false;
      return;
    case 'program.loaded':
    case 'program.replaced':
      past.program = event;
      return;
    case 'effect.started':
      readStarted(past, event);
      return;
    case 'effect.settled':
      readSettled(past, event);
      return;
    case 'effect.reused':
      readReused(past, event);
      return;
    case 'effect.part':
      effectOf(past, event).parts[event.index] = event.value;
      return;
    case 'effect.asked':
    case 'effect.answered':
      readAsked(effectOf(past, event), event);
      return;
    case 'effect.unknown':
      readUnknown(past, event);
      return;
    case 'effect.cancelled': {
      const effect = effectOf(past, event);
      effect.state = 'cancelled';
      effect.endedAt = event.at;
      use(past, effect, event.usage);
      return;
    }
    case 'answer.judged':
      past.verdicts.push(event);
      return;
    case 'message.emitted':
      past.emits++;
      return;
    case 'limit.raised':
      past.raised = { ...past.raised, ...readLimits(event.limits) };
      return;
    case 'run.resumed':
      readResumed(past, event);
      return;
    case 'approval.requested':
    case 'approval.granted':
    case 'approval.denied':
    case 'approval.withdrawn':
      readApproval(past.approvals, event);
      return;
    case 'run.finished':
      past.isDone = true;
      return;
    case 'effect.sampled':
      use(past, effectOf(past, event), event.usage);
      return;
    case 'run.failed':
      dropGrantsAhead(past);
      return;
    case 'limit.reached':
    case 'run.waiting':
    case 'run.suspended':
    case 'run.cancelled':
      return;
  }
}

function readResumed(past: Reading, { again = [], seq }: EventOf<'run.resumed'>): void {
  for (const id of again) {
    forget(past, id, seq);
    // What was denied is asked about again.
    if (past.approvals.get(id)?.state === 'denied') past.approvals.delete(id);
  }
}

/** What was granted ahead of its turn was granted for the way that has failed. */
function dropGrantsAhead({ approvals, effects }: Reading): void {
  for (const [id, { state }] of approvals) {
    if (state === 'granted' && !effects.has(id)) approvals.delete(id);
  }
}

function readStarted(past: Reading, event: EventOf<'effect.started'>): void {
  const effect = effectOf(past, event);
  // Anew where an earlier outcome no longer counts.
  if (effect.state === 'cancelled') effect.queuedAt = event.queuedAt;
  effect.state = 'started';
  // It asks again, where nobody's answer counts.
  effect.asking = undefined;
  effect.endedAt = undefined;
  effect.attempts = event.attempt;
  effect.request ??= event.request;
  effect.hash = event.hash;
  effect.handled = event.handled ?? false;
  if (event.standIn !== undefined && event.standIn !== effect.standIn) {
    countStandIn(past.spent, event.standIn);
  }
  effect.standIn = event.standIn;
  effect.model = event.model;
}

function readSettled(past: Reading, event: EventOf<'effect.settled'>): void {
  const effect = effectOf(past, event);
  const asked = past.approvals.get(event.effect);
  if (effect.step === '' && asked) effect.step = asked.step;
  effect.request ??= asked?.request;
  effect.state = 'settled';
  effect.attempts = event.attempts;
  effect.startedAt = event.startedAt;
  effect.endedAt = event.at;
  effect.hash = event.hash;
  effect.outcome = event.outcome;
  if (event.handled) effect.handled = true;
  effect.standIn = event.standIn;
  effect.as = event.as;
  effect.sources =
    event.sources ?? (event.as === undefined ? undefined : past.effects.get(event.as)?.sources);
  effect.request ??= event.request;
  effect.index = past.order.push(event.effect) - 1;
  effect.seq = event.seq;
  effect.settledSeq = event.seq;
  remember(past.once, event.effect, event);
  // An approval is for one performance.
  if (event.outcome.ok) past.approvals.delete(event.effect);
  use(past, effect, event.usage);
  for (const message of event.warnings ?? []) {
    past.warnings.push({ effect: event.effect, step: effect.step, message });
  }
}

function readAsked(effect: PastEffect, event: EventOf<'effect.asked' | 'effect.answered'>): void {
  if (event.type === 'effect.asked') {
    effect.state = 'asked';
    effect.asking = event.question;
  } else {
    const { value } = event;
    effect.answers = [...effect.answers, { question: effect.asking ?? '', value }];
    effect.asking = undefined;
  }
}

function readUnknown(past: Reading, event: EventOf<'effect.unknown'>): void {
  // In doubt without having been started: it is the base that may have performed it.
  if (!past.effects.has(event.effect)) past.reuse?.takeDoubt(event.effect, event.hash, false);
  const effect = effectOf(past, event);
  effect.state = 'unknown';
  effect.endedAt = event.at;
  effect.why = event.why;
  effect.hash = event.hash;
}

function use(past: Reading, effect: PastEffect, usage: Usage | undefined): void {
  if (!usage) return;
  spend(past.spent, usage);
  effect.usage = effect.usage ? addUsage(effect.usage, usage) : usage;
}

function effectOf(
  past: Reading,
  event: Extract<RunEvent, { effect: string; tool: string }>,
): PastEffect {
  const known = past.effects.get(event.effect);
  if (known) return known;
  const made: PastEffect = {
    tool: event.tool,
    step: 'step' in event ? event.step : '',
    hash: '',
    request: undefined,
    attempts: 0,
    queuedAt: event.type === 'effect.started' ? event.queuedAt : event.at,
    startedAt: event.at,
    endedAt: undefined,
    state: 'started',
    asking: undefined,
    answers: noAnswers,
    handled: false,
    outcome: undefined,
    parts: [],
    why: undefined,
    ...{ standIn: undefined, model: undefined },
    as: undefined,
    usage: undefined,
    sources: undefined,
    index: -1,
    seq: undefined,
    firstSeq: event.seq,
    settledSeq: undefined,
    origin: 'own',
    given: false,
  };
  past.effects.set(event.effect, made);
  if (event.type !== 'effect.settled' || event.as === undefined) {
    countEffect(past.spent, event.tool);
  }
  return made;
}
