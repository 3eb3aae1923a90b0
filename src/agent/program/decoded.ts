/** The text of bytes that are to be UTF-8, and where the first of them is that is not. */
import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '../../program/diagnostic.ts';

export interface Decoded {
  readonly text: string;
  readonly wrong?: Diagnostic;
}

export function decoded(bytes: Buffer): Decoded {
  // A byte order mark says nothing of a text in UTF-8.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const at = firstWrong(bytes);
  if (at === undefined) return { text };
  const before = bytes
    .subarray(0, at)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  const byte = bytes[at]?.toString(16).padStart(2, '0').toUpperCase();
  const message = `got the byte ${byte}, want a text in UTF-8`;
  const wrong: Diagnostic = {
    ...{ code: 'PV2007', severity: 'error', message, hint: 'save the file in UTF-8' },
    ...{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
  };
  return { text, wrong };
}

/** The offset behind the longest part of a text that is right. */
function firstWrong(bytes: Buffer): number | undefined {
  const isRight = (end: number): boolean => {
    try {
      // What follows may be the rest of a character: it is no error of the part before it.
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  if (isUtf8(bytes)) return undefined;
  const whole = bytes.length;
  let [right, wrong] = [0, whole + 1];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    if (middle <= whole && isRight(middle)) right = middle;
    else wrong = middle;
  }
  return startOf(bytes, right);
}

/** Where the character begins that a part of a text breaks off in; its end where it does not. */
function startOf(bytes: Buffer, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? end - back : end;
  }
  return end;
}
