/**
 * Markdown to the tree of a file: H1 are agents, H2 their playbooks, H3 the sections of those. A
 * text without such structure is a skill: one playbook that is followed as a whole. Never throws.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import { lineMax } from '../grammar/text.ts';
import { found, report as newReport, type Report, warn } from '../report.ts';
import { cleanedCode, isCode } from './code.ts';
import { agentTitle, playbookTitle, type Section, sectionOf } from './heading.ts';
import { writtenText } from './import.ts';
import { readList } from './list.ts';
import { type Fence, type MarkdownLine, readMarkdown } from './markdown.ts';
import { describedBy, frontMatter } from './metadata.ts';
import { isSkill, skillOf } from './skill.ts';
import type {
  Agent,
  CodeBlock,
  Metadata,
  Mode,
  Place,
  Playbook,
  PlaybookFile,
  SourceLine,
} from './tree.ts';

export interface ReadFile {
  readonly file: PlaybookFile;
  readonly diagnostics: readonly Diagnostic[];
}

export function readPlaybooks(text: string): ReadFile {
  const report = newReport();
  const source = writtenText(text);
  const { lines: first, metadata } = frontMatter(source, report);
  const lines = readMarkdown(source, first, report);
  const agents = isSkill(lines) ? skillOf(lines, metadata) : agentsOf(lines, report);
  const { title } = metadata;
  const file = { ...(typeof title === 'string' && { title }), metadata, agents };
  return { file, diagnostics: found(report) };
}

interface OpenPlaybook {
  readonly title: ReturnType<typeof playbookTitle>;
  readonly place: Place;
  readonly description: MarkdownLine[];
  readonly sections: Map<Section, MarkdownLine[]>;
}

interface OpenAgent {
  readonly title: ReturnType<typeof agentTitle>;
  readonly place: Place;
  readonly description: MarkdownLine[];
  readonly code: CodeBlock[];
  /** Those of code come before the playbook that is open where their block stands. */
  readonly playbooks: (Playbook | OpenPlaybook)[];
}

function agentsOf(lines: readonly MarkdownLine[], report: Report): Agent[] {
  const reader = new AgentReader(report);
  for (const line of lines) reader.take(line);
  return reader.agents.map((agent) => agentOf(agent, report));
}

/** What is open while a file is read: each line goes to the innermost of it. */
class AgentReader {
  readonly agents: OpenAgent[] = [];
  readonly #report: Report;
  #playbook: OpenPlaybook | undefined;
  #section: Section | undefined;
  #hasStray = false;

  constructor(report: Report) {
    this.#report = report;
  }

