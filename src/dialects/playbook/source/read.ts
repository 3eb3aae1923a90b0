/**
 * Markdown to the tree of a file: H1 are agents, H2 their playbooks, H3 the sections of those. A
 * text without such structure is a skill: one playbook that is followed as a whole. Never throws.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import { lineMax } from '../grammar/text.ts';
import { found, report as newReport, type Report, warn } from '../report.ts';
import { isCode, isMarked, unmarkedCode } from './code.ts';
import {
  agentTitle,
  nameFrom,
  playbookHead,
  playbookTitle,
  type Section,
  sectionOf,
} from './heading.ts';
import { writtenText } from './import.ts';
import { readList } from './list.ts';
import { type Fence, type Heading, type MarkdownLine, readMarkdown } from './markdown.ts';
import { meetingOf, withMeetingParameters } from './meeting.ts';
import { describedBy, frontMatter } from './metadata.ts';
import {
  type Agent,
  type CodeBlock,
  flatLines,
  type Metadata,
  type Playbook,
  type PlaybookFile,
  type SourceLine,
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

interface Group {
  readonly heading: Pick<Heading, 'text' | 'place'>;
  readonly lines: readonly MarkdownLine[];
}

/** The lines before the first heading of a level, and the groups that such headings begin. */
function groupsOf(lines: readonly MarkdownLine[], level: number) {
  const starts = lines.flatMap((line, at) =>
    line.kind === 'heading' && line.level === level ? [{ heading: line, at }] : [],
  );
  const groups = starts.map(({ at, heading }, index): Group => {
    return { heading, lines: lines.slice(at + 1, starts[index + 1]?.at) };
  });
  return { before: lines.slice(0, starts[0]?.at), groups };
}

function agentsOf(lines: readonly MarkdownLine[], report: Report): Agent[] {
  const { before, groups } = groupsOf(lines, 1);
  const start = before.findIndex(
    (line) => line.kind === 'heading' || (line.kind === 'fence' && isCode(line.word)),
  );
  const first = before[start];
  const strays = before.slice(0, first ? start : undefined);
  const stray = strays.find(({ kind }) => kind !== 'blank' && kind !== 'rule');
  if (stray) {
    const message = 'got text before the first heading, want # and the name of an agent';
    warn(report, 'outsideSection', stray.place, message);
  }
  // A file that begins with a playbook has an agent that nobody has named.
  const heading = first && { text: 'Agent', place: first.place };
  if (heading) groups.unshift({ heading, lines: before.slice(start) });
  return groups.map((group, at) => agentOf(group, at + 1, report));
}

function agentOf({ heading: { place, text }, lines }: Group, ordinal: number, report: Report) {
  const { unknownKind, ...title } = agentTitle(text, ordinal);
  if (unknownKind !== undefined) {
    const message = `got the agent kind ${unknownKind}, want AI, Human or MCP`;
    warn(report, 'agentKind', place, message, { hint: 'it was taken for AI' });
  }
  const { before, groups } = groupsOf(lines, 2);
  const start = before.findIndex(isSection);
  const section = before[start];
  if (section?.kind === 'heading') {
    const message = `got the heading ${section.text} without a playbook, taken for one of Main`;
    warn(report, 'unknownSection', section.place, message, { hint: 'write ## Main above it' });
    const heading = { text: 'Main', place: section.place };
    groups.unshift({ heading, lines: before.slice(start) });
  }
  const code: CodeBlock[] = [];
  const playbooks: Playbook[] = [];
  const take = (fences: readonly Fence[]): void => {
    for (const { breaks, place, text } of fences) {
      const written = breaks.length > 0 ? { text, place, breaks } : { text, place };
      const unmarked = unmarkedCode(written, report);
      code.push(unmarked.block);
      playbooks.push(...unmarked.playbooks);
    }
  };
  const own = partsOf(section ? before.slice(0, start) : before);
  take(own.fences);
  for (const [at, group] of groups.entries()) {
    const parts = partsOf(group.lines, report);
    take(parts.fences);
    playbooks.push(playbookOf(group.heading, parts, at + 1, report));
  }
  const { description, metadata } = describedBy(own.description, report);
  const kind = metadata.remote !== undefined && title.kind === 'ai' ? 'mcp' : title.kind;
  return { ...title, kind, description, metadata, code, playbooks, place };
}

const isSection = (line: MarkdownLine): boolean =>
  line.kind === 'heading' && line.level === 3 && sectionOf(line.text) !== undefined;

interface Parts {
  readonly description: readonly MarkdownLine[];
  readonly sections: ReadonlyMap<Section, readonly MarkdownLine[]>;
  /** Blocks with functions of the agent. */
  readonly fences: readonly Fence[];
}

/** The lines of a playbook, or of what stands above the playbooks of an agent. */
function partsOf(lines: readonly MarkdownLine[], report?: Report): Parts {
  const description: MarkdownLine[] = [];
  const sections = new Map<Section, MarkdownLine[]>();
  const fences: Fence[] = [];
  let section: Section | undefined;
  for (const line of lines) {
    const { kind } = line;
    if (kind === 'fence' && isOfCompiler(line.word)) continue;
    if (kind === 'fence' && isFunctions(line, section)) fences.push(line);
    else if (kind === 'heading' && line.level > 3 && section) {
      const message = `got the heading ${line.text} within a section: it was left out`;
      if (report) warn(report, 'unknownSection', line.place, message);
    } else if (kind === 'heading') {
      section = isSection(line) ? sectionOf(line.text) : undefined;
      if (section) sections.set(section, sections.get(section) ?? []);
      else {
        // The heading is a part of the description.
        description.push(line);
        if (report) warnOfHeading(line, report);
      }
    } else {
      (section ? sections.get(section) : description)?.push(line);
    }
  }
  return { description, sections, fences };
}

