/** What is on its way at a line of a playbook: asked or called for, and not there yet. */

/** By kind, each by names in the order in which they were asked for. */
export interface Pending {
  /** Variables that calls set; `*` stands for any that a text may mean. */
  readonly values: ReadonlySet<string>;
  /** Agents who answer, by their names or by the variables that hold them; `meeting` for one. */
  readonly answers: ReadonlySet<string>;
  /** Calls whose result no variable takes, by what they call. */
  readonly results: ReadonlySet<string>;
  /** Variables that the questions right before were about, which wait together. */
  readonly questions: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export const nothing: Pending = { values: none, answers: none, results: none, questions: none };

export const pendingOf = (
  kinds: { readonly [K in keyof Pending]?: Iterable<string> },
): Pending => ({
  values: new Set(kinds.values),
  answers: new Set(kinds.answers),
  results: new Set(kinds.results),
  questions: new Set(kinds.questions),
});

export const together = (...all: readonly Pending[]): Pending => ({
  values: new Set(all.flatMap(({ values }) => [...values])),
  answers: new Set(all.flatMap(({ answers }) => [...answers])),
  results: new Set(all.flatMap(({ results }) => [...results])),
  questions: new Set(all.flatMap(({ questions }) => [...questions])),
});

export const isNothing = ({ values, answers, results, questions }: Pending): boolean =>
  values.size + answers.size + results.size + questions.size === 0;

/** The same text for the same that is on its way, in the same order. */
export const keyOf = ({ values, answers, results, questions }: Pending): string =>
  JSON.stringify([values, answers, results, questions].map((names) => [...names]));

/** What is waited for: what was called, or nothing but what an agent answers. */
export function reasonFor({ values, answers, results }: Pending): string {
  const whom = [...answers].at(-1);
  if (whom === undefined || values.size + results.size > 0) return 'call';
  return whom === 'meeting' ? whom : `agent ${whom}`;
}
