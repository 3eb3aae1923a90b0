/** Where the answers of a run come from: the effects behind each, and what those have read. */
import type { Journal } from '../../engine/journal/journal.ts';
import {
  type AnswerEffect,
  answerOrigins,
  sourcesOf,
  withSources,
} from '../../engine/provenance/concern.ts';
import type { AnswerSource, RunResult } from '../../engine/result.ts';
import { keptResult } from './kept-result.ts';
import { load } from './load.ts';

export interface SourcedAnswer {
  readonly step: string;
  readonly value: unknown;
  /** What the answer may be made from. */
  readonly effects: readonly AnswerEffect[];
  readonly sources: readonly AnswerSource[];
}

/** The answers that a run has given; none while it goes on. */
export function sourcedAnswers(journal: Journal, run: string): readonly SourcedAnswer[] {
  const answers = keptResult(journal, run)?.answers ?? [];
  const origins = answerOrigins({ journal, run, load }, answers);
  return answers.map(({ value, step }, i) => {
    const effects = origins[i]?.effects ?? [];
    return { step, value, effects, sources: sourcesOf(effects) };
  });
}

/** The result whose answers name their sources; the very same where none has any. */
export const withAnswerSources = (result: RunResult, journal: Journal): RunResult =>
  withSources(result, { journal, run: result.run, load });
