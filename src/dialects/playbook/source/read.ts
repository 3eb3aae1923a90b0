/**
 * Markdown to the tree of a file: H1 are agents, H2 their playbooks, H3 the sections of those. A
 * text without such structure is a skill: one playbook that is followed as a whole. Never throws.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { found, report as newReport, type Report, take, warn } from '../report.ts';
import { nearSection, type Section, sectionOf } from '../text/sections.ts';
import { cleanCode, isCode, placeIn } from './code.ts';
import { agentTitle, playbookTitle } from './heading.ts';
import { written as writtenText } from './import.ts';
import { withLabels } from './labels.ts';
import { readList } from './list.ts';
import { type Line, readMarkdown } from './markdown.ts';
import { readMarks } from './marks.ts';
import {
  describedBy,
  frontMatter,
  isLikeFront,
  placeholdersIn,
  type RawLine,
  rawOf,
} from './metadata.ts';
import { checkQuotes } from './open-quotes.ts';
import { isSkill, skillOf } from './skill.ts';
import { withoutStruck } from './struck.ts';
import type {
  Agent,
  AgentKind,
  CodeBlock,
  Metadata,
  Mode,
  Place,
  Playbook,
  PlaybookFile,
  SourceLine,
} from './tree.ts';
import { withUnderlined } from './underlined.ts';
import { unwrapped } from './wrapping.ts';

export interface ReadFile {
  readonly file: PlaybookFile;
  readonly diagnostics: readonly Diagnostic[];
}

export function readPlaybooks(text: string): ReadFile {
  const report = newReport();
  const source = unwrapped(writtenText(text), report);
  const front = frontMatter(source, report);
  const { lines: written, report: seen } = readMarkdown(source, front.lines);
  for (const one of seen.diagnostics) take(report, one);
  const lines = withLabels(withUnderlined(written), report);
  const structured = isSkill(lines) ? undefined : new Reader(report, front.isOpen).read(lines);
  const agents = structured ?? skillOf(lines, front.metadata);
  const { title } = front.metadata;
  const file: PlaybookFile = {
    ...(typeof title === 'string' ? { title } : {}),
    ...{ metadata: front.metadata, agents },
  };
  return { file, diagnostics: found(report) };
}

interface OpenPlaybook {
  readonly title: ReturnType<typeof playbookTitle>;
  readonly place: Place;
  /** How many lines there were before it. */
  readonly order: number;
  readonly raw: RawLine[];
  readonly sections: Map<Section, Line[]>;
}

interface OpenAgent {
  readonly title: { readonly name: string; readonly written: string; readonly kind: AgentKind };
  readonly place: Place;
  readonly raw: RawLine[];
  readonly code: CodeBlock[];
  /** Each with how many lines there were before it. */
  readonly playbooks: { readonly order: number; readonly playbook: Playbook }[];
}

/** What is open while a file is read; each line goes to the innermost of it. */
class Reader {
  readonly #report: Report;
  readonly #agents: Agent[] = [];
  #lines: readonly Line[] = [];
  #order = 0;
  #isFront: boolean;
  /** Whether the text before the first heading has been told of, up to the next blank line. */
  #isTold = false;
  #agent: OpenAgent | undefined;
  #playbook: OpenPlaybook | undefined;
  #section: Section | undefined;

  /** `isFront`: whether it begins with front matter that is none, of which no more is said. */
  constructor(report: Report, isFront = false) {
    this.#report = report;
    this.#isFront = isFront;
  }

  read(lines: readonly Line[]): Agent[] {
    this.#lines = lines;
    for (const line of lines) {
      this.#take(line);
      this.#order++;
    }
    this.#endAgent();
    return this.#agents;
  }

  #take(line: Line): void {
    if (line.kind === 'fence' && isOurs(line.word)) return;
    if (line.kind === 'heading' && line.level === 1) this.#startAgent(line.text, line.place);
    else if (line.kind === 'heading' && line.level === 2) this.#startPlaybook(line);
    else if (line.kind === 'heading' && this.#startSection(line)) return;
    else if (line.kind === 'fence' && this.#isCode(line)) {
      if (line.head) this.#take(line.head);
      this.#code(line);
    } else if (this.#playbook && this.#section && this.#section !== 'code') {
      this.#playbook.sections.get(this.#section)?.push(line);
    } else this.#describe(line);
  }

