/** The words of arithmetic text: numbers, names, references, operators, brackets. */
import { decimalOf, digitsMax, NoResult, type Num } from './numbers.ts';

export type Token =
  | { readonly kind: 'number'; readonly value: Num; readonly text: string; readonly column: number }
  | { readonly kind: 'name' | 'sign' | 'end'; readonly text: string; readonly column: number }
  | {
      readonly kind: 'reference';
      readonly index: number;
      readonly text: string;
      readonly column: number;
    };

const numbers = /\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?/y;
const names = /[A-Za-z_][A-Za-z_0-9]*/y;
const references = /\$(\d{1,6})/y;
const signs = /\*\*|\/\/|[-+*/%(),×÷−·]/y;
const spaces = /\s*/y;

const asciiSigns: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-' };

/** Longest text; every token is looked at once, and every operation is bounded. */
const lengthMax = 20_000;

/** Throws `NoResult` where a character belongs to no token. The last token is `end`. */
export function tokenize(text: string): Token[] {
  if (text.length > lengthMax) {
    throw new NoResult(`got ${text.length} characters, want at most ${lengthMax}`, 1, true);
  }
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (;;) {
    at += match(spaces)?.[0].length ?? 0;
    const column = at + 1;
    if (at >= text.length) return [...tokens, { kind: 'end', text: 'the end', column }];
    const number = match(numbers);
    const found = number ?? match(names) ?? match(references) ?? match(signs);
    if (!found) throw new NoResult(unknown(text.slice(at)), column, true);
    const [word, index] = found;
    at += word.length;
    if (number) tokens.push({ kind: 'number', value: numberOf(word, column), text: word, column });
    else if (index !== undefined) {
      tokens.push({ kind: 'reference', index: Number(index), text: word, column });
    } else if (/^[A-Za-z_]/.test(word)) tokens.push({ kind: 'name', text: word, column });
    else tokens.push({ kind: 'sign', text: asciiSigns[word] ?? word, column });
  }
}

function unknown(rest: string): string {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (character === '^') return 'got ^, want ** for a power';
  if (/^[<>=!&|]/.test(rest)) return `got ${character}: comparisons are not arithmetic`;
  return `got ${character}, want a number, an operator or a bracket`;
}

function numberOf(word: string, column: number): Num {
  const plain = word.replaceAll('_', '');
  if (/^0\d/.test(plain)) throw new NoResult(`got ${word}, want no leading zero`, column, true);
  if (/^\d+$/.test(plain)) {
    if (plain.length <= digitsMax) return BigInt(plain);
    throw new NoResult(`got ${plain.length} digits, want at most ${digitsMax}`, column);
  }
  const value = decimalOf(plain);
  if (value) return value;
  throw new NoResult(`${word} is beyond the range of a float`, column);
}
