/** The result document of a run, as its journal has it. */
import type { Journal } from '../../engine/journal/journal.ts';
import { withVerdicts } from '../../engine/judged.ts';
import { withReplies } from '../../engine/left-replies.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { toJson } from '../../program/json.ts';
import { readStrictJson } from '../../text/json-text.ts';

/**
 * With what was said of its answers since, and replies that were left; undefined while the run goes
 * on.
 */
export function keptResult(journal: Journal, run: string): RunResult | undefined {
  const events = journal.events(run);
  const last = events.findLast((event) => event.type.startsWith('run.'));
  if (last === undefined || !('result' in last)) return undefined;
  const value = readStrictJson(last.result);
  if (value === undefined) return undefined;
  const result = withVerdicts(toJson(value) as RunResult, readPast(events).verdicts);
  return result.waits ? { ...result, waits: withReplies(journal, run, result.waits) } : result;
}
