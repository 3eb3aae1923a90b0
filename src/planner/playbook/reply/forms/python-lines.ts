/**
 * Statements of Python, as interpreters of late 2025 had them, read one by one as their lines end.
 * Nothing runs: branches and loops of the playbook are the machine's, and code for them is refused.
 */
import { type Said, shortly } from '../said.ts';
import { openIn, withoutComments } from './balance.ts';
import { noted } from './log-lines.ts';
import { statementSaid } from './statement.ts';

const controlWords = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match)\b/;
const blockBegins = /:\s*(?:#.*)?$|^(?:if|elif|else|for|while)\b.*:\s/;
const skipped = /^(?:import|from|pass|return$|global|nonlocal)\b/;
const idle = /^(?:print|del|assert)\b/;

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
    return this.#open.length > 0 && openIn(this.#open.join('\n')).quote.length === 3;
  }

  add(line: string): readonly Said[] {
    if (this.#open.length === 0) {
      const plain = line.trim();
      if (plain === '') return [];
      if (plain.startsWith('#')) return noted(plain.replace(/^#+\s*/, ''));
      if (skipped.test(plain)) return [];
      if (idle.test(plain)) {
        return [
          { is: 'mended', text: `its code ${shortly(plain)} does nothing, and was left out` },
        ];
      }
      if (controlWords.test(plain) && blockBegins.test(plain)) return [branch(plain)];
    }
    this.#open.push(line);
    const text = this.#open.join('\n');
    const { depth, quote } = openIn(text);
    if (depth > 0 || quote.length === 3 || /\\$/.test(line)) return [];
    this.#open = [];
    return statementSaid(withoutComments(text).replace(/\\\n\s*/g, ' '));
  }

  end(): readonly Said[] {
    const text = this.#open.join('\n');
    this.#open = [];
    return text.trim() === '' ? [] : [{ is: 'cut', text }];
  }
}

const branch = (line: string): Said => ({
  is: 'wrong',
  text:
    `got the code ${JSON.stringify(line)}, want what is done: conditions and loops are decided ` +
    'by you, line by line, and their lines reported as steps',
});
