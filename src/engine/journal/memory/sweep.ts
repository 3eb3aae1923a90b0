/** Drops what no run of a journal in memory reaches any more. */
import type { Encoded } from '../event-text.ts';
import { reachOf } from '../lineage.ts';
import type { SweepOptions, Swept } from '../sweep.ts';
import { lastSeq, type Run, withInner } from './run.ts';

export interface Memory {
  readonly runs: Map<string, Run>;
  readonly content: Map<string, string>;
  readonly isHeld: (run: Run) => boolean;
}

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'invalid', 'cancelled']);

export function sweep({ runs, content, isHeld }: Memory, options: SweepOptions): Swept {
  const { dryRun = false, snapshotsBefore = Number.NEGATIVE_INFINITY } = options;
  const all = [...runs.values()];
  const toRemove = new Set<string>();
  for (const id of options.runs ?? []) {
    const run = runs.get(id);
    const family = run ? withInner(run, all) : [];
    if (!family.some(isHeld)) for (const one of family) toRemove.add(one.id);
  }
  const isGone = ({ id, removed }: Run): boolean => removed !== undefined || toRemove.has(id);
  const reach = reachOf(all.map((run) => ({ id: run.id, base: run.base, kept: !isGone(run) })));
  const swept = { runs: 0, events: 0, snapshots: 0, texts: 0, bytes: 0 };
  const mentioned = new Set<string>();
  for (const run of all) {
    const gone = isGone(run);
    // Nothing but forks reads what is gone, and they only so far.
    const upTo = gone ? (reach.get(run.id) ?? 0) : lastSeq(run);
    const kept = Math.max(0, upTo - (run.base?.seq ?? 0));
    const dropped = run.events.slice(kept);
    const isStale = !gone && ended.has(run.turn.status) && run.updatedAt < snapshotsBefore;
    const snapshots = [...run.snapshots].filter(([seq]) => isStale || seq > upTo);
    if (gone && run.removed !== 'history') swept.runs++;
    swept.events += dropped.length;
    swept.snapshots += snapshots.length;
    for (const { body } of dropped) swept.bytes += body.text.length;
    for (const [, text] of snapshots) swept.bytes += text.length;
    for (const { body } of run.events.slice(0, kept)) mention(body, mentioned);
    if (!gone || reach.has(run.id)) mention(run.record, mentioned);
    if (dryRun) continue;
    for (const [seq] of snapshots) run.snapshots.delete(seq);
    run.events.length = Math.min(kept, run.events.length);
    if (!gone) continue;
    run.removed = 'history';
    run.posts = [];
    if (!reach.has(run.id)) runs.delete(run.id);
  }
  for (const text of content.keys()) {
    if (mentioned.has(text)) continue;
    swept.texts++;
    swept.bytes += text.length;
    if (!dryRun) content.delete(text);
  }
  return swept;
}

function mention({ large }: Encoded, mentioned: Set<string>): void {
  for (const { text } of large) mentioned.add(text);
}
