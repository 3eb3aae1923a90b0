/** `--explain`: what the compiler has made of playbooks, and what prompts of a run are made of. */

import { type Explained, explained, explainedRun } from '../../agent/playbook/explained.ts';
import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import type { Journal, RunRecord } from '../../engine/journal/journal.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { decode, toJson } from '../../program/json.ts';
import { clip, count, grouped, oneLine } from '../../text/words.ts';

export const explainedLines = (all: readonly Explained[]): string[] =>
  all.map(({ what, at, text }) => `${what.padEnd(13)}  ${at}  ${clip(oneLine(text), 100)}`);

export const fileLines = (file: LinkedFile): string[] => explainedLines(explained(file));

export const runLines = (
  record: Pick<RunRecord, 'settings'>,
  tools: ReadonlyMap<string, ToolSpec>,
): string[] => explainedLines(explainedRun(record, tools));

/**
 * What the prompts of all turns of a run were made of, in estimated tokens, and which conversation
 * each turn was part of where that had to be decided.
 */
export function promptLines(journal: Journal, run: string): string[] {
  const steps = new Map<string, string>();
  const tokens = new Map<string, number>();
  const sessions = new Set<unknown>();
  const turns: string[] = [];
  for (const event of journal.events(run)) {
    if (event.type === 'effect.started') steps.set(event.effect, event.step);
    if (event.type !== 'effect.part' || event.tool !== 'turn') continue;
    const asked = Object(toJson(decode(event.value)));
    if (asked.op !== 'asked') continue;
    for (const [part, count] of Object.entries(Object(asked.tokens))) {
      tokens.set(part, (tokens.get(part) ?? 0) + Number(count));
    }
    const { how = '', session, why = '' } = Object(asked.chat);
    sessions.add(session);
    const step = steps.get(event.effect) || event.effect;
    turns.push(`${`chat ${how}`.padEnd(13)}  ${step}  ${session ?? ''}: ${why}`);
  }
  if (turns.length === 0) return [];
  const sums = [...tokens].filter(([, sum]) => sum > 0).toSorted(([, a], [, b]) => b - a);
  const all = sums.reduce((total, [, sum]) => total + sum, 0);
  return [
    `prompts of ${count(turns.length, 'turn')} in ${count(sessions.size, 'conversation')}: ` +
      `about ${grouped(all)} tokens`,
    ...sums.map(([part, sum]) => `  ${part.padEnd(13)}${grouped(sum).padStart(8)}`),
    ...turns,
  ];
}
