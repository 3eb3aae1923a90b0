/** Single values of YAML: plain words, texts in quotes, and lists and maps in brackets. */
import type { JsonNode } from '../json-node.ts';
import { dropsPart, readJson } from '../json-text.ts';

/** What a plain word means; a number is given as it is written. */
export function plainValue(word: string): string | boolean | null | { readonly number: string } {
  if (/^(?:~|null)?$/i.test(word)) return null;
  if (/^(?:true|yes)$/i.test(word)) return true;
  if (/^(?:false|no)$/i.test(word)) return false;
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(word);
  return isNumber ? { number: word } : word;
}

/** What a text in quotes says; undefined for one that is not quoted as a whole. */
export function quotedText(text: string): string | undefined {
  if (/^'(?:[^'\\]|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  const isSmart = /^[“„«][^“„«”»]*[”“»]$/.test(text);
  if (!isSmart && !/^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')$/.test(text))
    return undefined;
  if (isSmart) return text.slice(1, -1).trim();
  const { node } = readJson(text.replace(/\\[\s\S]/g, (pair) => (pair === '\\ ' ? ' ' : pair)));
  return node?.kind === 'string' ? String(node.value) : undefined;
}

const ends: Readonly<Record<string, string>> = {
  ...{ '[': ']', '{': '}', '"': '"', "'": "'", '“': '”“', '„': '“”', '«': '»' },
};

/** Signs behind which a quote opens a text: within a word it is an apostrophe. */
const opens = new Set(['', '[', '{', ',', ':']);

/**
 * The value that begins a text, with as many further lines as it takes; undefined where it does
 * not close, or where something other than a comment stands behind it.
 */
export function flowEnd(first: string, more: () => string | undefined): string | undefined {
  const open: string[] = [];
  const lines: string[] = [];
  let last = '';
  for (let line: string | undefined = first; line !== undefined; line = more()) {
    for (let at = 0; at < line.length; at++) {
      const sign = line[at] ?? '';
      const end = open.at(-1);
      if (end !== undefined && isQuote(end)) {
        // Within single quotes two of them are one.
        if (sign === '\\' || (sign === "'" && end === sign && line[at + 1] === sign)) at++;
        else if (end.includes(sign)) open.pop();
      } else if (sign === '#' && /\s/.test(line[at - 1] ?? ' ')) {
        line = line.slice(0, at);
        break;
      } else if (sign === end) open.pop();
      else if (sign in ends && (!isQuote(ends[sign] ?? '') || opens.has(last))) {
        open.push(ends[sign] ?? '');
      }
      if (sign.trim() !== '') last = sign;
      if (open.length > 0) continue;
      const rest = line.slice(at + 1);
      if (!/^\s*(?:#.*)?$/.test(rest) || /^#/.test(rest)) return undefined;
      return [...lines, line.slice(0, at + 1)].join('\n');
    }
    lines.push(line);
  }
  return undefined;
}

const isQuote = (end: string): boolean => !/[\]}]/.test(end);

/** A value in quotes or brackets; words in it that have no quotes are texts. */
export function readFlow(text: string, line: number): JsonNode | undefined {
  const quoted = quotedText(/^[[{]/.test(text) ? text : folded(text));
  if (quoted !== undefined) {
    return { kind: 'string', value: quoted, line, column: 1, start: 0, end: 0 };
  }
  const strict = readJson(text);
  if (strict.node && strict.repairs.length === 0) return strict.node;
  const { node, repairs } = readJson(withQuotes(text));
  // What lacks a part is not what was written.
  return repairs.some(dropsPart) ? undefined : node;
}

/** A line break in a text is a blank, and an empty line a line break; a backslash joins lines. */
const folded = (text: string): string =>
  text
    .replace(/\\\n[ \t]*/g, '')
    .replace(/(?<![ \t])[ \t]*\n((?:[ \t]*\n)*)[ \t]*/g, (_, empty: string) =>
      empty === '' ? ' ' : '\n'.repeat(empty.split('\n').length - 1),
    );

/** A part in quotes, or a word: of a time `10:30` or an address `http://x` the colon is a part. */
const part = new RegExp(
  String.raw`("(?:[^"\\]|\\[\s\S])*"|'(?<=[[{,:]\s*')(?:[^'\\]|\\[\s\S])*')|` +
    String.raw`((?:(?<=\d):(?=\d)|:(?=\/\/)|[^\s"'[\]{},:])` +
    String.raw`(?:[^"[\]{},:\n]|(?<=\d):(?=\d)|:(?=\/\/))*)`,
  'g',
);

/** `[$day, red bike]` as JSON. */
const withQuotes = (text: string): string =>
  text.replace(part, (all, inQuotes?: string, word = '') => {
    if (inQuotes !== undefined) return JSON.stringify(quotedText(inQuotes) ?? inQuotes);
    const bare = String(word).trim();
    const value = plainValue(bare);
    const space = all.slice(String(word).trimEnd().length);
    if (value === null || typeof value === 'boolean') return `${value}${space}`;
    return `${typeof value === 'string' ? JSON.stringify(bare) : value.number}${space}`;
  });
