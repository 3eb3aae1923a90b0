/**
 * What the loops over tasks say to a model, in one shape for every language that there is. The
 * marks of the notations (`Thought:`, `Action:`, `join()`) are the same in all of them: programs
 * read those.
 */

/** Texts, and functions that make texts of names, numbers and texts. */
export interface Words {
  readonly question: (text: string) => string;
  /** Transcripts are compared without it (`effects/model/replay.ts`). */
  readonly today: (date: string) => string;
  readonly answerLanguage: (name: string) => string;
  readonly answerForm: (words: string) => string;
  /** Before values that were given with the question, and how arguments name them. */
  readonly given: string;
  readonly givenName: (reference: string) => string;
  /** What was cut of a text that is too long. */
  readonly more: (characters: number) => string;
  /** Before the list of the tools; and in place of it, where there are none. */
  readonly tools: string;
  /** Where there are others than those that follow. */
  readonly someTools: string;
  readonly noTools: string;
  readonly plan: PlanWords;
  readonly join: JoinWords;
  readonly act: ActWords;
}

export interface PlanWords {
  readonly role: string;
  readonly form: readonly string[];
  /** The line that says how ids begin. */
  readonly firstId: (id: number) => string;
  readonly rules: readonly string[];
  /** Where a task may be a goal of its own. */
  readonly subPlans: string;
  readonly example: string;
  readonly ownExamples: string;
  readonly earlier: string;
  readonly reason: (why: string) => string;
  readonly goOn: (id: number) => string;
  readonly unusable: (problem: string) => string;
  readonly samples: SampleWords;
}

/** What generated examples are made of. */
export interface SampleWords {
  readonly ask: string;
  readonly first: string;
  readonly independent: string;
  readonly dependent: string;
  readonly last: string;
  readonly text: (parameter: string, number: number) => string;
  /** A text that is made of the results of these calls. */
  readonly from: (parameter: string, results: readonly number[]) => string;
}

export interface JoinWords {
  readonly role: string;
  readonly finish: string;
  readonly replan: string;
  readonly final: string;
  readonly data: string;
  readonly form: string;
  readonly finalForm: string;
  readonly nothing: string;
}

export interface ActWords {
  readonly role: string;
  readonly form: readonly string[];
  readonly rules: readonly string[];
  /** Where calls are made in the provider's own form. */
  readonly nativeRole: string;
  readonly native: string;
  readonly left: (actions: number) => string;
  readonly repeated: (action: string) => string;
  readonly sampleThought: string;
  readonly sampleLast: string;
  readonly sampleAnswer: string;
  readonly observation: string;
}
