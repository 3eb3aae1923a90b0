/** UTF-8 where it may be broken: each byte that belongs to no code point stands for U+FFFD. */

/** The code point that starts at a place and its length; no code point where bytes are broken. */
export function codePointIn(bytes: Uint8Array, at: number): [code: number | undefined, n: number] {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, 1];
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return [undefined, 1];
  let code = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return [undefined, 1];
    code = (code << 6) | (next & 0x3f);
  }
  const shortest = length === 3 ? 0x800 : length === 4 ? 0x10000 : 0x80;
  const surrogate = code >= 0xd800 && code < 0xe000;
  return code < shortest || code > 0x10ffff || surrogate ? [undefined, 1] : [code, length];
}

export function decodeText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const [code, length] = codePointIn(bytes, at);
    text += String.fromCodePoint(code ?? 0xfffd);
    at += length;
  }
  return text;
}
