/** Reads one string, in whatever quotes. A strict JSON string reads as JSON has it. */
import type { Code } from './codes.ts';
import {
  backslash,
  closersOf,
  isQuote,
  type More,
  newline,
  quoteDouble,
  type Source,
} from './source.ts';

export type Note = (code: Code, message: string, start: number) => void;

/** A string that is being read; survives a pause in the text. */
export interface StringToken {
  /** Where it starts, with its quote. */
  readonly start: number;
  readonly isKey: boolean;
  readonly closers: readonly number[];
  /** What has been read, escapes decoded. */
  text: string;
  /** Where reading goes on. */
  at: number;
  readonly noted: Set<Code>;
}

/** Begins a string at an offset where a quote stands. */
export function openString(source: Source, start: number, isKey: boolean, note: Note): StringToken {
  const code = source.code(start);
  if (code !== quoteDouble) {
    note('PV1016', `got ${source.slice(start, start + 1)}, want " around text`, start);
  }
  const closers = closersOf(code) ?? [];
  return { start, isKey, closers, text: '', at: start + 1, noted: new Set() };
}

/** Reads on; `open`: the text ended before the string did. */
export function readString(source: Source, token: StringToken, note: Note): 'done' | 'open' | More {
  const once = (code: Code, message: string, start: number): void => {
    if (token.noted.has(code)) return;
    token.noted.add(code);
    note(code, message, start);
  };
  let run = token.at;
  let at = token.at;
  const pause = <Result>(result: Result, next: number): Result => {
    token.text += source.slice(run, at);
    token.at = next;
    return result;
  };
  for (;;) {
    const code = source.code(at);
    if (code === -1) return pause(source.ended ? 'open' : 'more', at);
    if (token.closers.includes(code)) return pause('done', at + 1);
    if (code === backslash) {
      const decoded = decodeEscape(source, at);
      if (decoded === 'more') return pause(source.ended ? 'open' : 'more', at);
      if (decoded.strange)
        once('PV1020', `got the escape ${decoded.strange}; JSON has none such`, at);
      token.text += source.slice(run, at) + decoded.text;
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
): { text: string; length: number; strange?: string } | More {
  const letter = source.slice(at + 1, at + 2);
  if (letter === '') return 'more';
  const plain = plainEscapes[letter];
  if (plain !== undefined) return { text: plain, length: 2 };
  if (letter === 'u' || letter === 'x') {
    const digits = letter === 'u' ? 4 : 2;
    const hex = source.slice(at + 2, at + 2 + digits);
    if (/^[0-9a-fA-F]*$/.test(hex)) {
      if (hex.length < digits) return 'more';
      const text = String.fromCharCode(Number.parseInt(hex, 16));
      return letter === 'u' ? { text, length: 6 } : { text, length: 4, strange: `\\x${hex}` };
    }
  }
  if (letter === '\n') return { text: '\n', length: 2, strange: 'of a line break' };
  const quote = isQuote(letter.charCodeAt(0)) || letter === '`';
  return { text: quote ? letter : `\\${letter}`, length: 2, strange: `\\${letter}` };
}
