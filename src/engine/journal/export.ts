/**
 * Runs as one text that another journal takes over (import.ts): records and events as they are, and
 * large strings once, by hash. Snapshots and posts are not in it.
 *
 *     { format, version, exportedAt, runs: [{ record, events, large, hash }], texts: { HASH: … } }
 */
import { constants } from 'node:buffer';
import { hash } from 'node:crypto';
import { encode, type Path } from './event-text.ts';
import {
  type Journal,
  noSuchRun,
  type RunEvent,
  type RunRecord,
  type RunSummary,
  tooLong,
} from './journal.ts';

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
  /** Characters that the text may have; as many as a string can have where absent. */
  readonly charsMax?: number;
}

/** Throws `JournalError` PV5003, and PV5023 where the text would be too long. */
export function exportRuns(options: ExportOptions): string {
  const { journal, run, tree = false, now, charsMax = constants.MAX_STRING_LENGTH } = options;
  const root = journal.find(run);
  if (root === undefined) throw noSuchRun(run);
  const texts: Record<string, string> = {};
  const withForks = (one: RunSummary, after: number): ExportedRun[] => [
    exportedRun(recordOf(one), journal.events(one.id, after), texts),
    ...journal.list({ within: one.id }).flatMap((inner) => withForks(inner, 0)),
    ...(tree ? journal.children(one.id) : []).flatMap((fork) =>
      withForks(fork, fork.base?.seq ?? 0),
    ),
  ];
  return whole(run, tree, () => {
    const runs = withForks(root, 0);
    const chars = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    if (chars > charsMax) throw tooLong(run, tree);
    const head = { format: exportFormat, version: exportVersion, exportedAt: now } as const;
    const document: ExportDocument = { ...head, runs, texts };
    return `${JSON.stringify(document)}\n`;
  });
}

/** Makes a text of a run; throws `JournalError` PV5023 where no string has room for it. */
export function whole(run: string, tree: boolean, make: () => string): string {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError && /string length/.test(error.message))
      throw tooLong(run, tree);
    throw error;
  }
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

/** What a summary adds belongs to the journal, and so does what the id of a run stands for. */
function recordOf(summary: RunSummary): RunRecord {
  const { status, reason, updatedAt, events, owned, identity, ...record } = summary;
  return record;
}
