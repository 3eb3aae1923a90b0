/**
 * What is asked about within an effect (inner-run.ts, R3): as questions and approvals of the
 * effect, and what was said, as posts of the inner run. An effect keeps its answers by the text of
 * the question; so what is asked again, maybe by another run of the same effect, has to pass over
 * those that were used.
 */
import { encode, fromJson, stringify } from '../program/json.ts';
import { AnswerNeeded, type AttemptContext, type Question } from './handler.ts';
import type { Journal, RunEvent } from './journal/journal.ts';
import type { Assumption } from './past/assume.ts';
import { questionText } from './perform/asked.ts';
import type { OpenWait } from './perform/person.ts';
import type { RunResult } from './result.ts';

const shownCharacters = 500;

/** Where a run that waits is: its journal, its id, the attempt at the effect that it is within. */
export interface Asking {
  readonly journal: Journal;
  readonly id: string;
  readonly context: AttemptContext;
  /** Texts of questions that the attempt has asked; each attempt asks anew. */
  readonly asked: Set<string>;
}

/**
 * Leaves in the inner run's journal what people have said to this; false where nobody has said
 * anything yet and a moment will end the wait. Throws `AnswerNeeded` where nothing else will.
 */
export async function replyTo(asking: Asking, waits: readonly OpenWait[]): Promise<boolean> {
  const { journal, id, context } = asking;
  const by = `run ${context.run}`;
  let unanswered: Question | undefined;
  let isReplied = false;
  for (const wait of waits) {
    if (wait.kind === 'pause') continue;
    const question = questionOf(wait);
    const given = await ask(asking, question);
    const { effect } = wait;
    const answer = given?.value;
    if (!given) {
      // Nobody who is asked there hears that it is too late by now.
      if (wait.kind === 'approval' || wait.until === undefined) unanswered ??= question;
    } else if (wait.kind === 'question') {
      journal.post(id, { kind: 'answer', effect, value: encode(fromJson(answer)), by });
    } else {
      const { approved, note }: { approved?: unknown; note?: unknown } = Object(answer);
      const why = typeof note === 'string' ? { note } : {};
      journal.post(id, { kind: approved === true ? 'approve' : 'deny', effect, by, ...why });
    }
    isReplied ||= given !== undefined;
  }
  if (unanswered && !isReplied) throw new AnswerNeeded(unanswered);
  return isReplied;
}

const assumptions = ['done', 'failed', 'retry'] as const;

/** What a person says of effects in doubt. Throws `AnswerNeeded`. */
export async function decideDoubt(asking: Asking, doubt: string): Promise<Assumption> {
  const events = asking.journal.events(asking.id);
  const doubts = events.filter(({ type }) => type === 'effect.unknown').length;
  // Another doubt of the same effect is another question.
  const text = doubts > 1 ? `${doubt} (doubt ${doubts})` : doubt;
  const question: Question = {
    ...{ text, choices: assumptions, decides: 'doubt', check: checkDecision },
  };
  const given = await ask(asking, question);
  const as = assumptions.find((one) => one === given?.value);
  if (as === undefined) throw new AnswerNeeded(question);
  return { as };
}

const checkDecision = (answer: unknown): string | undefined =>
  assumptions.some((one) => one === answer)
    ? undefined
    : `got ${stringify(answer)}, want done, failed or retry`;

function questionOf(wait: Exclude<OpenWait, { kind: 'pause' }>): Question {
  const check = (): undefined => undefined;
  if (wait.kind === 'question') {
    const { question: text, choices, schema, decides } = wait;
    return {
      ...{ text, ...(choices && { choices }), ...(schema && { schema }) },
      ...{ ...(decides && { decides }), check },
    };
  }
  const { tool, request, why } = wait;
  const args = stringify(request);
  const shown = args.length > shownCharacters ? `${args.slice(0, shownCharacters)}…` : args;
  const text = `May ${tool} be called with ${shown}? (${why})`;
  return { text, approval: { tool, request, why }, check };
}

/** The next answer to it, behind those that runs of this effect have had. */
async function ask(
  { journal, context, asked }: Asking,
  question: Question,
): Promise<{ readonly value: unknown } | undefined> {
  const text = questionText(question);
  if (!asked.has(text)) {
    asked.add(text);
    const all = journal.list({ within: context.run });
    const own = all.filter(({ parent }) => parent?.effect === context.effect);
    const had = own.reduce((sum, { id }) => sum + answersTo(text, journal.events(id)), 0);
    for (let i = 0; i < had; i++) await context.ask?.(question);
  }
  return await context.ask?.(question);
}

/** How many answers to a question a run has taken, by what it has said that it waits for. */
function answersTo(text: string, events: readonly RunEvent[]): number {
  const texts = new Map<string, string>();
  let found = 0;
  for (const event of events) {
    if (event.type === 'run.waiting') {
      const { waits = [] }: RunResult = JSON.parse(event.result);
      for (const wait of waits) {
        if (wait.kind !== 'pause') texts.set(wait.effect, questionText(questionOf(wait)));
      }
    } else if ('by' in event && event.by !== undefined && 'effect' in event) {
      if (texts.get(event.effect) === text) found++;
    }
  }
  return found;
}
