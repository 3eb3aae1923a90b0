/** Goes on with a run in this process: with replies to it, or since it was asked for once more. */
import type { RunSummary } from '../engine/journal/journal.ts';
import { follow, runsOf } from './follow.ts';
import { type CodedError, isCoded } from './port/errors.ts';
import type { Host } from './port/host.ts';
import type { Reply } from './port/reply.ts';
import { loopOf } from './record/asked.ts';
import { keptResult } from './record/kept-result.ts';
import { asRun } from './resume/as-run.ts';
import {
  endedAlready,
  type Going,
  type GoingOptions,
  keptEnd,
  readyToGoOn,
} from './resume/go-on.ts';
import { leaveReply } from './resume/leave-reply.ts';
import type { Worked } from './session.ts';
import type { Base } from './sessions.ts';

export interface ResumeWork extends Base {
  readonly summary: RunSummary;
  readonly options?: GoingOptions;
  /** Left with the run once it is known that it can go on. */
  readonly replies?: readonly Reply[];
  /** Hears of replies that do not fit; without it they are thrown. */
  refused?: ((reply: Reply, error: CodedError) => void) | undefined;
  /** Hears which effects a reply was about, once it is left. */
  left?(effects: readonly string[]): void;
  /** Finds all that it goes on with, by calling what it is given once. */
  opening?(open: () => Promise<Going>): Promise<Going>;
}

/** Throws where it cannot go on, and nothing is left with the run then. */
export async function resumeSession(work: ResumeWork, host: Host): Promise<Worked> {
  const { journal, summary, options, replies = [], refused, opening = (open) => open() } = work;
  const over = endedAlready(journal, summary);
  if (over) {
    // Nothing waits for them any more: the first one is refused.
    for (const reply of replies) await leaveReply(work, summary.id, reply);
    return await (await opening(async () => over)).go();
  }
  return await asRun(summary, work, async (tools) => {
    let opened: Promise<Going> | undefined;
    const ready = (): Promise<Going> => {
      opened ??= opening(() => readyToGoOn({ ...work, ...tools, host, options }));
      return opened;
    };
    let isWaiting = replies.length > 0;
    for (const reply of replies) {
      try {
        const effects = await leaveReply(work, summary.id, reply, async () => void (await ready()));
        work.left?.(effects);
        isWaiting = false;
      } catch (error) {
        if (!refused || !isUnfit(error)) throw error;
        refused(reply, error);
      }
    }
    const result = isWaiting ? keptResult(journal, summary.id) : undefined;
    return result ? { result } : await (await ready()).go();
  });
}

/** Whether a reply was refused for what it says: another one may fit. */
const isUnfit = (error: unknown): error is CodedError =>
  isCoded(error) && (error.code === 'PV5144' || error.code === 'PV6025');

/** A session that was begun before: it is followed where it goes on, and taken up where not. */
export async function takeUp(
  work: Omit<ResumeWork, 'summary' | 'replies'>,
  first: RunSummary,
  host: Host,
): Promise<Worked> {
  const { journal } = work;
  const last = lastOf(runsOf(journal, first.id)) ?? first;
  host.notice?.({ type: 'session.found', run: last.id, status: last.status });
  // Whoever wants to have it tried again resumes it.
  const hasFailed = last.status === 'failed' || last.status === 'cancelled';
  const over = hasFailed ? keptEnd(journal, last) : undefined;
  if (over) return over;
  if (last.owned) {
    let isEnded = false;
    for await (const { type } of follow(journal, first.id)) isEnded ||= type === 'ended';
    const ended = lastOf(runsOf(journal, first.id)) ?? last;
    // The event has its values as JSON, a result has them as data.
    const end = isEnded ? keptEnd(journal, ended) : undefined;
    if (end) return end;
  }
  return await resumeSession({ ...work, summary: last }, host);
}

/** Without loops that came to nothing: what they were to repair is the end. */
const lastOf = (runs: readonly RunSummary[]): RunSummary | undefined =>
  runs.findLast((run) => loopOf(run) === undefined || run.status !== 'failed');
