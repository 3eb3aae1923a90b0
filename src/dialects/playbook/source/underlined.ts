/** Headings that are underlined: `===` is for an agent, `---` for a playbook or a section. */
import { sectionOf } from '../text/sections.ts';
import type { Line } from './markdown.ts';

type Heading = Extract<Line, { readonly kind: 'heading' }>;

export function withUnderlined(lines: readonly Line[]): Line[] {
  return lines.flatMap((line, at) => {
    if (headingAt(lines, at - 1)) return [];
    return [headingAt(lines, at) ?? line];
  });
}

/** A rule may stand under a paragraph, too: a heading is a line by itself, and no sentence. */
function headingAt(lines: readonly Line[], at: number): Heading | undefined {
  const [before, line, under] = [lines[at - 1], lines[at], lines[at + 1]];
  if (line?.kind !== 'text' || under?.kind !== 'rule' || line.indent > 0) return undefined;
  if (before && !['blank', 'heading', 'rule'].includes(before.kind)) return undefined;
  const [mark] = /^(?:=+|-+)$/.exec(under.text) ?? [];
  if (mark === undefined || !isTitle.test(line.text)) return undefined;
  const section = sectionOf(line.text) !== undefined;
  const level = mark.startsWith('=') ? 1 : section ? 3 : 2;
  const { place, places, raw, text } = line;
  const [first = place] = places;
  const both = [first, { ...first, line: first.line + 1 }];
  return { kind: 'heading', level, text, raw: `${raw}\n${under.text}`, place, places: both };
}

const isTitle = /^(?!\|)(?!.*:\s)(?!.*[.:;,!?]$).{1,80}$/;
