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
