/** Long lines: what stands in their quotes is not looked at to find out what they are. */

/** Characters of a line, without long texts in its quotes, beyond which it is no statement. */
const lineMax = 4000;

export interface Shortened {
  /** Absent for a line that is too long all the same. */
  readonly text?: string;
  readonly isLong?: true;
  /** What is made of it, with what was left out. */
  readonly whole?: (made: string) => string;
}

export function shortened(text: string): Shortened {
  if (text.length <= lineMax) return { text };
  const left: string[] = [];
  const short = text.replace(quoted, (quote) =>
    quote.replace(plain, (run) => `${open}${left.push(run) - 1}${close}`),
  );
  if (short.length > lineMax || text.includes(open)) return { isLong: true };
  return { text: short, whole: (made) => made.replace(mark, (_, at) => left[Number(at)] ?? '') };
}

const quoted = /"(?:\\.|[^"\\])*"/gs;

/** With nothing to fill in. */
const plain = /[^{}"\\\n$]{100,}/g;

/** Nobody writes these. */
const [open, close] = ['\u{E0F0}', '\u{E0F1}'];
const mark = /\u{E0F0}(\d+)\u{E0F1}/gu;
