/**
 * Statements of Python, as interpreters of late 2025 had them, read one by one as their lines end.
 * Nothing runs: branches and loops of the playbook are the machine's, and code for them is refused.
 */
import type { Said } from '../said.ts';
import { isLogLine, logLine } from './log-lines.ts';
import { statementSaid } from './statement.ts';

const controlWords = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match)\b/;
const skipped = /^(?:import|from|pass|return$|print\b|global|nonlocal|del|assert)\b/;

export const isPythonLine = (line: string): boolean =>
  /^(?:await\s+\p{XIDC}|self\.(?:state\.)?\p{XIDC}+\s*[=(])/u.test(line.trim()) ||
  /^#\s*(?:trig|yld|recap|plan|execution_id)\b/.test(line.trim()) ||
  /^\p{XIDC}+\s*=\s*(?:await\b|self\.)/u.test(line.trim());

export class PythonLines {
  #open: string[] = [];

  /** Whether the next line begins a statement. */
  get isBetween(): boolean {
    return this.#open.length === 0;
  }

  /** Whether a text over several lines is open: a fence in it ends nothing. */
  get isInText(): boolean {
    return this.#open.length > 0 && balance(this.#open.join('\n')).quote.length === 3;
  }

  add(line: string): readonly Said[] {
    if (this.#open.length === 0) {
      const plain = line.trim();
      if (plain === '') return [];
      if (plain.startsWith('#')) return comment(plain);
      if (skipped.test(plain)) return [];
      if (controlWords.test(plain) && /:\s*(?:#.*)?$/.test(plain)) return [branch(plain)];
    }
    this.#open.push(line);
    const text = this.#open.join('\n');
    const { depth, quote } = balance(text);
    if (depth > 0 || quote.length === 3 || /\\$/.test(line)) return [];
    this.#open = [];
    return statementSaid(withoutComment(text));
  }

  end(): readonly Said[] {
    const text = this.#open.join('\n');
    this.#open = [];
    return text.trim() === '' ? [] : [{ is: 'cut', text }];
  }
}

function comment(line: string): readonly Said[] {
  const text = line.replace(/^#+\s*/, '');
  if (!isLogLine(text)) return [];
  // A comment asks and recaps; what is done is done by statements.
  return logLine(text).filter(({ is }) => is !== 'yield' && is !== 'call' && is !== 'set');
}

const branch = (line: string): Said => ({
  is: 'wrong',
  text:
    `got the code ${JSON.stringify(line)}, want what is done: conditions and loops are decided ` +
    'by you, line by line, and their lines reported as steps',
});

/** Open brackets, and the quotes of a text that is open. */
function balance(text: string): { readonly depth: number; readonly quote: string } {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (text.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = '';
      } else if (sign === '\n' && quote.length === 1) quote = '';
    } else if (sign === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (sign === '"' || sign === "'") {
      quote = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
      at += quote.length - 1;
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
  }
  return { depth, quote };
}

/** A `#` in a text is none. */
const withoutComment = (text: string): string =>
  text.replace(
    /("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')|#[^\n]*/g,
    (_, literal) => literal ?? '',
  );
