/**
 * What models put around an operation that stands in a line of its own: marks of quotations, lists
 * and code, the line that it is for, quotation marks as printers have them. Taken off before the
 * line is read; nothing here looks for operations in the middle of prose.
 */

const unseen = /^[\s\u200b-\u200d\u2060\ufeff]+/;
const tags = /^<\/?(?:answer|think|reply|output)\s*>/i;
const quoting = /^(?:>\s?)+/;
const bold = /^\*\*(?!\*)(.+?)\*\*$/;
const listing = /^(?:[-*+→⇒]|\d+[.)]|[=-]>|data:)\s+(?=`?[{[]\s*["'{])/;
const fencing = /^(?:`{3}|~{3})\w*\s*(?=[{[])/;
const coding = /^`(?=[{[])/;
const naming =
  /^\**(?:(?:line|step)\s+[\d.]+|[\d.]+|assistant|output|reply|response)\**\s*:\**\s*(?=\{)/i;

/** A line without what is unseen, puts all of it in bold, or says that somebody is quoted. */
export const plainLine = (line: string): string =>
  line.replace(unseen, '').trim().replace(quoting, '').replace(bold, '$1').replace(tags, '').trim();

/** A plain line without what may stand before JSON. */
export const bareLine = (plain: string): string =>
  [listing, naming, fencing, coding].reduce((text, mark) => text.replace(mark, ''), plain);

export const beginsFence = (plain: string): boolean => fencing.test(plain);

const opening = /([{[,:]\s*)[“”„‟«‹‘’‚]\s?/g;
const closing = /\s?[“”„‟»›«‘’](?=\s*(?:[}\],:]|$))/g;

/**
 * JSON between “printed” or « French » quotation marks, with plain ones. As it was where plain ones
 * are in it: then the others are a part of some text.
 */
export const straightened = (line: string): string =>
  line.includes('"') ? line : line.replace(opening, '$1"').replace(closing, '"');
