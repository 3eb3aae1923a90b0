/**
 * How a plan is to be read, where that is a choice of its user. The choice is kept with the run as
 * an input variable, of a name that no plan can read: so whoever reads the text again, to resume
 * the run, to fork or to revise it, reads it in the same way.
 */
import type { Environment } from '../dialect.ts';

export const readingInputs = {
  /** `--no-join`: all results by id are the answer, and a failed task fails the run. */
  noJoin: 'plan: no join',
  /** `--observations`: those that stand in the text are the results of their tasks. */
  observations: 'plan: observations',
} as const;

export type Reading = { readonly [Name in keyof typeof readingInputs]: boolean };

export const readingIn = ({ inputs }: Pick<Environment, 'inputs'>): Reading => ({
  noJoin: inputs.includes(readingInputs.noJoin),
  observations: inputs.includes(readingInputs.observations),
});

const readings: ReadonlySet<string> = new Set(Object.values(readingInputs));

/** The inputs that a plan may name. */
export const namedInputs = ({ inputs }: Pick<Environment, 'inputs'>): readonly string[] =>
  inputs.filter((name) => !readings.has(name));
