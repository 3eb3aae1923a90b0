/**
 * The front end of the compiler: lines become numbered steps, triggers and notes. The same file
 * gives the same steps, always; lines that only a model can understand are marked.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import type {
  CompiledAgent,
  CompiledFile,
  CompiledPlaybook,
  Note,
  Step,
} from '../compiled/compiled.ts';
import { isOpen, meetingOf } from '../source/meeting.ts';
import type { Agent, Place, Playbook, PlaybookFile, SourceLine } from '../source/tree.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';
import { namesIn, stateNames, writtenName } from '../text/variables.ts';
import type { Context } from './calls/hoisting.ts';
import { type Draft, localsOf, numbered, withinLoops } from './draft.ts';
import { lineAboutIn } from './lines/back-to.ts';
import { draftsOf } from './lines/recognise.ts';
import { type Names, namesFor } from './names/names.ts';
import { triggerOf } from './triggers/trigger.ts';
import { bodyOf, effectsOf, playbooksOfOthers } from './yields/effects.ts';
import { unaddressed } from './yields/unaddressed.ts';
import { withYields } from './yields/yields.ts';

/** `tools` are those that steps may call, beside what the file has itself. */
export function compilePlaybooks(
  written: PlaybookFile,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile {
  const file = asShown(written);
  const known = [...tools];
  return {
    ...file,
    agents: file.agents.map((agent) =>
      compileAgent(agent, namesFor(agent, file, known), playbooksOfOthers(file.agents, agent)),
    ),
  };
}

/** The file with its lines as Markdown shows them. */
function asShown(file: PlaybookFile): PlaybookFile {
  const shown = (line: SourceLine): SourceLine => ({
    ...{ ...line, text: plainMarkdown(line.text), children: line.children.map(shown) },
  });
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => ({
      ...playbook,
      steps: playbook.steps.map(shown),
      triggers: playbook.triggers.map(shown),
      notes: playbook.notes.map(shown),
    })),
  }));
  return { ...file, agents };
}

interface Drafted {
  readonly playbook: Playbook;
  readonly drafts: readonly Draft[];
  readonly locals: ReadonlySet<string>;
}

function compileAgent(agent: Agent, names: Names, others: ReadonlySet<string>): CompiledAgent {
  const drafted = agent.playbooks.map((playbook): Drafted => {
    const isSteps = playbook.mode === 'steps';
    const context = contextOf(playbook, names);
    const all = isSteps ? withinLoops(draftsOf(playbook.steps, context)) : [];
    const meeting = meetingOf(playbook);
    const drafts = meeting && isOpen(meeting) ? unaddressed(all, playbook.steps) : all;
    return { playbook, drafts, locals: localsOf(drafts, playbook.parameters) };
  });
  const bodies = new Map(
    drafted.map(({ playbook, drafts, locals }) => [
      playbook.name,
      bodyOf(playbook, playbook.triggers.flatMap(flattened), drafts, locals),
    ]),
  );
  const effects = effectsOf(bodies, agent, others);
  return {
    ...agent,
    playbooks: drafted.map(({ playbook, drafts, locals }) => {
      const steps = numbered(
        withYields(drafts, { names, locals, effects }),
        locals,
        ordinals(playbook.steps),
      );
      return compiledOf(playbook, steps);
    }),
  };
}

function compiledOf(playbook: Playbook, steps: readonly Step[]): CompiledPlaybook {
  return {
    ...playbook,
    steps,
    triggers: playbook.triggers.flatMap(flattened).map(triggerOf),
    notes: playbook.notes.flatMap(flattened).map(noteOf),
  };
}

/** Triggers and notes have no blocks: what stands under one is one itself. */
const flattened = (line: SourceLine): SourceLine[] => [
  ...(line.text === '' && line.block === undefined ? [] : [line]),
  ...line.children.flatMap(flattened),
];

export function noteOf({ text, block, place }: SourceLine, at: number): Note {
  const [, id, rest] = /^(N\d+)(?::?\s([\s\S]*))?$/.exec(text) ?? [];
  const own = { id: id ?? `N${at + 1}`, text: rest ?? (id === undefined ? text : ''), place };
  return block === undefined ? own : { ...own, block };
}

/**
 * Where the items of the outer list stand, by their ordinals: `Go to step 2`. One of which nothing
 * is done is where the next one is.
 */
const ordinals = (lines: readonly SourceLine[]): ReadonlyMap<string, Place> =>
  new Map(
    lines.map((line, at) => {
      const isDone = ({ text, block, children }: SourceLine): boolean =>
        text !== '' || block !== undefined || children.length > 0;
      return [String(at + 1), (lines.slice(at).find(isDone) ?? line).place];
    }),
  );

/** `more` is said of the playbook besides its steps: what is named anew is named otherwise. */
export function contextOf(
  playbook: Pick<Playbook, 'name' | 'parameters' | 'steps'>,
  names: Names,
  more: readonly string[] = [],
): Context {
  const texts = [...textsOf(playbook.steps), ...more];
  const variables = new Set([
    ...playbook.parameters.map(writtenName),
    ...texts.flatMap(stateNames),
  ]);
  const isAbove = (name: string, { line }: Place): boolean =>
    playbook.parameters.some((one) => one.name === name.replace('$', '')) ||
    isNamedAbove(name, line, playbook.steps);
  const own = playbook.name;
  const lists = new Set(texts.flatMap((text) => listForm.exec(text)?.[1] ?? []));
  const temporary = temporaries(texts.join('\n'));
  const lineAbout = (words: string): Place | undefined => lineAboutIn(words, playbook.steps);
  return { own, names, variables, lists, temporary, isAbove, lineAbout, depth: 0 };
}

const listForm = new RegExp(
  String.raw`^(?:(?:set|let)\s+)?(\$?${namePattern})(?:\s*:\s*list\b|(?:\s*:[^=]*)?` +
    String.raw`\s*(?:=|\bto\b|\bbe\b)\s*(?:\[|an?\s+(?:empty\s+)?list\b))`,
  'iu',
);

const isNamedAbove = (name: string, line: number, lines: readonly SourceLine[]): boolean =>
  lines.some(
    ({ text, children, place }) =>
      place.line < line &&
      (namesIn(text, new Set([name])).includes(name) || isNamedAbove(name, line, children)),
  );

const textsOf = (lines: readonly SourceLine[]): string[] =>
  lines.flatMap(({ text, children }) => [text, ...textsOf(children)]);

/** Names that nothing in the playbook has: `free_bikes_1`. */
function temporaries(taken: string): (callee: string) => string {
  const words = new Set(taken.match(/\p{XIDC}+/gu));
  return (callee) => {
    const base = callee
      .replace(/^.*\./, '')
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
      .toLowerCase();
    for (let ordinal = 1; ; ordinal++) {
      const name = `${base}_${ordinal}`;
      if (words.has(name)) continue;
      words.add(name);
      return name;
    }
  };
}
