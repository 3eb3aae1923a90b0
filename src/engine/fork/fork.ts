/**
 * Forks: a new run whose history begins with another's, and that differs from a step on. Nothing is
 * copied and nothing of the base changes; what the fork asks for as well is answered from there.
 *
 * - F1 Before its point, a fork is its base: the same requests, the same outcomes, whatever they
 *   are, except failures that ended the base. That another program does the same there is checked
 *   when the fork is made.
 * - F2 From its point on, each request is answered by its own journal, or by what the base has of
 *   an equal one, which is journaled as reused, or it is performed; in this order (reuse.ts).
 * - F3 A fork is made in one append. Reading it needs no machine: the point is journaled.
 * - F4 What it performs, it performs under keys of its own, and counts as its own.
 */
import { processOwner } from '../journal/owner.ts';
import type { Past } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import { requireTools } from '../past/walk.ts';
import { begin, executionOf, type RunHandle } from '../run.ts';
import { draftFork, type ForkDraft, type ForkOptions } from './fork-draft.ts';

/**
 * Makes a fork and lets it go. Throws `RunError`, and makes nothing: PV5104 for a tool that it asks
 * for first and that is not there, PV5105 for a base that does not exist, PV5110 for a step or
 * effect that it does not have, PV5131 for a program that differs before that, PV5132 and PV5133
 * for variables and effects that there are not, PV5134 for a text that is no program. `draft` is
 * what was made of the same options before, as for a preview.
 */
export function forkRun(options: ForkOptions, draft: ForkDraft = draftFork(options)): RunHandle {
  const { journal } = options;
  const { record, events, history, loaded } = draft;
  const past = (): Past => readPast(history());
  requireTools({ loaded, past: past(), status: 'suspended', inherits: true }, options.handlers);
  const lease = journal.create(record, options.owner ?? processOwner(), events);
  try {
    return begin(executionOf(options, { lease, past: past(), loaded, opening: [] }));
  } catch (error) {
    journal.release(lease);
    throw error;
  }
}

/** Makes a fork that `resumeRun` lets go, and gives its id. Throws as `forkRun` does. */
export function makeFork(options: ForkOptions, draft: ForkDraft = draftFork(options)): string {
  const { record, events } = draft;
  options.journal.release(options.journal.create(record, options.owner ?? processOwner(), events));
  return record.id;
}
