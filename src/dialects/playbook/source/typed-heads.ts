/** Heads of functions without the types that Python may have in them, in one line or in several. */
import { bracketEnd, indexOutside, split } from '../text/brackets.ts';

export interface BareHeads {
  readonly text: string;
  /** By lines of heads whose parameters had some, from 0, the functions' names. */
  readonly lines: ReadonlyMap<number, string>;
  /** What functions in the margin say that they give, by their names. */
  readonly results: Readonly<Record<string, string>>;
}

const heads = /^([ \t]*)(?:async )?def (\p{XIDC}+)\(/gmu;

/** Lines stay where they are; of what is left out only the ends of lines are kept. */
export function withoutTypes(text: string): BareHeads {
  const seen = masked(text);
  const lines = new Map<number, string>();
  const results: Record<string, string> = {};
  let bare = '';
  let at = 0;
  const leaveOut = (from: number, to: number): void => {
    bare += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, '');
    at = to;
  };
  for (const { 0: head, 1: margin, 2: name = '', index } of seen.matchAll(heads)) {
    const start = index + head.length;
    const end = bracketEnd(seen, start - 1);
    const result = end === undefined ? null : /^[ \t]*(?:->[^:]*)?:/.exec(seen.slice(end + 1));
    if (end === undefined || !result) continue;
    const spans = typesIn(seen.slice(start, end), start);
    const hasResult = result[0].includes('->');
    if (spans.length === 0 && !hasResult) continue;
    if (spans.length > 0) lines.set(text.slice(0, index).split('\n').length - 1, name);
    for (const [from, to] of spans) leaveOut(from, to);
    if (!hasResult) continue;
    // Behind the bracket a line that ends would be the end of the head.
    const colon = end + result[0].length;
    if (margin === '') {
      results[name] = text
        .slice(text.indexOf('->', end) + 2, colon)
        .trim()
        .replace(/\s+/g, ' ');
    }
    bare += text.slice(at, end) + text.slice(end, colon).replace(/[^\n]/g, '');
    bare += ')';
    at = colon;
  }
  return { text: bare + text.slice(at), lines, results };
}

/** The text with what its functions give behind their heads, as `withoutTypes` has found it. */
export function withResults(text: string, results: Readonly<Record<string, string>>): string {
  const seen = masked(text);
  let shown = '';
  let at = 0;
  for (const { 0: head, 1: margin, 2: name = '', index } of seen.matchAll(heads)) {
    const type = margin === '' && Object.hasOwn(results, name) ? results[name] : undefined;
    const end = type === undefined ? undefined : bracketEnd(seen, index + head.length - 1);
    if (end === undefined) continue;
    shown += `${text.slice(at, end + 1)} -> ${type}`;
    at = end + 1;
  }
  return shown + text.slice(at);
}

/** From where to where the types of parameters stand, each with its colon. */
function typesIn(parameters: string, offset: number): [number, number][] {
  let start = offset;
  return split(parameters, ',').flatMap((part) => {
    const from = start;
    start += part.length + 1;
    const name = /^\s*\**\p{XIDC}+(?=\s*:)/u.exec(part)?.[0];
    if (name === undefined) return [];
    const equals = indexOutside(part, '=');
    const end = equals < 0 ? part.trimEnd().length : equals;
    return [[from + name.length, from + end] as [number, number]];
  });
}

/** The text with blanks for its comments and nothing in its quotes, each as long as it was. */
const masked = (text: string): string =>
  text.replace(
    /("""|''')[\s\S]*?(?:\1|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g,
    (found) => {
      if (found.startsWith('#')) return ' '.repeat(found.length);
      return `"${found.slice(1, -1).replace(/[^\n]/g, '_')}"`;
    },
  );
