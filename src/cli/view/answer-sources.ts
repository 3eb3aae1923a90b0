/** What answers are made from, for `show --sources` and beside results that are printed as JSON. */
import { sourcedAnswers, withAnswerSources } from '../../agent/record/answer-sources.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { AnswerEffect } from '../../engine/provenance/concern.ts';
import type { RunResult } from '../../engine/result.ts';
import { stringify } from '../../program/json.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { print, type Style, styleOf } from './output.ts';
import type { ResultFlags } from './result.ts';

/** The result as it is to be printed: documents name the sources of answers. */
export const sourced = (
  result: RunResult,
  journal: Journal,
  { json, events }: ResultFlags,
): RunResult => (json || events ? withAnswerSources(result, journal) : result);

/** `show --sources`: of each answer, the effects it may be made from, and where those come from. */
export function showSources(journal: Journal, run: string, flags: { readonly json?: true }): void {
  const said = sourcedAnswers(journal, run);
  if (flags.json) {
    print(stringify({ run, answers: said }, 2));
    return;
  }
  const style = styleOf(process.stdout);
  if (said.length === 0) print(style.dim('no answer yet'));
  for (const { step, value, effects, sources } of said) {
    const text = typeof value === 'string' ? value : stringify(value);
    print(`${style.strong('answer')} ${style.dim(step)}  ${clip(oneLine(text), answerColumns)}`);
    print(
      `  may be made from ${count(effects.length, 'effect')}, ${count(sources.length, 'source')}`,
    );
    for (const effect of effects) for (const line of effectLines(effect, style)) print(line);
  }
}

const answerColumns = 100;
const sourceColumns = 200;

function effectLines({ id, tool, step, sources }: AnswerEffect, style: Style): string[] {
  const head = `    ${[tool, style.dim(id), style.dim(step)].join('  ').trimEnd()}`;
  const lines = sources.map(({ url, title, fetchedAt }) => {
    const when = fetchedAt === undefined ? '' : `  ${new Date(fetchedAt).toISOString()}`;
    const what = title === undefined ? '' : `  ${oneLine(title)}`;
    const more = style.dim(clip(what, sourceColumns) + when);
    return `        ${clip(oneLine(url), sourceColumns)}${more}`;
  });
  return [head, ...lines];
}
