/**
 * Reads the beginning of a fork. Of the past that its base has, what comes before the fork's point
 * is its own past, too; the rest is what it may take over (reuse.ts). What was spent is the base's.
 * What the base was changed by, as a fork itself, is a part of what it is: the fork keeps it.
 */
import { fromTheStart, isBefore } from '../journal/fork-point.ts';
import type { EventOf } from '../journal/journal.ts';
import { nothingSpent } from '../spent.ts';
import { remember } from './known-outcome.ts';
import type { Reading } from './past.ts';
import { forget, type PastEffect, unhandledFailures } from './past-effect.ts';
import { type Leftover, Reuse } from './reuse.ts';

export function branch(past: Reading, event: EventOf<'run.forked'>): void {
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
export function readReused(past: Reading, event: EventOf<'effect.reused'>): void {
  const { effect: id, step, hash, from } = event;
  const found = past.reuse?.takeFrom(id, hash, from);
  if (!found) return;
  const { outcome } = found.effect;
  if (outcome) remember(past.once, id, { once: event.once, hash, outcome });
  const index = past.order.push(id) - 1;
  const [firstSeq, settledSeq] = [event.seq, event.seq];
  past.effects.set(id, { ...found.effect, step, index, origin: 'reused', firstSeq, settledSeq });
}