  take(line: MarkdownLine): void {
    if (line.kind === 'fence' && isOurs(line.word)) return;
    if (line.kind === 'fence' && isFunctions(line, this.#section)) this.#code(line);
    else if (line.kind !== 'heading') this.#text(line);
    else if (line.level === 1) this.#startAgent(line.text, line.place);
    else if (line.level === 2) this.#startPlaybook(line.text, line.place);
    else if (line.level === 3 || !this.#section) this.#startSection(line);
    else {
      const message = `got the heading ${line.text} within a section: it was left out`;
      warn(this.#report, 'unknownSection', line.place, message);
    }
  }

  #startAgent(text: string, place: Place): OpenAgent {
    const title = agentTitle(text, this.agents.length + 1);
    if (title.unknownKind !== undefined) {
      const message = `got the agent kind ${title.unknownKind}, want AI, Human or MCP`;
      warn(this.#report, 'agentKind', place, message, { hint: 'it was taken for AI' });
    }
    const agent = { title, place, description: [], code: [], playbooks: [] };
    this.agents.push(agent);
    this.#playbook = this.#section = undefined;
    return agent;
  }

  /** A file that begins with a playbook has an agent that nobody has named. */
  #agentAt(place: Place): OpenAgent {
    return this.agents.at(-1) ?? this.#startAgent('Agent', place);
  }

  #startPlaybook(text: string, place: Place): OpenPlaybook {
    const { playbooks } = this.#agentAt(place);
    const title = playbookTitle(text, playbooks.length + 1);
    for (const part of title.wrong) {
      const message = `got the parameter ${part}, want a name, as in ($day, count: int = 1)`;
      warn(this.#report, 'badSignature', place, message);
    }
    const playbook = { title, place, description: [], sections: new Map() };
    playbooks.push(playbook);
    this.#playbook = playbook;
    this.#section = undefined;
    return playbook;
  }

  /** A heading that is not one of a section is a part of the description. */
  #startSection(line: MarkdownLine & { readonly kind: 'heading' }): void {
    const { level, place, text } = line;
    const section = level === 3 ? sectionOf(text) : undefined;
    if (section === undefined) {
      const near = nearest(text, ['Triggers', 'Steps', 'Notes']);
      const meant = near === undefined ? '' : `; did you mean ### ${near}?`;
      const hint = `what stands under it was taken as description${meant}`;
      const message = `got the heading ${text}, want Triggers, Steps or Notes`;
      if (this.#playbook) warn(this.#report, 'unknownSection', place, message, { hint });
      this.#section = undefined;
      this.#text(line);
      return;
    }
    if (!this.#playbook) {
      const message = `got the heading ${text} without a playbook, taken for one of Main`;
      warn(this.#report, 'unknownSection', place, message, { hint: 'write ## Main above it' });
    }
    const { sections } = this.#playbook ?? this.#startPlaybook('Main', place);
    this.#section = section;
    if (!sections.has(section)) sections.set(section, []);
  }

  #code(line: Fence): void {
    const { block, playbooks, problems } = cleanedCode(blockOf(line));
    for (const { message, place } of problems) {
      warn(this.#report, 'cleaned', place, message, { hint: 'it was left out' });
    }
    const agent = this.#agentAt(line.place);
    agent.code.push(block);
    agent.playbooks.splice(this.#playbook ? -1 : agent.playbooks.length, 0, ...playbooks);
  }

  #text(line: MarkdownLine): void {
    const section = this.#section === 'code' ? undefined : this.#section;
    const playbook = this.#playbook;
    const lines = section ? playbook?.sections.get(section) : playbook?.description;
    const to = lines ?? this.agents.at(-1)?.description;
    to?.push(line);
    if (to || line.kind === 'blank' || line.kind === 'rule' || this.#hasStray) return;
    const message = 'got text before the first heading, want # and the name of an agent';
    warn(this.#report, 'outsideSection', line.place, message);
    this.#hasStray = true;
  }
}

const blockOf = ({ breaks, place, text }: Fence): CodeBlock => {
  return breaks.length > 0 ? { text, place, breaks } : { text, place };
};

/** Blocks that compilers leave behind: where lines stand, and what others may call. */
const isOurs = (word: string): boolean => word === 'places' || word === 'public.json';

/**
 * Whether a block holds functions of the agent. Within steps it may also be a part of a line: there
 * it has to say so, or to stand in the margin and define some.
 */
function isFunctions({ indent, text, word }: Fence, section: Section | undefined): boolean {
  if (!isCode(word)) return false;
  const defines = indent === 0 && /^(?:async )?def \p{XIDC}/mu.test(text);
  return section !== 'steps' || word === 'tools' || defines;
}

function agentOf({ code, description: lines, place, playbooks, title }: OpenAgent, report: Report) {
  const { description, metadata } = describedBy(lines, report);
  const { name, written } = title;
  const kind = metadata.remote !== undefined && title.kind === 'ai' ? 'mcp' : title.kind;
  const all = playbooks.map((one) => ('sections' in one ? playbookOf(one, report) : one));
  return { name, written, kind, description, metadata, code, playbooks: all, place };
}

function playbookOf(open: OpenPlaybook, report: Report): Playbook {
  const { place, sections, title } = open;
  const { description, metadata: said } = describedBy(open.description, report);
  const list = (section: Section): readonly SourceLine[] =>
    readList(sections.get(section) ?? [], report);
  const steps = list('steps');
  warnOfLong(steps, report);
  if (sections.size === 0 && !title.isSignature && sectionOf(title.written) !== undefined) {
    const message = `got a playbook of the name ${title.written}, which has no steps of its own`;
    const hint = `a section has three marks, ### ${title.written}, under ## and its playbook`;
    warn(report, 'unknownSection', place, message, { hint });
  }
  const { flags, name, parameters, returns, written } = title;
  const says = (key: 'public' | 'export' | 'hidden' | 'meeting'): boolean =>
    said[key] === true || flags.includes(key);
  const isPublic = says('public') || says('export');
  const isHidden = says('hidden');
  const { execution_mode: wanted, ...rest } = said;
  const usual: Mode = steps.length > 0 ? 'steps' : 'react';
  const mode = modes.get(String(wanted ?? '').toLowerCase()) ?? usual;
  if (wanted !== undefined && !modes.has(String(wanted).toLowerCase())) {
    const message = `got execution_mode: ${String(wanted)}, want playbook, react or raw`;
    warn(report, 'ignoredMetadata', place, message, { hint: 'it was left out' });
  }
  const metadata: Metadata = {
    ...rest,
    ...(isPublic && { public: true }),
    ...(isHidden && { hidden: true }),
    ...(says('meeting') && { meeting: true }),
    ...((mode ?? usual) !== usual && { execution_mode: mode }),
  };
  return {
    ...{ name, written, parameters, description, metadata, place, mode, isPublic, isHidden },
    ...(returns !== undefined && { returns }),
    ...{ triggers: list('triggers').map(inOneText), steps, notes: list('notes') },
  };
}

/** Undefined: as there are steps or not. */
const modes: ReadonlyMap<string, Mode | undefined> = new Map([
  ...(['react', 'raw', 'code'] as const).map((mode) => [mode, mode] as const),
  ...['playbook', 'markdown', 'steps'].map((mode) => [mode, undefined] as const),
]);

function warnOfLong(lines: readonly SourceLine[], report: Report): void {
  for (const { children, place, text } of lines) {
    if (text.length > lineMax) {
      const message = `got a line of ${text.length} characters, which is taken in words`;
      const hint = 'put a long text into a block of code under a line, as in $mail =';
      warn(report, 'longLine', place, message, { hint });
    }
    warnOfLong(children, report);
  }
}

/** A trigger is one text: a block of code in it is words, too. */
const inOneText = ({ block, children, ...line }: SourceLine): SourceLine => ({
  ...line,
  children: children.map(inOneText),
  text: [line.text, ...(block?.split('\n') ?? [])]
    .map((one) => one.trim())
    .filter((one) => one !== '' && !/^(?:`{3,}|~{3,})/.test(one))
    .join('\n'),
});
