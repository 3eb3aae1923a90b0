/** Replies that were left with a run, and that no process has taken. */
import type { Journal } from './journal/journal.ts';
import type { Post } from './journal/post.ts';
import type { OpenWait } from './perform/person.ts';

export type Reply = Exclude<Post, { kind: 'cancel' }>;

export interface KeptReply {
  readonly id: number;
  readonly reply: Reply;
}

/** By effect; of several for the same, the first. */
export function leftReplies(journal: Journal, run: string): ReadonlyMap<string, KeptReply> {
  const replies = new Map<string, KeptReply>();
  for (const kept of journal.posts(run)) {
    const { post } = kept;
    if (post.kind === 'cancel' || replies.has(post.effect)) continue;
    replies.set(post.effect, { id: kept.id, reply: post });
  }
  return replies;
}

/** What a run waits for, with the replies that it has not taken. */
export function withReplies<Wait extends OpenWait>(
  journal: Journal,
  run: string,
  waits: readonly Wait[],
): readonly Wait[] {
  if (waits.length === 0) return waits;
  const replies = leftReplies(journal, run);
  return waits.map((wait) => {
    const left = replies.get(wait.effect)?.reply;
    if (!left) return wait;
    const { kind, by } = left;
    const note = 'note' in left && left.note !== undefined ? { note: left.note } : {};
    return { ...wait, reply: { kind, by, ...note } };
  });
}
