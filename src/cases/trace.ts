/** What a run has done, as a case expects it: effects, messages, answers and the end. */
import type { Journal } from '../engine/journal/journal.ts';
import type { RunStatus } from '../engine/journal/run-state.ts';
import { readPast } from '../engine/past/read-past.ts';
import { messagesIn } from '../engine/past/verify.ts';
import { type RunResult, shownOf } from '../engine/result.ts';
import { stringify } from '../program/json.ts';

/** One line of a trace: what it is about, and the rest as JSON text, which is compared. */
export interface TraceLine {
  /** `effect 0#2 at step 1`. */
  readonly about: string;
  readonly text: string;
}

/** The document of `expected.json`. */
export interface Trace {
  readonly status: RunStatus | 'invalid';
  readonly reason?: string;
  readonly answers: readonly unknown[];
  readonly error?: unknown;
  /** In the order in which they were started; only those with an outcome. */
  readonly effects: readonly TraceEffect[];
  readonly messages: readonly TraceMessage[];
}

export interface TraceEffect {
  readonly id: string;
  readonly step: string;
  readonly tool: string;
  readonly request: unknown;
  readonly outcome: unknown;
}

export interface TraceMessage {
  readonly channel: string;
  readonly step: string;
  readonly value: unknown;
}

export function traceOf(journal: Journal, result: RunResult): Trace {
  const events = journal.events(result.run);
  const effects = [...readPast(events).effects].flatMap(([id, effect]): TraceEffect[] => {
    const { step, tool, request, outcome } = effect;
    if (!outcome) return [];
    const ended = outcome.ok ? { value: shownOf(outcome.value) } : { error: outcome.error };
    return [{ id, step, tool, request: request ? shownOf(request) : null, outcome: ended }];
  });
  const messages = messagesIn(events).flatMap(({ channel, step, value }): TraceMessage[] =>
    channel === 'answer' ? [] : [{ channel, step, value: shownOf(value) }],
  );
  const { status, reason, answers, error } = result;
  return {
    status,
    ...(reason && { reason }),
    answers: answers.map(({ value }) => value),
    ...(error && { error: errorOf(error) }),
    effects,
    messages,
  };
}

/** Hints and traces are for people: they may say more tomorrow. */
function errorOf({ code, message, step, line }: NonNullable<RunResult['error']>): unknown {
  return { code, message, step, line };
}

/** The parts of a trace in the order in which a difference says most. */
function linesOf(trace: Trace): TraceLine[] {
  const { effects, messages, answers, status, reason, error } = trace;
  const lines: TraceLine[] = [];
  for (const { id, step, tool, request, outcome } of effects) {
    const place = step === '' ? '' : ` at step ${step}`;
    const text = `${tool} ${stringify(request)} → ${stringify(outcome)}`;
    lines.push({ about: `effect ${id}${place}`, text });
  }
  messages.forEach(({ channel, step, value }, i) => {
    const about = `message ${i + 1}${step === '' ? '' : ` at step ${step}`}`;
    lines.push({ about, text: `${channel} ${stringify(value)}` });
  });
  answers.forEach((value, i) => {
    lines.push({ about: `answer ${i + 1}`, text: stringify(value) });
  });
  const why = reason === undefined ? '' : ` (${reason})`;
  lines.push({ about: 'end', text: `${status}${why}${error ? ` ${stringify(error)}` : ''}` });
  return lines;
}

export interface CaseDifference {
  readonly about: string;
  /** Null: nothing. */
  readonly expected: string | null;
  readonly got: string | null;
}

/** Where two traces part: the first line that is not the same, and the end where it differs too. */
export function differencesOf(expected: Trace, got: Trace): CaseDifference[] {
  const [before, after] = [linesOf(expected), linesOf(got)];
  const at = before.findIndex(
    ({ about, text }, i) => about !== after[i]?.about || text !== after[i]?.text,
  );
  if (at < 0) return [];
  const first = pair(before[at], after[at]);
  const end = pair(before.at(-1), after.at(-1));
  return first.about !== 'end' && end.expected !== end.got ? [first, end] : [first];
}

/** Lines about different things: the one that is missing comes first. */
function pair(expected: TraceLine | undefined, got: TraceLine | undefined): CaseDifference {
  if (expected?.about === got?.about) {
    const about = expected?.about ?? '';
    return { about, expected: expected?.text ?? null, got: got?.text ?? null };
  }
  const said = (line: TraceLine | undefined): string | null =>
    line ? `${line.about}: ${line.text}` : null;
  return { about: 'what comes next', expected: said(expected), got: said(got) };
}