function warnOfHeading({ place, text }: Heading, report: Report): void {
  const near = nearest(text, ['Triggers', 'Steps', 'Notes']);
  const meant = near === undefined ? '' : `; did you mean ### ${near}?`;
  const hint = `what stands under it was taken as description${meant}`;
  const message = `got the heading ${text}, want Triggers, Steps or Notes`;
  warn(report, 'unknownSection', place, message, { hint });
}

/** Blocks that `planvm compile` writes: where lines stand, and what others may call. */
const isOfCompiler = (word: string): boolean => word === 'places' || word === 'public.json';

/**
 * Whether a block holds functions of the agent. Within steps it may also be a part of a line: there
 * it has to say so, or to stand in the margin and define some.
 */
function isFunctions({ indent, text, word }: Fence, section: Section | undefined): boolean {
  const defines = indent === 0 && /^(?:async )?def \p{XIDC}/mu.test(text);
  return isCode(word) && (section !== 'steps' || word === 'tools' || defines);
}

function playbookOf(
  { place, text }: Group['heading'],
  { description: lines, sections }: Parts,
  ordinal: number,
  report: Report,
): Playbook {
  const title = playbookTitle(text, ordinal);
  for (const part of title.wrong) {
    const message = `got the parameter ${part}, want a name, as in ($day, count: int = 1)`;
    warn(report, 'badSignature', place, message);
  }
  if (sections.size === 0 && !title.isSignature && sectionOf(title.written) !== undefined) {
    const message = `got a playbook of the name ${title.written}, which has no steps of its own`;
    const hint = `a section has three marks, ### ${title.written}, under ## and its playbook`;
    warn(report, 'unknownSection', place, message, { hint });
  }
  const list = (section: Section): SourceLine[] => readList(sections.get(section) ?? [], report);
  const { description, metadata } = describedBy(lines, report);
  const steps = list('steps');
  warnOfLong(steps, report);
  const wanted = String(metadata.execution_mode ?? 'playbook');
  const mode = (['react', 'raw', 'code'] as const).find((one) => one === wanted);
  if (!mode && wanted !== 'playbook') {
    const message = `got execution_mode: ${wanted}, want playbook, react or raw`;
    warn(report, 'ignoredMetadata', place, message, { hint: 'it was left out' });
  }
  const head = meetingOf({ metadata })
    ? { ...title, parameters: withMeetingParameters(title.parameters) }
    : title;
  return {
    ...playbookHead(head, metadata, mode ?? (steps.length > 0 ? 'steps' : 'react'), place),
    ...{ description, steps, triggers: list('triggers'), notes: list('notes') },
  };
}

function warnOfLong(lines: readonly SourceLine[], report: Report): void {
  for (const { place, text } of flatLines(lines)) {
    if (text.length <= lineMax) continue;
    const message = `got a line of ${text.length} characters, which is taken in words`;
    const hint = 'put a long text into a block of code under a line, as in $mail =';
    warn(report, 'longLine', place, message, { hint });
  }
}

const isSignature = (heading: string): boolean =>
  /\p{XIDC}\(/u.test(heading) && /\)\s*(?:->.*)?$/s.test(heading);

/** Whether nothing in a text says that it has playbooks. */
function isSkill(lines: readonly MarkdownLine[]): boolean {
  let hasHeading = false;
  return !lines.some((line) => {
    if (line.kind === 'fence') return isCode(line.word) && isMarked(line.text);
    if (line.kind === 'text') return hasHeading && /^(?:execution_mode|remote)\s*:/.test(line.text);
    if (line.kind !== 'heading') return false;
    hasHeading = true;
    if (line.level === 1) return /:\s*(?:AI|Human|MCP)\s*$/i.test(line.text);
    if (line.level === 2) return isSignature(line.text);
    return ['steps', 'triggers'].includes(sectionOf(line.text) ?? '');
  });
}

/** Free-form instructions: one agent with one playbook, which begins with the program. */
function skillOf(lines: readonly MarkdownLine[], metadata: Metadata): Agent[] {
  if (!lines.some(({ kind }) => kind !== 'blank')) return [];
  const [heading] = groupsOf(lines, 1).groups.map((group) => group.heading);
  const title = heading?.text ?? '';
  const written = [metadata.name, metadata.title].find((one) => typeof one === 'string') ?? title;
  const place = heading?.place ?? { line: 1, column: 1 };
  const about = typeof metadata.description === 'string' ? metadata.description : '';
  const body = lines.flatMap(({ raw }) => raw.split('\n').map((one) => one.trimEnd())).join('\n');
  const main: Playbook = {
    ...{ name: 'Main', written: title || written, parameters: [], place, metadata: {} },
    ...{ description: body.trim(), mode: 'react', isPublic: false, isHidden: false },
    ...{ triggers: [{ text: 'At the beginning', children: [], place }], steps: [], notes: [] },
  };
  const name = nameFrom(written, 'Skill', true);
  const head = { name, written, kind: 'ai', place, metadata: {}, code: [] } as const;
  return [{ ...head, description: about, playbooks: [main] }];
}
