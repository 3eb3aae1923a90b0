/**
 * What was found before everything failed: the answers and variables of the runs that a failed one
 * was forked from. A rewritten program may have thrown away what an earlier attempt had.
 */

import type { Journal } from '../../engine/journal/journal.ts';
import type { Answer, RunResult } from '../../engine/result.ts';
import { stringify } from '../../program/json.ts';
import { keptResult } from '../record/kept-result.ts';

/** The result with what earlier attempts have found and this one has not; its own comes last. */
export function withFound(journal: Journal, result: RunResult): RunResult {
  if (result.status !== 'failed') return result;
  const answers: Answer[] = [...result.answers];
  const known = new Set(answers.map(({ value }) => stringify(value)));
  let variables = result.variables;
  for (let base = journal.find(result.run)?.base; base; base = journal.find(base.run)?.base) {
    const earlier = keptResult(journal, base.run);
    // A good end is no attempt that failed: it stands for itself.
    if (earlier?.status !== 'failed') break;
    const lost = earlier.answers.filter(({ value }) => !known.has(stringify(value)));
    for (const { value } of lost) known.add(stringify(value));
    answers.unshift(...lost);
    variables = { ...earlier.variables, ...variables };
  }
  return { ...result, answer: answers.at(-1)?.value ?? null, answers, variables };
}
