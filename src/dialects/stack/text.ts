/**
 * Texts in double or single quotes, with escapes, over several lines. A quote that no comma or
 * bracket follows is one that its author forgot to escape; a line that is a statement ends a text
 * that was not closed.
 */
import { type Cursor, here, isStatementLine, siteAt } from './cursor.ts';
import { error, warn } from './report.ts';

export const opensText = (character: string): boolean => character === '"' || character === "'";

/** Reads the text that begins at the cursor; undefined, and said, where it has no end. */
export function readText(c: Cursor): string | undefined {
  const quote = c.text[c.at] ?? '';
  const open = c.at;
  c.at += 1;
  let value = '';
  let isWarned = false;
  while (c.at < c.end) {
    const character = c.text[c.at] ?? '';
    if (character === '\\') value += readEscape(c);
    else if (character === '\n' && isStatementLine(c.text, c.at + 1)) {
      return unclosed(c, open, quote);
    } else if (character === quote) {
      if (isClosing(c, open)) {
        c.at += 1;
        return value;
      }
      if (!isWarned) {
        const hint = `write \\${character} inside of a text`;
        warn(c.report, 'innerQuote', here(c), `got ${character} inside of a text`, { hint });
      }
      isWarned = true;
      value += character;
      c.at += 1;
    } else {
      value += character;
      c.at += 1;
    }
  }
  c.isCut = true;
  return unclosed(c, open, quote);
}

function unclosed(c: Cursor, open: number, quote: string): undefined {
  const site = siteAt(c, open);
  const hint = `close it with ${quote}; inside of a text write \\${quote}`;
  if (c.isCut) {
    error(c.report, 'cutShort', site, `the text ends inside of a text that ${quote} opens`, {
      hint,
    });
    return undefined;
  }
  const next = `the statement in line ${here(c).line + 1}`;
  error(c.report, 'unclosedText', site, `${quote} opens a text that has no end before ${next}`, {
    hint,
  });
  return undefined;
}

const behind = /[ \t]*(?:[,)\]}:;+\r\n]|#|\/\/|["']|(?![\s\S]))/y;

/** Whether a quote at the cursor ends the text: something follows that may follow a value. */
function isClosing({ text, at, end }: Cursor, open: number): boolean {
  const [quote, next] = [text[at], text[at + 1]];
  // A text that is empty, or two quotes of which the second ends it.
  if (next === quote && at > open + 1) return false;
  behind.lastIndex = at + 1;
  return at + 1 >= end || behind.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '/': '/',
  '\n': '',
};

const byCode = /\\(?:u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{2}))/y;

/** What an escape stands for; one that is none keeps its backslash, as in patterns. */
function readEscape(c: Cursor): string {
  byCode.lastIndex = c.at;
  const [whole, ...forms] = byCode.exec(c.text) ?? [];
  const digits = forms.find((one) => one !== undefined);
  if (whole !== undefined && digits !== undefined && c.at + whole.length <= c.end) {
    const point = Number.parseInt(digits, 16);
    c.at += whole.length;
    if (point > 0x10ffff) return whole;
    // Half of a pair is put together with the other half by being next to it.
    return point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point);
  }
  const next = c.at + 1 < c.end ? (c.text[c.at + 1] ?? '') : '';
  c.at += 1 + next.length;
  return escapes[next] ?? `\\${next}`;
}
