/**
 * Free-form instructions: Markdown without the parts that playbooks have. It is one agent with one
 * playbook, which begins with the program and is followed as a whole.
 */
import { isCode, isMarked } from './code.ts';
import { nameFrom, sectionOf } from './heading.ts';
import type { MarkdownLine } from './markdown.ts';
import type { Agent, Metadata } from './tree.ts';

const isSignature = (heading: string): boolean =>
  /\p{XIDC}\(/u.test(heading) && /\)\s*(?:->.*)?$/.test(heading);

/** Whether nothing in a text says that it has playbooks. */
export function isSkill(lines: readonly MarkdownLine[]): boolean {
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

export function skillOf(lines: readonly MarkdownLine[], metadata: Metadata): Agent[] {
  if (lines.every(({ kind }) => kind === 'blank')) return [];
  const heading = lines.find((line) => line.kind === 'heading' && line.level === 1);
  const title = heading?.kind === 'heading' ? heading.text : '';
  const named = [metadata.name, metadata.title].find((one) => typeof one === 'string') ?? title;
  const place = heading?.place ?? { line: 1, column: 1 };
  const { description: about } = metadata;
  const body = lines.flatMap(({ raw }) => raw.split('\n').map((one) => one.trimEnd())).join('\n');
  return [
    {
      ...{ name: nameFrom(named, 'Skill', true), written: named, kind: 'ai', place, metadata: {} },
      ...{ description: typeof about === 'string' ? about : '', code: [] },
      playbooks: [
        {
          ...{ name: 'Main', written: title === '' ? named : title, parameters: [], place },
          ...{ description: body.trim(), metadata: {}, mode: 'react' },
          ...{ isPublic: false, isHidden: false, steps: [], notes: [] },
          triggers: [{ text: 'At the beginning', children: [], place }],
        },
      ],
    },
  ];
}
