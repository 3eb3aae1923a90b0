/** How sure a text is to be one of playbooks. */

/** Headings that nothing else has, under the heading of a playbook. */
const section = /^#{3}[^\S\n]+(?:Triggers?|Steps?|Déclencheurs?|Étapes?)[^\S\n]*$/imu;
const playbook = /^##[^\S\n]+\S/m;
const title = /^#[^\S\n]+\S/m;
const compiledStep = new RegExp(
  String.raw`^[^\S\r\n\u2028\u2029]*(?:-[^\S\n]+)?\d+(?:\.\d+)*\s*:\s*` +
    String.raw`(?:EXE|QUE|CND|ELS|LOP|CHK|RET|JMP|YLD|TNK)\b`,
  'm',
);

export function detectPlaybooks(text: string): number {
  if (isMarked(text)) return 0.9;
  if (!playbook.test(text)) return 0;
  if (section.test(text)) return compiledStep.test(text) ? 1 : 0.9;
  return compiledStep.test(text) ? 0.8 : 0;
}

/** Whether a function is a playbook, in a block of its own under a title. */
function isMarked(text: string): boolean {
  const start = text.includes('@playbook') ? text.search(title) : -1;
  if (start < 0) return false;
  const parts = text.slice(start).split(/^(?:`{3,}|~{3,}).*$/m);
  return parts.some((part, at) => at % 2 === 1 && /^@playbook\b/m.test(part));
}

/**
 * Instructions in words, such as a skill: prose under a heading or with a name before it, or
 * nothing but prose. What has blocks or data in it without either may be a plan that went wrong.
 */
export const isFreeForm = (text: string): boolean =>
  /^\s*#{1,6}\s+\S/.test(text) ||
  /^\s*---\r?\n(?:(?!---)[^\n]*\n)*?(?:name|title)\s*:/.test(text) ||
  (/^\s*(?:[-*+]\s+|\d+[.)]\s+)?[\p{L}*_"'“«]/u.test(text) &&
    !/^[^\S\r\n\u2028\u2029]*(?:[{}[\]<]|```|~~~)/m.test(text));

/** The text between the first fence that some line closes, and the last of these lines. */
function outerFence(reply: string): string | undefined {
  const ends = new Map<string, number>();
  for (const { 1: mark = '', index } of reply.matchAll(/\n(`{3,}|~{3,})[ \t]*$/gm)) {
    ends.set(mark, index);
  }
  const opening = /^(`{3,}|~{3,})(?:markdown|md|playbook)?[ \t]*\n/gm;
  for (const { 0: line, 1: mark = '', index } of reply.matchAll(opening)) {
    const start = index + line.length;
    const end = ends.get(mark) ?? -1;
    if (start <= end) return reply.slice(start, end);
  }
  return undefined;
}

/** The playbooks in a reply of a model: in its outer fence, or all from its first heading on. */
export function findPlaybooks(reply: string): string | undefined {
  const fence = outerFence(reply);
  if (fence !== undefined && detectPlaybooks(fence) > 0) return `${fence}\n`;
  const start = /^#{1,2}\s+\S/m.exec(reply)?.index;
  if (start === undefined || detectPlaybooks(reply) === 0) return undefined;
  return `${reply.slice(start).trimEnd()}\n`;
}
