/** What is to be done about an answer; of all but the first, nothing is accepted. */
export const judgements = ['satisfies', 'rewrite answer', 'rewrite program', 'give up'] as const;

export type Judgement = (typeof judgements)[number];
