/** Reads a run's events into its past. Pure; asks nobody. */
import type { Usage } from '../handler.ts';
import type { EventOf, RunEvent } from '../journal/journal.ts';
import { fromTheStart, isBefore } from '../journal/lineage.ts';
import { noKey, readLimits, readSettings } from '../settings.ts';
import { addUsage, countEffect, countStandIn, nothingSpent, spend } from '../spent.ts';
import type { Past, Reading } from './past.ts';
import {
  forget,
  noAnswers,
  type PastEffect,
  readApproval,
  remember,
  unhandledFailures,
} from './past-effect.ts';
import { type Leftover, Reuse } from './reuse.ts';

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

/**
 * Reads the beginning of a fork. Of the past that its base has, what comes before the fork's point
 * is its own past, too; the rest is what it may take over (reuse.ts). What was spent is the base's.
 * What the base was changed by, as a fork itself, is a part of what it is: the fork keeps it.
 */
function branch(past: Reading, event: EventOf<'run.forked'>): void {
  const { run, edit, point = fromTheStart } = event;
  // What has failed and ended the base is performed again, as when a run is resumed.
  const failed = past.isDone ? [] : unhandledFailures(past.effects);
  for (const effect of past.effects.values()) {
    if (effect.outcome?.ok === false && !effect.given) effect.hasFailed = true;
  }
  for (const id of failed) forget(past, id, event.seq);
  replaceOutcomes(past, event);
  for (const id of event.acted ?? []) doubt(past.effects.get(id), isBefore(id, point));
  const leftovers: Omit<Leftover, 'taken'>[] = [];
  for (const [id, effect] of past.effects) {
    effect.origin = 'base';
    if (isBefore(id, point)) continue;
    past.effects.delete(id);
    leftovers.push({ id, effect, old: false });
  }
  for (const { id, effect } of past.reuse?.left() ?? []) {
    if (!effect.given) leftovers.push({ id, effect, old: true });
  }
  past.record = run;
  past.edit = edit;
  if (edit.program) past.writer = edit.by;
  // What was approved was approved for the other run.
  past.approvals = new Map();
  past.order = past.order.filter((id) => past.effects.has(id));
  past.order.forEach((id, index) => {
    const effect = past.effects.get(id);
    if (effect) effect.index = index;
  });
  // What its base did is taken over from there.
  past.once.clear();
  past.reuse = new Reuse(leftovers, edit.perform);
  if (edit.at !== undefined && edit.set) {
    past.assignments.push({ at: point.step, set: edit.set });
  }
  past.branches.push({ seq: event.seq, step: point.step });
  past.emits = point.messages;
  // Those were about the answers of its base.
  past.verdicts = [];
  past.warnings = past.warnings.filter(({ effect }) => past.effects.has(effect));
  past.spent = nothingSpent();
  past.wallMs = 0;
}

/**
 * A run within the effect has begun to write, and the fork would begin another. A failure from
 * before the point stays: the program has gone on with it.
 */
function doubt(effect: PastEffect | undefined, isBefore: boolean): void {
  if (!effect || effect.given || (isBefore && effect.outcome)) return;
  effect.state = 'unknown';
  effect.outcome = undefined;
  effect.why = 'a run within it had begun to write and was not done, and a fork has none of it';
}

function replaceOutcomes(past: Reading, { edit, seq, at }: EventOf<'run.forked'>): void {
  for (const [id, outcome] of Object.entries(edit.outcomes ?? {})) {
    const effect = past.effects.get(id);
    if (!effect) continue;
    past.lost.push({ from: effect.settledSeq ?? effect.firstSeq, to: seq });
    effect.settledSeq = seq;
    if (effect.index < 0) effect.index = past.order.push(id) - 1;
    effect.outcome = outcome;
    effect.state = 'settled';
    effect.given = true;
    // The parts that came with the other outcome went with it.
    effect.parts.length = 0;
    effect.sources = undefined;
    effect.endedAt ??= at;
    effect.seq = seq;
  }
}

/** A fork has taken what its base has; it was not performed, so nothing was spent. */
function readReused(past: Reading, event: EventOf<'effect.reused'>): void {
  const { effect: id, step, hash, from } = event;
  const found = past.reuse?.takeFrom(id, hash, from);
  if (!found) return;
  const { outcome } = found.effect;
  if (outcome) remember(past.once, id, { once: event.once, hash, outcome });
  const index = past.order.push(id) - 1;
  const [firstSeq, settledSeq] = [event.seq, event.seq];
  past.effects.set(id, { ...found.effect, step, index, origin: 'reused', firstSeq, settledSeq });
}
