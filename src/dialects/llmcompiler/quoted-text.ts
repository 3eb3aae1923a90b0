/** What a text stands for: escapes of JSON and Python, references, texts that are put together. */
import { isDoubled, type Piece, piecesOf } from './reference.ts';

const escapes =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|\r?\n|([\s\S]))/g;

const simple: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '0': '\0' },
  ...{ '\\': '\\', '"': '"', "'": "'", '/': '/', $: '$', '`': '`' },
  ...Object.fromEntries([...'“”„‘’«»'].map((quote) => [quote, quote])),
};

/** The pieces of a text in quotes. An unknown escape stays as it is: `\d` of a pattern. */
export function quotedPieces(raw: string): Piece[] {
  const text = raw.replaceAll('\r\n', '\n');
  if (!text.includes('\\') && !text.includes('$$')) return piecesOf(text);
  const fixed = new Set<number>();
  let out = '';
  const plain = (part: string): void => {
    let from = 0;
    for (let at = part.indexOf('$$'); at >= 0; at = part.indexOf('$$', from)) {
      out += part.slice(from, at);
      from = at + (isDoubled(part, at) ? 2 : 1);
      if (from === at + 2) fixed.add(out.length);
      out += '$';
    }
    out += part.slice(from);
  };
  let from = 0;
  for (const found of text.matchAll(escapes)) {
    plain(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[5] === '$') fixed.add(out.length);
    out += decoded(found);
  }
  plain(text.slice(from));
  return piecesOf(out, fixed);
}

function decoded([all, braced, four, eight, two, one]: RegExpExecArray): string {
  const hex = braced ?? four ?? eight ?? two;
  if (hex !== undefined) {
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  }
  return one === undefined ? '' : (simple[one] ?? all);
}

/** The pieces of text without quotes: `\$` and a doubled dollar sign are the sign itself. */
export function barePieces(text: string): Piece[] {
  if (!text.includes('\\$') && !text.includes('$$')) return piecesOf(text);
  return quotedPieces(text.replace(/\\(?!\$)/g, '\\\\'));
}
