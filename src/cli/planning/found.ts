/**
 * What was found before everything failed: the answers and variables of the runs that a failed one
 * was forked from. A rewritten program may have thrown away what an earlier attempt had.
 */

import { described } from '../../agent/goal/known-variables.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { Answer, RunResult } from '../../engine/result.ts';
import { fromJson, stringify } from '../../program/json.ts';
import { clip, oneLine } from '../../text/words.ts';
import { styleOf } from '../view/output.ts';

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

const shownColumns = 160;
const variablesMost = 20;

/** What there is although it has failed; nothing where there is nothing. */
export function foundLines({ status, variables, answers }: RunResult): string[] {
  const entries = Object.entries(variables);
  if (status !== 'failed' || entries.length + answers.length === 0) return [];
  const { dim } = styleOf(process.stderr);
  const lines = entries
    .slice(0, variablesMost)
    .flatMap(([name, data]) => described(name, fromJson(data)))
    .map(({ name, type, text }) => clip(oneLine(`  ${name}: ${type} = ${text}`), shownColumns));
  const more = entries.length - variablesMost;
  if (more > 0) lines.push(`  … and ${more} more, with --json`);
  const said = answers.length > 0 ? [`  answers: ${answers.length}, on stdout`] : [];
  return ['what was found until then:', ...lines, ...said].map(dim);
}
