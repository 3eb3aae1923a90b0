/** Reads one string, in whatever quotes. A strict JSON string reads as JSON has it. */
import type { Code } from './codes.ts';
import { backslash, closersOf, isQuote, newline, quoteDouble, type Source } from './source.ts';

export type Note = (code: Code, message: string, start: number) => void;

export interface StringToken {
  readonly text: string;
  readonly end: number;
  /** Whether it is closed before the text ends. */
  readonly isWhole: boolean;
}

/** Reads the string at an offset where a quote stands. */
export function readString(source: Source, start: number, note: Note): StringToken {
  const code = source.code(start);
  if (code !== quoteDouble) {
    note('PV1016', `got ${source.text.charAt(start)}, want " around text`, start);
  }
  const closers = closersOf(code) ?? [];
  const noted = new Set<Code>();
  const once = (code: Code, message: string, at: number): void => {
    if (!noted.has(code)) note(code, message, at);
    noted.add(code);
  };
  let text = '';
  let run = start + 1;
  for (let at = run; ; ) {
    const code = source.code(at);
    if (code === -1 || closers.includes(code)) {
      text += source.text.slice(run, at);
      return { text, end: Math.min(at + 1, source.text.length), isWhole: code !== -1 };
    }
    if (code === backslash) {
      const decoded = decodeEscape(source, at);
      if (decoded.strange) {
        once('PV1020', `got the escape ${decoded.strange}; JSON has none such`, at);
      }
      text += source.text.slice(run, at) + decoded.text;
      at += decoded.length;
      run = at;
    } else {
      if (code < 0x20) once('PV1019', controlMessage(code), at);
      at++;
    }
  }
}

function controlMessage(code: number): string {
  const [name, want] =
    code === newline
      ? ['a line break', '\\n']
      : code === 0x09
        ? ['a tab', '\\t']
        : ['a control character', `\\u${code.toString(16).padStart(4, '0')}`];
  return `got ${name} inside text, want ${want}`;
}

const plainEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** An escape JSON lacks keeps its backslash, unless what it escapes is a quote or a line end. */
function decodeEscape(
  source: Source,
  at: number,
): { text: string; length: number; strange?: string } {
  const letter = source.text.charAt(at + 1);
  const plain = plainEscapes[letter];
  if (plain !== undefined) return { text: plain, length: 2 };
  if (letter === 'u' || letter === 'x') {
    const digits = letter === 'u' ? 4 : 2;
    const hex = source.text.slice(at + 2, at + 2 + digits);
    if (hex.length === digits && /^[0-9a-fA-F]*$/.test(hex)) {
      const text = String.fromCharCode(Number.parseInt(hex, 16));
      return letter === 'u' ? { text, length: 6 } : { text, length: 4, strange: `\\x${hex}` };
    }
  }
  if (letter === '\n') return { text: '\n', length: 2, strange: 'of a line break' };
  const quote = isQuote(letter.charCodeAt(0)) || letter === '`';
  return { text: quote ? letter : `\\${letter}`, length: 2, strange: `\\${letter}` };
}
