/** The end of a run beside the end of its replay: status, answers, variables, error. */
import type { View } from '../../machine/machine.ts';
import { stringify, toJson } from '../../program/json.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import type { RunEvent } from '../journal/journal.ts';
import type { RunStatus } from '../journal/run-state.ts';
import { errorOf, resultOf } from '../result.ts';
import { nothingSpent } from '../spent.ts';

/** Something that is not as the journal has it. */
export interface Difference {
  readonly what: 'journal' | 'request' | 'message' | 'status' | 'answer' | 'variable' | 'error';
  /** Effect id, number of the event, message or answer from 1, or name of the variable. */
  readonly name: string;
  /** Step id with visit; empty where there is none. */
  readonly step: string;
  /** What the journal has, as text; null for nothing. */
  readonly recorded: string | null;
  /** What the replay has. */
  readonly replayed: string | null;
}

/**
 * What differs. Of a run that is not over, only its answers are compared, as far as they go: it may
 * have been stopped between any two instructions.
 */
export function endDifferences(
  view: View,
  events: readonly RunEvent[],
  status: RunStatus,
): Difference[] {
  // A run that is taken up, or forked, has left the end before it behind.
  const last = events.findLast(({ type }) => type.startsWith('run.'));
  if (!last || !('result' in last)) return [];
  const recorded = readResult(last.result);
  const replayed = readResult(stringify(replayedResult(view)));
  if (status !== 'done' && status !== 'failed') {
    const replayedAnswers = replayed.answers.slice(0, recorded.answers.length);
    return listed('answer', recorded.answers, replayedAnswers);
  }
  const ended = statusOf[view.status] ?? 'running';
  if (ended !== status) {
    const error = replayed.error ? `: ${stringify(replayed.error)}` : '';
    return [difference('status', '', status, `${ended}${error}`)];
  }
  return [
    ...listed('answer', recorded.answers, replayed.answers),
    // Behind a failure, what became of shared containers depends on how far the program was ahead.
    ...(status === 'done' ? named(recorded.variables, replayed.variables) : []),
    ...listed('error', [recorded.error ?? null], [replayed.error ?? null]),
  ];
}

const statusOf: Partial<Record<View['status'], RunStatus>> = { done: 'done', failed: 'failed' };

/** The parts of a result document that are compared; ordinary JSON data. */
interface Recorded {
  readonly answers: readonly unknown[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

function readResult(text: string): Recorded {
  const { node } = readJson(text);
  return node ? (toJson(valueOfNode(node)) as Recorded) : { answers: [], variables: {} };
}

function replayedResult(view: View): Recorded {
  const error = view.error && errorOf(view.error);
  const parts = { run: '', status: 'done' as const, spent: nothingSpent(), warnings: [] };
  return resultOf({ ...parts, view, error });
}

function listed(
  what: Difference['what'],
  recorded: readonly unknown[],
  replayed: readonly unknown[],
): Difference[] {
  const length = Math.max(recorded.length, replayed.length);
  return Array.from({ length }, (_, i) =>
    difference(what, what === 'error' ? '' : String(i + 1), recorded[i], replayed[i]),
  ).filter(differs);
}

function named(recorded: Recorded['variables'], replayed: Recorded['variables']): Difference[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
  return [...names]
    .map((name) => difference('variable', name, recorded[name], replayed[name]))
    .filter(differs);
}

function difference(
  what: Difference['what'],
  name: string,
  recorded: unknown,
  replayed: unknown,
): Difference {
  const shown = (data: unknown): string | null =>
    data === undefined
      ? null
      : typeof data === 'string' && what === 'status'
        ? data
        : stringify(data);
  return { what, name, step: '', recorded: shown(recorded), replayed: shown(replayed) };
}

const differs = ({ recorded, replayed }: Difference): boolean => recorded !== replayed;
