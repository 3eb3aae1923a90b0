/** What answers of a run may be made from: the effects behind each, and the sources of those. */
import type { Source } from '../../program/effect.ts';
import { findRun } from '../find-run.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import { type Load, loadProgram } from '../load.ts';
import { readPast } from '../past/read-past.ts';
import type { Answer, AnswerSource, RunResult } from '../result.ts';
import { type Performed, type ProvenanceParts, provenanceOf } from './provenance.ts';

/** An effect that an answer may be made from. */
export interface AnswerEffect {
  readonly id: string;
  readonly tool: string;
  readonly step: string;
  readonly sources: readonly Source[];
}

export interface AnswerOrigin {
  readonly step: string;
  /** In the order in which they began, with those that their own arguments are made from. */
  readonly effects: readonly AnswerEffect[];
}

export interface OriginOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly load: Load;
}

/**
 * One for each answer. Throws `RunError` where there is no such run, or its program cannot be read
 * any more.
 */
export function answerOrigins(
  { journal, run, load }: OriginOptions,
  answers: readonly Pick<Answer, 'step'>[],
): readonly AnswerOrigin[] {
  findRun(journal, run);
  return originsOfAnswers(partsOf(run, journal.events(run), load), answers);
}

/** The result with `sources` at the answers that have any; the very same where none has. */
export function withSources(result: RunResult, { journal, run, load }: OriginOptions): RunResult {
  if (result.answers.length === 0 || result.answers.some(({ sources }) => sources)) return result;
  const events = journal.events(run);
  const isSourced = events.some((event) => event.type === 'effect.settled' && event.sources);
  if (!isSourced) return result;
  const origins = originsOfAnswers(partsOf(run, events, load), result.answers);
  const answers = result.answers.map((answer, i) => {
    const sources = sourcesOf(origins[i]?.effects ?? []);
    return sources.length > 0 ? { ...answer, sources } : answer;
  });
  return { ...result, answers };
}

/** Each source once, with the first effect that named it. */
export function sourcesOf(effects: readonly AnswerEffect[]): readonly AnswerSource[] {
  const found = new Map<string, AnswerSource>();
  for (const { id: effect, tool, sources } of effects) {
    for (const source of sources) {
      if (!found.has(source.url)) found.set(source.url, { effect, tool, ...source });
    }
  }
  return [...found.values()];
}

function partsOf(run: string, events: readonly RunEvent[], load: Load): ProvenanceParts {
  const past = readPast(events);
  const { program, specs } = loadProgram(run, past, load);
  return { program, specs, past: () => past };
}

function originsOfAnswers(
  parts: ProvenanceParts,
  answers: readonly Pick<Answer, 'step'>[],
): readonly AnswerOrigin[] {
  const { behindAnswer } = provenanceOf(parts);
  return answers.map(({ step }) => ({ step, effects: behindAnswer(step).map(effectOf) }));
}

const effectOf = ({ id, effect: { tool, step, sources = [] } }: Performed): AnswerEffect => ({
  ...{ id, tool, step, sources },
});
