/**
 * The events of a session out of the journal: the same for whichever process asks, from any cursor.
 * A session is the runs that belong to one request; each says which run it came after.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import type { AgentEvent } from './port/events.ts';
import { askedOf, loopOf } from './record/asked.ts';
import { keptOf } from './record/kept.ts';
import { keptResult } from './record/kept-result.ts';
import { endOf, plainEnd } from './session.ts';
import { eventDocument } from './view/event-line.ts';

export interface FollowOptions {
  /** `run:seq` of the last event that is known already. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How often the journal is looked at while another process has a run, in milliseconds. */
const pauseMs = 200;

/** Ends with the session, or when nothing goes on that could end it. */
export async function* follow(
  journal: Journal,
  first: string,
  { after: cursor, signal }: FollowOptions = {},
): AsyncGenerator<AgentEvent> {
  const known = cursor === undefined ? undefined : placeIn(cursor);
  const seen = new Map<string, number>();
  let isPast = known !== undefined;
  for (;;) {
    const runs = runsOf(journal, first);
    for (const run of runs) {
      const from = isPast && run.id === known?.run ? known.seq : (seen.get(run.id) ?? 0);
      if (isPast && run.id !== known?.run) {
        seen.set(run.id, run.events);
        continue;
      }
      if (!isPast && !seen.has(run.id)) yield beganOf(run);
      isPast = false;
      for (const event of journal.events(run.id, from)) {
        seen.set(run.id, event.seq);
        const at = `${run.id}:${event.seq}`;
        yield { type: 'run.event', run: run.id, cursor: at, event: eventDocument(event) };
      }
    }
    const last = runs.findLast((run) => loopOf(run) !== 'judge') ?? runs.at(-1);
    if (!last || signal?.aborted) return;
    if (!runs.some(({ owned }) => owned)) {
      const result = keptResult(journal, last.id);
      if (!result) return;
      const ids = runs.map(({ id }) => id);
      yield { type: 'ended', end: plainEnd(await endOf(journal, result, ids)) };
      return;
    }
    await after(pauseMs, undefined, { ref: true });
  }
}

function placeIn(cursor: string): { readonly run: string; readonly seq: number } {
  const at = cursor.lastIndexOf(':');
  return { run: cursor.slice(0, at), seq: Number(cursor.slice(at + 1)) };
}

function beganOf(run: RunSummary): AgentEvent {
  const { id, title, dialect, base } = run;
  const loop = loopOf(run);
  return {
    ...{ type: 'run.began', run: id, title, dialect },
    ...(loop && { loop: { name: loop, doing: '', model: '' } }),
    ...(base && { base: base.run }),
  };
}

/** The runs of a session in the order in which they came, from its first one on. */
export function runsOf(journal: Journal, first: string): RunSummary[] {
  const start = journal.find(first);
  if (!start) return [];
  const later = journal.list({ since: start.createdAt }).toReversed();
  const ids = new Set([first]);
  const runs = [start];
  for (const run of later) {
    const from = askedOf(run)?.from ?? keptOf(run).judging?.run;
    if (ids.has(run.id) || from === undefined || !ids.has(from)) continue;
    ids.add(run.id);
    runs.push(run);
  }
  return runs;
}
