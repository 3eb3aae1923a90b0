/**
 * Texts that were mended to get a value from them: a tool or a model has answered in JSON that is
 * none. The value is taken, and a warning on the step says what was done (design rule 9).
 */
import type { Repair } from '../program/json-text.ts';
import { type Entry, type State, shownStep, stepId } from './state.ts';
import type { Surroundings } from './surroundings.ts';

/** How many repairs a warning lists. */
const listed = 3;

export function warnOf(repairs: readonly Repair[], around: Surroundings | undefined): void {
  if (repairs.length === 0) return;
  const places = repairs.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  const more = places.length > listed ? `; and ${places.length - listed} more` : '';
  const first = places.slice(0, listed).join('; ');
  around?.warn?.(`a text was mended to be read as JSON: ${first}${more}`);
}

const stepHere = (state: State): string =>
  state.label || stepId(state, state.step, state.visits[state.step] ?? 0);

/** Puts what was mended just now down to the step of an entry, or that which is being executed. */
export function tellMended(state: State, entry?: Entry): void {
  const { meter, outbox } = state;
  if (meter.mended.length === 0) return;
  const label = entry?.work.kind === 'effect' ? entry.work.task?.step : undefined;
  const id = label || (entry ? shownStep(state, entry.site) : stepHere(state));
  for (const message of meter.mended.splice(0)) outbox.warnings.push({ message, step: id });
}
