/** Sections of playbooks that begin with a line in bold type, or with a colon: `**Steps:**`. */
import { type Report, warn } from '../report.ts';
import { type Section, sectionOf } from '../text/sections.ts';
import type { Line } from './markdown.ts';

type Text = Extract<Line, { readonly kind: 'text' }>;

/** The lines with headings in their place, in a text that has headings or labels of playbooks. */
export function withLabels(lines: readonly Line[], report: Report): Line[] {
  const labels = new Map(
    lines.flatMap((line, at) => {
      const found = line.kind === 'text' ? labelIn(line) : undefined;
      const isHead = found && isAboveText(lines, at) && isInPlaybook(lines, at);
      return isHead ? [[at, found] as const] : [];
    }),
  );
  const isStructured =
    [...labels.values()].some(({ section }) => section === 'triggers') ||
    lines.some((line) => line.kind === 'heading' && line.level === 3 && isOfLines(line.text));
  if (!isStructured) return [...lines];
  return lines.map((line, at) => {
    const label = labels.get(at);
    if (label === undefined || line.kind !== 'text') return line;
    const { raw, place, places } = line;
    const message = `got ${line.text} in a line: it was taken for the heading of a section`;
    warn(report, 'unknownSection', place, message, { hint: `write ### ${label.text}` });
    return { kind: 'heading', level: 3, text: label.text, raw, place, places };
  });
}

const isOfLines = (heading: string): boolean =>
  ['steps', 'triggers'].includes(sectionOf(heading) ?? '');

function labelIn({ indent, text }: Text): { text: string; section: Section } | undefined {
  const [, bold = '', word = '', colon = ''] = form.exec(text) ?? [];
  const section = sectionOf(word);
  if (section === undefined || section === 'code' || indent > 0) return undefined;
  return bold === '' && colon === '' ? undefined : { text: word, section };
}

const form = /^(\*\*|__)?(\p{L}+)(:?)(?:\1:?)$/u;

/** Whether something other than a heading comes next. */
function isAboveText(lines: readonly Line[], at: number): boolean {
  const next = lines.slice(at + 1).find(({ kind }) => kind !== 'blank');
  return next !== undefined && next.kind !== 'heading' && next.kind !== 'rule';
}

/** Whether the heading before a line is that of a playbook, or of a section. */
function isInPlaybook(lines: readonly Line[], at: number): boolean {
  const last = lines.slice(0, at).findLast(({ kind }) => kind === 'heading');
  return last?.kind === 'heading' && (last.level === 2 || last.level === 3);
}
