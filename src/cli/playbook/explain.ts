/** `--explain`: what the compiler has made of playbooks, and what prompts of a run are made of. */

import { keptOf } from '../../agent/record/kept.ts';
import { countLines } from '../../dialects/playbook/compile/compile.ts';
import { isMachines } from '../../dialects/playbook/compiled.ts';
import { type LinkOptions, link } from '../../dialects/playbook/link/link.ts';
import type { LinkedFile, LinkedLine } from '../../dialects/playbook/link/linked.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import type { Journal, RunRecord } from '../../engine/journal/journal.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { decode, toJson } from '../../program/json.ts';
import { clip, count, grouped, oneLine } from '../../text/words.ts';

/** A line for each: what it is, where, and why. */
export interface Explained {
  readonly what: 'inlined' | 'not inlined' | 'tail call' | 'waits' | 'open' | 'code';
  /** `Agent.Playbook:03`, or the playbook alone. */
  readonly at: string;
  readonly text: string;
}

function explained({ agents, inlining }: LinkedFile): Explained[] {
  const playbooks = agents.flatMap((agent) => agent.playbooks);
  return [
    ...inlining.map(({ at, callee, isInlined, why }): Explained => {
      return { what: isInlined ? 'inlined' : 'not inlined', at, text: `${callee}: ${why}` };
    }),
    ...playbooks.flatMap(({ id, lines }) =>
      [...lines.values()].flatMap((line) => {
        const fact = factOf(line);
        return fact ? [{ ...fact, at: `${id}:${line.number}` }] : [];
      }),
    ),
    ...playbooks
      .filter(({ mode }) => mode === 'code')
      .map(({ id }): Explained => {
        return { what: 'code', at: id, text: 'a function: no model is asked to play it' };
      }),
  ];
}

function factOf(line: LinkedLine): Omit<Explained, 'at'> | undefined {
  const { does, tail, text } = line;
  if (tail) return { what: 'tail call', text: `${text}: it need not come back` };
  if (does.is === 'wait' || (does.is === 'say' && does.waits)) return { what: 'waits', text };
  if (isMachines(line)) return undefined;
  const why = does.is === 'open' && does.likely !== undefined ? ` (${does.likely})` : '';
  return { what: 'open', text: `${text}${why}` };
}

type Tools = ReadonlyMap<string, ToolSpec>;

/** How many lines are forms, and how many are open. */
export const countedLines = (text: string, tools: Tools): ReturnType<typeof countLines> =>
  countLines(compiledOf(readTree(text).tree, tools.values()));

/** Of a text, compiled or not, with the tools that its lines may call. */
export const explainedText = (text: string, tools: Tools, options: LinkOptions): Explained[] =>
  explained(link(compiledOf(readTree(text).tree, tools.values()), options));

export const explainedFile = (file: LinkedFile): string[] => explainedLines(explained(file));

export const explainedLines = (all: readonly Explained[]): string[] =>
  all.map(({ what, at, text }) => `${what.padEnd(13)}  ${at}  ${clip(oneLine(text), 100)}`);

/** Of a run that goes on: what became of its playbooks. None for other runs. */
export function explainedRun(record: Pick<RunRecord, 'settings'>, tools: Tools): string[] {
  const { playbook: kept } = keptOf(record);
  return kept ? explainedLines(explainedText(kept.text, tools, kept)) : [];
}

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
