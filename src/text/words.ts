/** Text that people are shown: clean, short, with a width; and quantities as they read them. */

/** Control characters but for the tab, line separators, and what reorders text on a screen. */
const unsafe = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of one line that may be shown on a terminal. */
export const clean = (text: string): string => text.replace(unsafe, '\ufffd');

/**
 * Without what a terminal would obey: models and tools must not move the cursor or set the title.
 * Line ends and tabs become spaces.
 */
export const oneLine = (text: string): string => clean(text.replace(/\s+/g, ' ')).trim();

/** The same for a text of several lines. */
export const withoutControls = (text: string): string => text.split('\n').map(clean).join('\n');

/** The beginning of a text in at most `columns`; what is cut shows as `…`. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** The end of a text in at most `columns`. */
export function clipStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const reversed = [...text].reverse().join('');
  const kept = clip(reversed, columns).slice(0, -1);
  return columns < 1 ? '' : `…${[...kept].reverse().join('')}`;
}

/** `12ms`, `3.4s`, `2m 05s`, `1h 02m`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (n: number): string => String(n).padStart(2, '0');
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** `1 234 567`. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');

/** `1 effect`, `2 effects`. */
export const count = (n: number, noun: string): string =>
  `${grouped(n)} ${n === 1 ? noun : `${noun}s`}`;

/** USD to the digit that means something. */
export function price(usd: number): string {
  if (usd === 0) return '$0';
  // Two digits that say something, and never an exponent.
  const digits = usd < 0.01 ? Math.min(20, 1 - Math.floor(Math.log10(usd))) : 2;
  return `$${usd.toFixed(digits)}`;
}

/** Lines of cells in columns, each as wide as its widest. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => widthOf(row[i] ?? ''))),
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - widthOf(cell)),
    );
    return cells.join('  ').trimEnd();
  });
}

/** Columns of a terminal that a text without controls and colours takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** East Asian wide characters and emoji, as terminals draw them. */
const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]|\p{EPres}/u;
