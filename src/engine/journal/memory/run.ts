/** A run as a journal in memory holds it. */
import type { Encoded } from '../event-text.ts';
import type { Turn } from '../history.ts';
import type { Base } from '../lineage.ts';
import type { KeptPost } from '../post.ts';

export interface Run {
  readonly id: string;
  readonly createdAt: number;
  readonly record: Encoded;
  readonly base: Base | undefined;
  /** The run that it is within. */
  readonly parent: string | undefined;
  /** Its own; those before them are its base's. */
  readonly events: { readonly at: number; readonly body: Encoded }[];
  turn: Turn;
  updatedAt: number;
  owner: string | null;
  /** Epoch milliseconds. */
  until: number;
  epoch: number;
  readonly snapshots: Map<number, string>;
  posts: KeptPost[];
  /** When it was removed; `history` once it is there for its forks only. */
  removed: number | 'history' | undefined;
}

/** The number of the last event of its history. */
export const lastSeq = ({ base, events }: Run): number => (base?.seq ?? 0) + events.length;

/** Oldest first. */
export const byAge = (one: Run, other: Run): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

/** A run, with those within its effects, and within theirs. */
export function withInner(run: Run, all: Iterable<Run>): Run[] {
  const inner = Map.groupBy(all, ({ parent }) => parent);
  const found = [run];
  for (const { id } of found) found.push(...(inner.get(id) ?? []));
  return found;
}

/** Characters of its own events and of the large texts that they mention. */
export function sizeOf({ events }: Run): number {
  let size = 0;
  const mentioned = new Set<string>();
  for (const { body } of events) {
    size += body.text.length;
    for (const { text } of body.large) mentioned.add(text);
  }
  for (const text of mentioned) size += text.length;
  return size;
}
