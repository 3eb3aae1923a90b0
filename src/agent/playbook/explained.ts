/** What the compiler has made of playbooks, line by line, and why: `--explain`. */

import { countLines } from '../../dialects/playbook/compile/compile.ts';
import { isMachines } from '../../dialects/playbook/compiled.ts';
import { type LinkOptions, link } from '../../dialects/playbook/link/link.ts';
import type { LinkedFile, LinkedLine } from '../../dialects/playbook/link/linked.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { keptOf } from '../record/kept.ts';

/** A line for each: what it is, where, and why. */
export interface Explained {
  readonly what: 'inlined' | 'not inlined' | 'tail call' | 'waits' | 'open' | 'code';
  /** `Agent.Playbook:03`, or the playbook alone. */
  readonly at: string;
  readonly text: string;
}

export function explained({ agents, inlining }: LinkedFile): Explained[] {
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

/** Of a run that goes on: what became of its playbooks. None for other runs. */
export function explainedRun(record: Pick<RunRecord, 'settings'>, tools: Tools): Explained[] {
  const { playbook: kept } = keptOf(record);
  return kept ? explainedText(kept.text, tools, kept) : [];
}
