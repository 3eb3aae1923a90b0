/** `--explain`: what the compiler has made of playbooks, and what prompts of a run are made of. */
import { countLines } from '../../dialects/playbook/compile/compile.ts';
import { isMachines } from '../../dialects/playbook/compiled.ts';
import { type LinkOptions, link } from '../../dialects/playbook/link/link.ts';
import type { LinkedFile, LinkedPlaybook } from '../../dialects/playbook/link/linked.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import type { Journal, RunRecord } from '../../engine/journal/journal.ts';
import type { ChatNote } from '../../planner/playbook/parts.ts';
import { promptParts } from '../../planner/playbook/prompt/prompt-tokens.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { decode, toJson } from '../../program/json.ts';
import { keptOf } from '../record/kept.ts';
import { clip, count, grouped, oneLine } from '../view/text.ts';

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
    ...playbooks.flatMap(ofLines),
    ...playbooks.flatMap(({ id, mode }): Explained[] => {
      const text = 'a function: no model is asked to play it';
      return mode === 'code' ? [{ what: 'code', at: id, text }] : [];
    }),
  ];
}

const ofLines = ({ id, lines }: LinkedPlaybook): Explained[] =>
  [...lines.values()].flatMap((line): Explained[] => {
    const { does, number, tail, text } = line;
    const at = `${id}:${number}`;
    if (tail) return [{ what: 'tail call', at, text: `${text}: it need not come back` }];
    if (does.is === 'wait' || (does.is === 'say' && does.waits))
      return [{ what: 'waits', at, text }];
    if (isMachines(line)) return [];
    const why = does.is === 'open' && does.likely !== undefined ? ` (${does.likely})` : '';
    return [{ what: 'open', at, text: `${text}${why}` }];
  });

/** How many lines are forms, and how many are open. */
export const countedLines = (
  text: string,
  tools: ReadonlyMap<string, ToolSpec>,
): ReturnType<typeof countLines> => countLines(compiledOf(readTree(text).tree, tools.values()));

/** Of a text, compiled or not, with the tools that its lines may call. */
export function explainedText(
  text: string,
  tools: ReadonlyMap<string, ToolSpec>,
  options: LinkOptions,
): Explained[] {
  return explained(link(compiledOf(readTree(text).tree, tools.values()), options));
}

export const explainedFile = (file: LinkedFile): string[] => explainedLines(explained(file));

export const explainedLines = (all: readonly Explained[]): string[] =>
  all.map(({ what, at, text }) => `${what.padEnd(13)}  ${at}  ${clip(oneLine(text), 100)}`);

/** Of a run that goes on: what became of its playbooks. None for other runs. */
export function explainedRun(
  record: Pick<RunRecord, 'settings'>,
  tools: ReadonlyMap<string, ToolSpec>,
): string[] {
  const { playbook: kept } = keptOf(record);
  return kept ? explainedLines(explainedText(kept.text, tools, kept)) : [];
}

/** A turn of a run, as what was asked in it tells. */
interface AskedTurn {
  readonly effect: string;
  readonly step: string;
  readonly tokens: Readonly<Record<string, unknown>>;
  readonly chat: Partial<ChatNote>;
}

function turnsIn(journal: Journal, run: string): readonly AskedTurn[] {
  const steps = new Map<string, string>();
  return journal.events(run).flatMap((event): AskedTurn[] => {
    if (event.type === 'effect.started') steps.set(event.effect, event.step);
    if (event.type !== 'effect.part' || event.tool !== 'turn') return [];
    const { op, tokens, chat } = Object(toJson(decode(event.value)));
    if (op !== 'asked') return [];
    const { effect } = event;
    const step = steps.get(effect) ?? '';
    return [{ effect, step, tokens: Object(tokens), chat: Object(chat) }];
  });
}

/**
 * What the prompts of all turns of a run were made of, in estimated tokens, and which conversation
 * each turn was part of where that had to be decided.
 */
export function promptLines(journal: Journal, run: string): string[] {
  const turns = turnsIn(journal, run);
  if (turns.length === 0) return [];
  const sums = promptParts.map((part) => {
    return { part, tokens: turns.reduce((sum, { tokens }) => sum + Number(tokens[part] ?? 0), 0) };
  });
  const all = sums.reduce((sum, { tokens }) => sum + tokens, 0);
  const talks = new Set(turns.map(({ chat }) => chat.session));
  const head =
    `prompts of ${count(turns.length, 'turn')} in ${count(talks.size, 'conversation')}: ` +
    `about ${grouped(all)} tokens`;
  return [
    head,
    ...sums
      .filter(({ tokens }) => tokens > 0)
      .toSorted((a, b) => b.tokens - a.tokens)
      .map(({ part, tokens }) => `  ${part.padEnd(13)}${grouped(tokens).padStart(8)}`),
    ...turns.map(
      ({ effect, step, chat: { session, how = '', why = '' } }) =>
        `${`chat ${how}`.padEnd(13)}  ${step || effect}  ${session ?? ''}: ${why}`,
    ),
  ];
}
