/** Literals of Python as replies have them, and those that others write in their place. */
import { GuestValue } from '../../../../program/json.ts';
import { float } from '../../../../program/value.ts';
import type { Term } from '../term.ts';

/** The letters before a text, and the text with its marks. */
export const quotedText: RegExp = new RegExp(
  [
    String.raw`([fFrRbBuU]{0,2})("""(?:[^\\]|\\[\s\S])*?"""`,
    String.raw`'''(?:[^\\]|\\[\s\S])*?'''`,
    // Models break the lines of a text where Python would want another mark for that.
    String.raw`"(?:[^"\\]|\\[\s\S])*"`,
    String.raw`'(?:[^'\\]|\\[\s\S])*'`,
    // As printers have them.
    '[“„][^“”„]*[”“]|”[^“”„]*”|«[^«»]*»)',
  ].join('|'),
  'y',
);

/** Words that are values. */
export const words: ReadonlyMap<string, Term> = new Map(
  Object.entries({
    True: true,
    true: true,
    False: false,
    false: false,
    None: null,
    null: null,
  }).map(([word, value]) => [word, { is: 'value', value }]),
);

export function numberIn(text: string): unknown {
  const number = Number(text);
  if (!/^[+-]?\d+$/.test(text)) {
    // A float without a fraction would be an int as plain data.
    return Number.isInteger(number) ? new GuestValue(float(number)) : number;
  }
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', '\n': '' },
};

export const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unicode, byte, one) => {
    const code = unicode ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[one] ?? one;
  });
