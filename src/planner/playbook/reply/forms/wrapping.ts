/**
 * What models put around an operation that stands in a line of its own: marks of quotations, lists
 * and code, the line that it is for, quotation marks as printers have them. Taken off before the
 * line is read; nothing here looks for operations in the middle of prose.
 */

const unseen = /^[\s\u200b-\u200d\u2060\ufeff]+/;
const tags = /^(?:(?:<\/?[a-z][\w:-]*(?:\s[^<>]*)?>|<\|\w+\|>|\[TOOL_CALLS\])\s*)+/i;
const quoting = /^(?:\s*>\s?)+/;
const bold = /^\*\*(?!\*)(.+?)\*\*$/;
const listing = /^(?:[-*+→⇒]|\d+[.)]|[=-]>|data:)\s+(?:\[[ x]\]\s+)?(?=`?[{[]\s*["'{])/i;
const row = /^\|(?:[^|{[]*\|)*\s*(?=`?[{[]\s*["'{])/;
const comment = /^\/\*.*?\*\/\s*(?=[{[])/;
const fencing = /^(?:`{3}|~{3})\w*\s*(?=[{[]\s*(?:["'{]|$))/;
const coding = /^`(?=[{[])/;
const naming =
  /^\**(?:(?:line|step)\s+[\d.]+|[\d.]+|assistant|output|reply|response)\**\s*:\**\s*(?=\{)/i;

/** In their order, from the outermost. */
const marks = [row, listing, naming, comment, fencing, coding];

/** A line without what is unseen, puts all of it in bold, or says that somebody is quoted. */
export const plainLine = (line: string): string =>
  line.replace(unseen, '').trim().replace(quoting, '').replace(bold, '$1').replace(tags, '').trim();

/** The marks before a line that say that somebody is quoted. */
export const quoteMark = (line: string): string => quoting.exec(line)?.[0] ?? '';

/** A plain line without what may stand before JSON. */
export const bareLine = (plain: string): string =>
  marks.reduce((text, mark) => text.replace(mark, ''), plain);

export const beginsFence = (plain: string): boolean => fencing.test(plain);

/** A line that names one of a playbook, `Main:01:QUE`, and what stands behind that. */
export function namedLine(plain: string): { name: string; rest: string } | undefined {
  const [, name, rest = ''] = lineName.exec(plain) ?? [];
  return name === undefined ? undefined : { name, rest };
}

const lineName = new RegExp(
  [
    String.raw`^(?:[-*+]\s+|\d+[.)]\s+|#{1,6}\s+)?[\x60*"'[]*`,
    String.raw`(\p{XIDS}[\p{XIDC}.]*:\d+(?:\.\d+)*:[A-Z]{3})[\x60*"'\]]*(?:\s*[:–—-])?`,
    String.raw`(?:\s*$|\s+(?=[\x60{[])(.*)$|\s+[–—-].*$)`,
  ].join(''),
  'u',
);

const opening = /([{[,:]\s*)[“”„‟«‹‘’‚]\s?/g;
const closing = /\s?[“”„‟»›«‘’](?=\s*(?:[}\],:]|$))/g;

/**
 * JSON between “printed” or « French » quotation marks, with plain ones. As it was where plain ones
 * are in it: then the others are a part of some text.
 */
export const straightened = (line: string): string =>
  line.includes('"') ? line : line.replace(opening, '$1"').replace(closing, '"');
