/** Whether the first plan that a model wrote for a question could be used as it was. */
import type { Journal } from '../engine/journal/journal.ts';
import { decode, toJson } from '../program/json.ts';

/**
 * Read from the runs of the question. A program passes its check; a plan of tasks has nothing wrong
 * in it; of a model that acts step by step, the first reply is an action. Undefined where no model
 * has come to write one.
 */
export function isFirstTryValid(journal: Journal, runs: readonly string[]): boolean | undefined {
  for (const run of runs) {
    const events = [...journal.events(run)];
    // The first that starts is the loop's own: a tool of the user may have its name.
    const planning = events.find(
      (event) => event.type === 'effect.started' && planningTools.has(event.tool),
    );
    if (planning?.type !== 'effect.started') continue;
    for (const event of events) {
      if (event.type !== 'effect.settled' || event.tool !== planning.tool) continue;
      // A model that was away has not written; one whose action cannot be read has.
      if (!event.outcome.ok) return event.outcome.error.code === unreadable ? false : undefined;
      const found = Object(toJson(decode(event.outcome.value)));
      // A model that asks to see more tools has not written yet.
      if (event.tool === 'check' && found.tools) continue;
      return event.tool === 'next_action'
        ? event.usage?.modelCalls === 1 && problemsIn(found.calls).length === 0
        : found.ok === true && found.sound !== false;
    }
    return undefined;
  }
  return undefined;
}

const problemsIn = (calls: unknown): readonly unknown[] =>
  Array.isArray(calls) ? calls.filter((call) => Object(call).problem) : [];

/** The effects of the loops that read what a planner has written. */
const planningTools: ReadonlySet<string> = new Set(['check', 'plan_tasks', 'next_action']);

/** No action in two replies of a model. */
const unreadable = 'PV7207';
