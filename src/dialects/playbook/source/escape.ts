/**
 * Backslashes before what would be read as a heading, an item, a fence, a rule or a comment, as
 * Markdown has them. Printing puts them in, reading takes them out.
 */

const marks = [
  ...['#{1,6}(?=\\s|$)', '[-*+](?=\\s|$)', '\\d{1,9}[.)](?=\\s|$)', '```', '~~~'],
  ...['={3,}', '-{3,}', '\\*{3,}', '_{3,}', '[TN]?\\d+(?:\\.\\d+)*\\s*:'],
].join('|');

const special = new RegExp(`^(\\s*)(\\\\|${marks})`);
const escaped = new RegExp(`^(\\s*)\\\\(?=\\\\|${marks})`);

export const escapeComments = (line: string): string => line.replace(/<(?=\\*!--)/g, '<\\');

export const unescapeComments = (line: string): string => line.replace(/<\\(?=\\*!--)/g, '<');

export const escapeLine = (line: string): string => escapeComments(line.replace(special, '$1\\$2'));

export const unescapeLine = (line: string): string => unescapeComments(line.replace(escaped, '$1'));
