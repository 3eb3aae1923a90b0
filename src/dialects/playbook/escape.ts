/**
 * Backslashes before what would be read as a heading, an item, a fence, a rule or a comment, as
 * Markdown has them. Printing puts them in, reading takes them out.
 */

const special =
  /^(\s*)(\\|#{1,6}(?=\s|$)|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$)|```|~~~|={3,}|-{3,}|\*{3,}|_{3,}|(?:T|N)?\d+(?:\.\d+)*\s*:)/;

const escaped =
  /^(\s*)\\(?=\\|#{1,6}(?:\s|$)|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|```|~~~|={3,}|-{3,}|\*{3,}|_{3,}|(?:T|N)?\d+(?:\.\d+)*\s*:)/;

export const escapeLine = (line: string): string =>
  line.replace(special, '$1\\$2').replaceAll('<!--', '<\\!--');

export const unescapeLine = (line: string): string =>
  line.replace(escaped, '$1').replaceAll('<\\!--', '<!--');
