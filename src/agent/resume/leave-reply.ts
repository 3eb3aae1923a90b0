/** Leaves a reply with a run, for whichever process has it or resumes it. */

import { clockHandlers } from '../../effects/clock/handlers.ts';
import { askHandler } from '../../effects/person/ask.ts';
import type { Question } from '../../engine/handler.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { answerRun, decideRun } from '../../engine/reply.ts';
import { toJson } from '../../program/json.ts';
import { readAnswer } from '../../text/answer-text.ts';
import { readStrictJson } from '../../text/json-text.ts';
import type { Reply } from '../port/reply.ts';
import type { Workspace } from '../port/workspace.ts';
import { isPlaying } from '../record/asked.ts';
import { findRun } from '../record/find-run.ts';
import { playedText } from '../record/seen-source.ts';
import { refuseSecrets } from '../tools/toolbox.ts';

/** The built-in tools that wait; what else waits is an approval. */
const waiting = new Map([askHandler, ...clockHandlers()].map((each) => [each.spec.name, each]));

/** Gives the effects that it was about; where `ready` throws, nothing is left. */
export async function leaveReply(
  { journal, workspace }: { readonly journal: Journal; readonly workspace: Workspace },
  run: string,
  reply: Reply,
  ready?: () => Promise<void>,
): Promise<readonly string[]> {
  const { by, note, isClient } = reply;
  const summary = findRun(journal, run);
  const people = await peopleIn(summary);
  const options = {
    ...{ journal, run, handlers: waiting, by, people },
    ...(ready && { ready }),
    ...(isClient && { isClient }),
  };
  if ('approved' in reply) {
    const { approved, effect = [] } = reply;
    const effects = typeof effect === 'string' ? (effect === 'all' ? effect : [effect]) : effect;
    const decided = await decideRun({ ...options, effects, approved, note });
    return decided.map((wait) => wait.effect);
  }
  const { effect, to, answer: value, isTyped } = reply;
  const answer = (question: Question): unknown =>
    isTyped ? readAnswer(question, String(value)) : value;
  if (typeof value === 'string') refuseSecrets(workspace, 'the answer', value);
  const isForAll = isEventFor(summary, value);
  const answered = await answerRun({ ...options, effect, to, isForAll, answer });
  return answered.map((wait) => wait.effect);
}

/**
 * Whether an answer tells a run of playbooks of an event, as `{"event": "paid"}` does: that is
 * nobody's answer, and whatever the run asks, and whomever, hears of it.
 */
function isEventFor(run: RunSummary, answer: unknown): boolean {
  const value = typeof answer === 'string' ? readStrictJson(answer) : undefined;
  const { event } = Object(value === undefined ? answer : toJson(value));
  return typeof event === 'string' && playedText(run) !== undefined;
}

/** Whom playbooks know by name. */
async function peopleIn(run: RunSummary): Promise<readonly string[]> {
  if (!isPlaying(run)) return [];
  const { peopleOf } = await import('../record/people-of.ts');
  return peopleOf(run);
}
