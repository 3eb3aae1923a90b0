/** Valid JSON laid out over lines; strings and numbers stay as they are written. */
import { joinText } from '../values/flat-text.ts';
import { fits } from '../values/pendings.ts';

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/** Throws PV3012 where the text would have more than `bytesMax` characters. */
export function indented(text: string, prefix: string, unit: string, bytesMax: number): string {
  let made = '';
  let depth = 0;
  let empty = false;
  const line = (): string => {
    fits(made.length + prefix.length + unit.length * depth, bytesMax);
    return `\n${prefix}${unit.repeat(depth)}`;
  };
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']';
    if (closes) depth--;
    if (closes ? !empty : empty) made = joinText(made, line());
    empty = false;
    made = joinText(made, part === ':' ? ': ' : part);
    if (part === '{' || part === '[') {
      depth++;
      empty = true;
    }
    if (part === ',') made = joinText(made, line());
  }
  return made + (/\s*$/.exec(text)?.[0] ?? '');
}
