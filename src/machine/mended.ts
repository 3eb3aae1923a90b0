/**
 * Texts that were mended to get a value from them: a tool or a model has answered in JSON that is
 * none. The value is taken, and a warning on the step says what was done (design rule 9).
 */
import { type Entry, type State, shownStep, stepHere } from './state.ts';

/** Puts what was mended just now down to the step of an entry, or that which is being executed. */
export function tellMended(state: State, entry?: Entry): void {
  const { meter, outbox } = state;
  if (meter.mended.length === 0) return;
  const label = entry?.work.kind === 'effect' ? entry.work.task?.step : undefined;
  const id = label || (entry ? shownStep(state, entry.site) : stepHere(state));
  for (const message of meter.mended.splice(0)) outbox.warnings.push({ message, step: id });
}
