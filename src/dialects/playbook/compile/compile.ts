/**
 * The front end of the compiler: lines become numbered lines that are formal or open, triggers and
 * notes. The same file gives the same lines, always.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import {
  type CompiledFile,
  type CompiledPlaybook,
  type Does,
  flatLines,
  type Line,
  type Note,
  type Template,
  type Variable,
} from '../compiled.ts';
import { readTemplate } from '../grammar/expression.ts';
import { formOf, type LineNames, variableOf } from '../grammar/forms.ts';
import type { PlaybookFile, SourceLine } from '../source/tree.ts';
import { dollarNames, namesOf, type TextPlaybook } from './names.ts';
import { triggerOf } from './trigger.ts';

/** `tools` are those that lines may call, beside what the file has itself. */
export function compilePlaybooks(
  file: PlaybookFile,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile {
  const known = [...tools];
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => ({ ...playbook, lines: playbook.steps })),
  }));
  return {
    ...file,
    agents: agents.map((agent) => {
      const names = namesOf(agent, agents, known);
      return {
        ...agent,
        playbooks: agent.playbooks.map((playbook): CompiledPlaybook => {
          const { lines, notes, steps: _, triggers, ...head } = playbook;
          const own = names.of(playbook);
          const about = templateOf(playbook.description, own);
          return {
            ...head,
            ...(about.some((part) => typeof part !== 'string') && { about }),
            parameters: names.parametersOf(playbook),
            triggers: triggers
              .flatMap(flattened)
              .map(({ place, text }, at) => triggerOf(`T${at + 1}`, text, place, own)),
            lines:
              playbook.mode === 'steps' ? linesOf(lines, own, { before: '', isInLoop: false }) : [],
            notes: notes.flatMap(flattened).map(noteOf),
          };
        }),
      };
    }),
  };
}

/** Triggers and notes have no blocks: what stands under one is one itself. */
const flattened = (line: SourceLine): SourceLine[] => [
  ...(line.text === '' && line.block === undefined ? [] : [line]),
  ...line.children.flatMap(flattened),
];

function noteOf({ text, block, place }: SourceLine, at: number): Note {
  const [, id, rest = ''] = /^(N\d+)(?::?\s([\s\S]*))?$/.exec(text) ?? [];
  const own = id === undefined ? { id: `N${at + 1}`, text, place } : { id, text: rest, place };
  return block === undefined ? own : { ...own, block };
}

/** A description with its placeholders, as far as they can be computed. */
const templateOf = (text: string, names: LineNames): Template =>
  text.split(/(\{[^{}]*\})/).flatMap((part) => {
    const read = part.startsWith('{') ? readTemplate(part, names) : [part];
    return 'why' in read ? [part] : read;
  });

interface Around {
  /** The number of the line around, with a dot. */
  readonly before: string;
  readonly isInLoop: boolean;
}

function linesOf(lines: readonly SourceLine[], names: LineNames, around: Around): Line[] {
  const made: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const number = `${around.before}${String(at + 1).padStart(2, '0')}`;
    made.push(lineOf(line, made.at(-1), names, { number, isInLoop: around.isInLoop }));
  }
  return made;
}

function lineOf(
  { block, children, place, text }: SourceLine,
  last: Line | undefined,
  names: LineNames,
  { isInLoop, number }: { readonly number: string; readonly isInLoop: boolean },
): Line {
  const at = { isHead: children.length > 0, hasBlock: block !== undefined, isInLoop };
  const { code, does: read, inline } = formOf(text, at, names);
  const isOpen = isStray(read, last);
  const does = isOpen ? ({ is: 'open' } as const) : read;
  const isLoop = isInLoop || does.is === 'each' || (does.is === 'test' && loops.has(does.kind));
  const before = `${number}.`;
  const own = { place, names: namesIn(text, block, names) };
  const under = inline && { text: inline.line, place, children: [] };
  return {
    ...{ number, code: isOpen ? 'EXE' : code, text: inline?.head ?? text, does, ...own },
    ...(block !== undefined && { block }),
    children: linesOf(under ? [under] : children, names, { before, isInLoop: isLoop }),
  };
}

const loops: ReadonlySet<string> = new Set(['while', 'until', 'times']);

/** Another case after a head that is open: the model decides both. */
const isStray = (does: Does, last: Line | undefined): boolean =>
  does.is === 'test' &&
  (does.kind === 'elif' || does.kind === 'else') &&
  last?.does.is === 'open' &&
  last.children.length > 0;

const word = new RegExp(String.raw`(?<![\p{XIDC}$.])${namePattern}`, 'gu');

/** The variables that a line names, in words or not: `$x`, and `x` where it is a variable. */
function namesIn(text: string, block: string | undefined, names: LineNames): Variable[] {
  const local = [text, ...(block?.match(/\{[^{}"':;\n]*\}/g) ?? [])]
    .flatMap((one) => one.match(word) ?? [])
    .filter(names.isLocal);
  const all = [...dollarNames(`${text}\n${block ?? ''}`).map((name) => `$${name}`), ...local];
  return [...new Set(all)].map((written) => variableOf(written, names));
}

export interface LineCounts {
  readonly formal: number;
  readonly open: number;
}

/** How many lines are forms, and how many are in words as a whole. */
export function countLines({ agents }: CompiledFile): LineCounts {
  const lines = agents
    .flatMap(({ playbooks }) => playbooks)
    .flatMap((playbook) => flatLines(playbook.lines));
  const open = lines.filter(({ does }) => does.is === 'open').length;
  return { formal: lines.length - open, open };
}

export type { TextPlaybook };
