/** What a run has found although it failed. */
import { described } from '../../agent/evidence/known-variables.ts';
import type { RunResult } from '../../engine/result.ts';
import { fromJson } from '../../program/json.ts';
import { clip, oneLine } from '../../text/words.ts';
import { styleOf } from './output.ts';

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
