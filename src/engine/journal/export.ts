/**
 * Runs as one text that another journal takes over (import.ts): records and events as they are, and
 * large strings once, by hash. Snapshots and posts are not in it.
 *
 *     { format, version, exportedAt, runs: [{ record, events, large, hash }], texts: { HASH: … } }
 */
import { hash } from 'node:crypto';
import { encode, type Path } from './event-text.ts';
import type { Journal, RunEvent, RunRecord, RunSummary } from './journal.ts';
import { noSuchRun } from './refusal.ts';

export const exportFormat = 'planvm-run';
export const exportVersion = 1;

/** What the text holds. */
export interface ExportDocument {
  readonly format: typeof exportFormat;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly exportedAt: number;
  /** Each behind its base, where that is among them. */
  readonly runs: readonly ExportedRun[];
  /** Large strings by the SHA-256 of their UTF-8. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface ExportedRun {
  /** Without its large strings, as the events are. */
  readonly record: object;
  /** All of its history, or where its base is among the runs, only its own. */
  readonly events: readonly object[];
  /** Where large strings belong: number of the event (0: the record), path, hash. */
  readonly large: readonly (readonly [seq: number, path: Path, hash: string])[];
  /** SHA-256 of the JSON of record, events and large strings. */
  readonly hash: string;
}

export interface ExportOptions {
  readonly journal: Journal;
  readonly run: string;
  /** With all forks of the run, and theirs. */
  readonly tree?: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Throws `JournalError` PV5003. */
export function exportRuns({ journal, run, tree = false, now }: ExportOptions): string {
  const root = journal.find(run);
  if (root === undefined) throw noSuchRun(run);
  const texts: Record<string, string> = {};
  const withForks = (one: RunSummary, after: number): ExportedRun[] => [
    exportedRun(recordOf(one), journal.events(one.id, after), texts),
    ...(tree ? journal.children(one.id) : []).flatMap((fork) =>
      withForks(fork, fork.base?.seq ?? 0),
    ),
  ];
  const document: ExportDocument = {
    format: exportFormat,
    version: exportVersion,
    exportedAt: now,
    runs: withForks(root, 0),
    texts,
  };
  return `${JSON.stringify(document)}\n`;
}

function exportedRun(
  record: RunRecord,
  events: readonly RunEvent[],
  texts: Record<string, string>,
): ExportedRun {
  const places: [number, Path, string][] = [];
  const without = (value: object, seq: number): object => {
    const { text, large } = encode(value);
    for (const { path, text } of large) {
      const key = hash('sha256', text);
      texts[key] = text;
      places.push([seq, path, key]);
    }
    return JSON.parse(text);
  };
  const parts = {
    record: without(record, 0),
    events: events.map((event) => without(event, event.seq)),
    large: places,
  };
  return { ...parts, hash: hashOfRun(parts) };
}

export const hashOfRun = ({ record, events, large }: Omit<ExportedRun, 'hash'>): string =>
  hash('sha256', JSON.stringify([record, events, large]));

/** What a summary adds belongs to the journal. */
function recordOf({
  id,
  title,
  dialect,
  createdAt,
  inputs,
  settings,
  base,
}: RunSummary): RunRecord {
  return { id, title, dialect, createdAt, inputs, settings, ...(base && { base }) };
}
