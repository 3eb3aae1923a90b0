/**
 * Free-form instructions: Markdown without the parts that playbooks have. It is one agent with one
 * playbook, which begins with the program and is followed as a whole, in turns.
 */
import { namePattern } from '../../../program/name.ts';
import { sectionOf } from '../text/sections.ts';
import { isCode } from './code.ts';
import { nameFrom } from './heading.ts';
import type { Line } from './markdown.ts';
import { isMarked } from './marks.ts';
import { filledLinesOf, rawOf } from './metadata.ts';
import type { Agent, Metadata } from './tree.ts';

const signature = new RegExp(String.raw`\p{XIDC}\((\$?${namePattern}.*)?\)\s*(->|$)`, 'u');

/** Whether nothing in a text says that it has playbooks. */
export function isSkill(lines: readonly Line[]): boolean {
  let level = 0;
  for (const line of lines) {
    if (line.kind !== 'heading') {
      const isMode = line.kind === 'text' && /^\s*(execution_mode|remote)\s*:/.test(line.text);
      if (level > 0 && isMode) return false;
      if (line.kind === 'fence' && isCode(line.word) && isMarked(line.text)) return false;
      continue;
    }
    level = line.level;
    if (level === 2 && signature.test(line.text)) return false;
    if (level === 1 && /:\s*(AI|Human|MCP)\s*$/i.test(line.text)) return false;
    if (level > 2 && ['steps', 'triggers'].includes(sectionOf(line.text) ?? '')) return false;
  }
  return true;
}

export function skillOf(lines: readonly Line[], metadata: Metadata): Agent[] {
  if (lines.every(({ kind }) => kind === 'blank')) return [];
  const heading = lines.find((line) => line.kind === 'heading' && line.level === 1);
  const title = heading?.kind === 'heading' ? heading.text : '';
  const named = [metadata.name, metadata.title].find((one) => typeof one === 'string') ?? title;
  const place = heading?.kind === 'heading' ? heading.place : { line: 1, column: 1 };
  const filledLines = filledLinesOf(lines.map(rawOf));
  const about = typeof metadata.description === 'string' ? metadata.description : '';
  return [
    {
      ...{ name: nameFrom(named, 'Skill', true), written: named, kind: 'ai', place, metadata: {} },
      ...{ description: about, code: [] },
      playbooks: [
        {
          ...{ name: 'Main', written: title === '' ? named : title, parameters: [], place },
          ...{ description: bodyOf(lines), metadata: {}, mode: 'react' },
          ...{ isPublic: false, isHidden: false, steps: [], notes: [] },
          ...(filledLines.length > 0 ? { filledLines } : {}),
          triggers: [{ text: 'At the beginning', children: [], place }],
        },
      ],
    },
  ];
}

/** The text without comments and front matter. */
const bodyOf = (lines: readonly Line[]): string =>
  lines
    .map((line) => rawOf(line).raw)
    .join('\n')
    .replace(/[^\S\n]+$/gm, '')
    .trim();