  /**
   * Whether a block holds functions of the agent. Within steps it may also be a part of a line, so
   * there it has to say so, or to stand in the margin and define some.
   */
  #isCode({ indent, text, word }: Extract<Line, { kind: 'fence' }>): boolean {
    if (!isCode(word)) return false;
    const defines = indent === 0 && /^(async )?def \p{XIDC}/mu.test(text);
    return this.#section !== 'steps' || word === 'tools' || defines;
  }

  #startAgent(text: string, place: Place): void {
    this.#endAgent();
    const title = agentTitle(text, this.#agents.length + 1);
    if (title.unknownKind !== undefined) {
      const message = `got the agent kind ${title.unknownKind}, want AI, Human or MCP`;
      warn(this.#report, 'agentKind', place, message, { hint: 'it was taken for AI' });
    }
    this.#agent = { title, place, raw: [], code: [], playbooks: [] };
  }

  #startPlaybook({ text, place }: { readonly text: string; readonly place: Place }): void {
    this.#endPlaybook();
    // A file that begins with a playbook has an agent that nobody has named.
    if (!this.#agent) this.#startAgent('Agent', place);
    const title = playbookTitle(text, (this.#agent?.playbooks.length ?? 0) + 1);
    for (const part of title.wrong) {
      const message = `got the parameter ${part}, want a name, as in ($day, count: int = 1)`;
      warn(this.#report, 'badSignature', place, message);
    }
    this.#playbook = { title, place, order: this.#order, raw: [], sections: new Map() };
  }

  /** Whether a heading is one of a section; another one is a part of the description. */
  #startSection({ text, level, place }: Extract<Line, { kind: 'heading' }>): boolean {
    const section = sectionOf(text);
    if (!this.#playbook && (section === 'steps' || section === 'triggers')) {
      const message = `got the heading ${text} without a playbook: it was taken for one of Main`;
      const hint = 'write a heading with the name of the playbook above it, as in ## Main';
      warn(this.#report, 'unknownSection', place, message, { hint });
      this.#startPlaybook({ text: 'Main', place });
    }
    if (section === undefined && level > 3 && this.#section) {
      const message = `got the heading ${text} within a section, which has none`;
      const hint = 'it was left out; what stands under it goes on with the section';
      warn(this.#report, 'unknownSection', place, message, { hint });
      return false;
    }
    if (section === undefined && level === 3) this.#otherHeading(text, place);
    if (section === undefined || !this.#playbook) {
      this.#section = undefined;
      return false;
    }
    this.#section = section;
    if (!this.#playbook.sections.has(section)) this.#playbook.sections.set(section, []);
    return true;
  }

  #otherHeading(text: string, place: Place): void {
    const near = nearSection(text);
    const isBehind = this.#playbook !== undefined && this.#playbook.sections.size > 0;
    if (!isBehind && !near && !this.#isAboveLines()) return;
    const message = `got the heading ${text}, want Triggers, Steps or Notes`;
    const advice = near
      ? `did you mean ### ${near}?`
      : 'a part of the steps has a heading of four marks: ####';
    const hint =
      'what stands under it was taken as description, which is read and not followed line by ' +
      `line; ${advice}`;
    warn(this.#report, 'unknownSection', place, message, { hint });
  }

  /** Whether what stands under a heading, up to the next one, is written as lines are. */
  #isAboveLines(): boolean {
    const rest = this.#lines.slice(this.#order + 1);
    const end = rest.findIndex((line) => line.kind === 'heading' && line.level <= 3);
    const items = rest.slice(0, end < 0 ? rest.length : end);
    return items.some((line) => line.kind === 'item' && isLine.test(line.text));
  }

  #code({ text, place, breaks }: Extract<Line, { kind: 'fence' }>): void {
    const block = { text, place, ...(breaks.length > 0 && { breaks }) };
    const { text: unmarked, playbooks, wrong } = readMarks(block);
    for (const { text: given, line } of wrong) {
      const at = placeIn(block, line);
      const message = `got ${given} in @playbook, want values as they are, each with its name`;
      const hint = '@playbook(triggers = ["When $pin is set"], public = True, metadata = {})';
      warn(this.#report, 'badMetadata', at, message, { hint });
    }
    const { code, gives, left } = cleanCode(unmarked, new Set(playbooks.map(({ name }) => name)));
    for (const { word, line } of left) {
      const at = placeIn(block, line);
      warn(this.#report, 'cleaned', at, `got ${word}, which Starlark does not have: left out`);
    }
    if (!this.#agent) this.#startAgent('Agent', place);
    const isTyped = Object.keys(gives).length > 0;
    this.#agent?.code.push({ ...block, text: code, ...(isTyped && { gives }) });
    const order = this.#order;
    this.#agent?.playbooks.push(...playbooks.map((playbook) => ({ order, playbook })));
  }

  #describe(line: Line): void {
    const raw = rawOf(line);
    const to = this.#playbook?.raw ?? this.#agent?.raw;
    if (to) to.push(raw);
    else if (raw.raw.trim() === '') this.#isTold = false;
    else if (line.kind !== 'rule') {
      this.#isFront &&= isLikeFront(raw.raw);
      if (this.#isFront || this.#isTold) return;
      this.#isTold = true;
      const message = 'got text before the first heading, want # and the name of an agent';
      warn(this.#report, 'outsideSection', 'place' in line ? line.place : nowhere, message);
    }
  }

  #endPlaybook(): void {
    const open = this.#playbook;
    this.#playbook = undefined;
    this.#section = undefined;
    if (!open) return;
    const { order } = open;
    this.#agent?.playbooks.push({ order, playbook: playbookOf(open, this.#report) });
  }

  #endAgent(): void {
    this.#endPlaybook();
    const open = this.#agent;
    if (!open) return;
    const { code, place, raw, title } = open;
    const playbooks = open.playbooks
      .toSorted((one, two) => one.order - two.order)
      .map(({ playbook }) => playbook);
    const { metadata, description } = describedBy(raw, this.#report);
    const { name, written } = title;
    for (const [found, at] of placeholdersIn(raw)) {
      const message = `got ${found} in the description of an agent, which is sent as it stands`;
      const hint = 'in descriptions of playbooks, and in texts in quotes, it is filled in';
      warn(this.#report, 'notFilled', at, message, { hint });
    }
    const isRemote = metadata.remote !== undefined && title.kind === 'ai';
    const kind = isRemote ? 'mcp' : title.kind;
    this.#agents.push({ name, written, kind, description, metadata, code, playbooks, place });
    this.#agent = undefined;
  }
}

function playbookOf({ title, place, raw, sections }: OpenPlaybook, report: Report): Playbook {
  const { metadata: given, description, filledLines } = describedBy(raw, report);
  const list = (section: Section): SourceLine[] =>
    withoutStruck(readList(sections.get(section) ?? [], report).filter(isSaid), report);
  const steps = list('steps');
  checkQuotes(steps, report);
  if (sections.size === 0 && !title.isSignature && sectionOf(title.written) !== undefined) {
    const message = `got a playbook of the name ${title.written}, which has no steps of its own`;
    const hint = `a section has three marks, ### ${title.written}, under ## and its playbook`;
    warn(report, 'unknownSection', place, message, { hint });
  }
  const { name, written, parameters, returns, flags } = title;
  const says = (key: 'public' | 'export' | 'hidden' | 'meeting'): boolean =>
    given[key] === true || flags.includes(key);
  const isPublic = says('public') || says('export');
  const isHidden = says('hidden');
  const mode = modeOf(given, steps.length > 0);
  const { execution_mode: wanted, ...rest } = given;
  if (wanted !== undefined && !modes.has(modeWord(wanted))) {
    const message = `got execution_mode: ${String(wanted)}, want playbook, react or raw`;
    warn(report, 'ignoredMetadata', place, message, {
      hint: 'it is followed as if nothing was said',
    });
  }
  const metadata: Metadata = {
    ...rest,
    ...(isPublic ? { public: true } : {}),
    ...(isHidden ? { hidden: true } : {}),
    ...(says('meeting') ? { meeting: true } : {}),
    ...(mode === modeOf({}, steps.length > 0) ? {} : { execution_mode: mode }),
  };
  return {
    ...{ name, written, parameters, description, metadata, place, mode, isPublic, isHidden },
    ...(returns === undefined ? {} : { returns }),
    ...(filledLines.length > 0 ? { filledLines } : {}),
    ...{ triggers: list('triggers').filter(isSaid).map(inOneText), steps },
    notes: list('notes').filter(isSaid),
  };
}

/** A variable, a call, a quote to say, a beginning or an end: no mere rule has these. */
const isLine = new RegExp(
  String.raw`\$\p{XIDS}|^(?:call\s+)?\p{XIDS}\p{XIDC}*\(|^(?:say|return)\s*["“]|^end program|` +
    '^(?:at|from) the (?:beginning|start)|^when (?:the )?program (?:starts|begins)',
  'iu',
);

const nowhere: Place = { line: 0, column: 0 };

/** Whether there is a word in a line or under it. */
const isSaid = ({ block, children, text }: SourceLine): boolean =>
  text !== '' || block !== undefined || children.some(isSaid);

/** What a trigger is about is one text: a block of code in it is words, too. */
const inOneText = ({ block, children, ...line }: SourceLine): SourceLine => ({
  ...{ ...line, children: children.map(inOneText) },
  text: block === undefined ? line.text : [line.text, ...wordsOf(block)].join('\n').trim(),
});

const wordsOf = (block: string): string[] =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:`{3,}|~{3,})/.test(line));

const modes: ReadonlySet<string> = new Set([
  'playbook',
  'markdown',
  'steps',
  'react',
  'raw',
  'code',
]);

const modeWord = (written: unknown): string => String(written ?? '').toLowerCase();

/** As its metadata say; else by whether there are steps. */
function modeOf(metadata: Metadata, hasSteps: boolean): Mode {
  const written = modeWord(metadata.execution_mode);
  if (written === 'raw' || written === 'react' || written === 'code') return written;
  return hasSteps ? 'steps' : 'react';
}

/** Blocks that compilers leave behind: where lines stand, and what others may call. */
const isOurs = (word: string): boolean => word === 'places' || word === 'public.json';
