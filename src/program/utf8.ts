/** Sizes of texts in bytes, counted here because the core has no encoder of a platform. */

/** Bytes of a text in UTF-8; a lone surrogate counts as the three of U+FFFD. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is two units and four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
