/**
 * What Markdown shows for `&amp;` and `\*`, as lines are shown where people read them. Code between
 * backticks stays as it is.
 */
import { namePattern } from '../../../program/name.ts';

export function plainMarkdown(text: string): string {
  if (!/[&\\]/.test(text)) return text;
  return text.replace(pieces, (piece, at: number) => {
    if (/^`./s.test(piece)) return piece;
    if (/^"./s.test(piece)) return `"${inQuotes(piece.slice(1, -1))}"`;
    return piece.startsWith('\\') ? unescaped(piece, text[at + 2]) : withCharacters(piece);
  });
}

const pieces = /`[^`]*`|"(?:\\.|[^"\\])*"|\\.|[^`"\\]+/gsu;

/** Of `\n` and `\'` the backslash says something else, as that of `\$x`, which is no variable. */
const unescaped = (piece: string, next = ''): string =>
  /^\\(?=[!-/:-@[-`|~])(?!['\\])/.test(piece) && !(piece === '\\$' && /[\p{XIDS}{]/u.test(next))
    ? piece.slice(1)
    : piece;

/**
 * Quotes have escapes of their own, and patterns: only what Markdown alone means something by is
 * taken for one. A dollar that is none of a variable is two there.
 */
function inQuotes(text: string): string {
  const shown = text.replace(/&[^&;\s]+;/g, (name) =>
    withCharacters(name).replace(/["\\]/, '\\$&'),
  );
  if (pattern.test(shown)) return shown;
  return shown.replace(dollar, '$$$$').replace(/(?<!\\)((?:\\\\)*)\\([*_#[\]<>|~`&])/g, '$1$2');
}

const pattern = /\\[A-Zac-eg-mo-qsv-wyz.()+?^]/;
const dollar = new RegExp(String.raw`\\\$(?=\{?${namePattern})`, 'gu');

const withCharacters = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, (all, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (name !== undefined) return characters[name] ?? all;
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

const characters: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '\u00ad' },
  ...{ hellip: '…', mdash: '—', ndash: '–', bull: '•', middot: '·', deg: '°', times: '×' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', copy: '©', reg: '®', trade: '™', sect: '§' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', sbquo: '‚', bdquo: '„', laquo: '«' },
  ...{ raquo: '»', larr: '←', rarr: '→', le: '≤', ge: '≥', ne: '≠', plusmn: '±', frac12: '½' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ eacute: 'é', egrave: 'è', ecirc: 'ê', agrave: 'à', acirc: 'â', ccedil: 'ç', ugrave: 'ù' },
  ...{ ntilde: 'ñ', oacute: 'ó', aacute: 'á', iacute: 'í', uacute: 'ú', iquest: '¿', iexcl: '¡' },
};
