/**
 * Calls, literals and what is computed of them, as models write them in a line of text: a little of
 * Python, with `$x` for variables. What else there is of Python is refused with its place.
 */
import { isComputing } from '../../../../dialects/playbook/text/computing.ts';
import { binary, isMethod, type Operator } from '../../../../dialects/playbook/text/operators.ts';
import { namePattern } from '../../../../program/name.ts';
import {
  type CallTerm,
  dictTerm,
  listTerm,
  type Name,
  nothing,
  type Path,
  partsOf,
  partsTerm,
  type Reference,
  type Term,
  textTerm,
} from '../term.ts';
import { templateEnd, templateParts } from './f-string.ts';
import { numberIn, quotedText, unescaped, words } from './literals.ts';

interface Quoted {
  readonly text: string;
  readonly isTemplate: boolean;
}

/** Thrown for text that is no literal, reference or call; the message says *got X, want Y*. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Reads all of a text. Throws `Unreadable`. */
export function readTerm(text: string): Term | CallTerm {
  const cursor = new Cursor(text);
  const term = cursor.expression();
  cursor.end();
  return term;
}

/** The same; undefined for a text that is none of these. A date is no sum. */
export function termIn(text: string): Term | CallTerm | undefined {
  if (/^\s*\d{4}-\d\d-\d\d\s*$/.test(text)) return { is: 'value', value: text.trim() };
  try {
    return readTerm(text);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Undefined for a text that is no value, and for a call. */
export function writtenTerm(text: string): Term | undefined {
  const term = termIn(text);
  return term?.is === 'call' ? undefined : term;
}

/** Nesting beyond this is refused: nobody means it. */
const depthMax = 50;

const bareWord = new RegExp(String.raw`\$?${namePattern}`, 'uy');
const variableForm = new RegExp(
  String.raw`(?:await\s+)?(self\.state\.|self\.)?(\$?)(${namePattern})`,
  'uy',
);
const stateItem = new RegExp(
  String.raw`(self\.state)\[\s*["'](\$?)(${namePattern})["']\s*\]`,
  'uy',
);
const methodCall = new RegExp(String.raw`\.(${namePattern})\(`, 'uy');
const argumentForm = new RegExp(String.raw`\$?(${namePattern})\s*=(?!=)`, 'uy');
const pathStep = new RegExp(
  // What is called may have dashes, as tools of servers do.
  String.raw`\.(${namePattern}(?:(?:-\p{XIDC}+)+(?=\())?)|` +
    String.raw`\[\s*(?:(-?\d+)|"([^"\]]*)"|'([^'\]]*)')\s*\]`,
  'uy',
);

export class Cursor {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#wrong('the end');
  }

  expression(): Term | CallTerm {
    this.#depth++;
    if (this.#depth > depthMax) throw new Unreadable(`got brackets ${depthMax} deep`);
    const term = this.#joined(0);
    const made = this.#takesWord('if') ? this.#chosen(term) : term;
    this.#depth--;
    return made;
  }

  /** `$a if $b else $c`, behind the `if`. */
  #chosen(then: Term | CallTerm): Term {
    const condition = this.#joined(0);
    if (!this.#takesWord('else')) throw this.#wrong('else');
    return this.#computed('if', [condition, then, this.expression()]);
  }

  /** Values with operators of this level, or of one that binds tighter, between them. */
  #joined(level: number): Term | CallTerm {
    const operators = binary[level];
    if (!operators) return this.#signed();
    let left = this.#takesWord('not', level === notLevel)
      ? this.#computed('not', [this.#joined(level)])
      : this.#joined(level + 1);
    let isCompared = false;
    for (;;) {
      const op = this.#takesIs(level) ?? operators.find((one) => this.#takesOperator(one));
      if (!op) return left;
      // `1 < $n < 5` compares what comes of the first with 5.
      if (isCompared) throw this.#wrong('one comparison, or two with `and` between them');
      isCompared = level === comparing;
      left = this.#computed(op, [left, this.#joined(level + 1)]);
    }
  }

  /** `$x is None`; in other words it may say what no letters are compared for. */
  #takesIs(level: number): Operator | undefined {
    this.#space();
    const found = level === comparing && this.#match(/is\s+(not\s+)?(?=(?:None|True|False)\b)/y);
    return found ? (found[1] === undefined ? '==' : '!=') : undefined;
  }

  #signed(): Term | CallTerm {
    this.#space();
    return this.#match(/-\s*(?=[$\p{XIDS}_(])/uy)
      ? this.#computed('-', [this.#signed()])
      : this.#behind(this.#primary());
  }

  /** What is taken of a value: a part, a slice, what a method gives. */
  #behind(whole: Term | CallTerm): Term | CallTerm {
    const method = this.#match(methodCall)?.[1];
    if (method !== undefined) {
      if (!isMethod(method)) throw new Unreadable(`got .${method}(…), which is not computed`);
      const args = this.#list(')');
      return this.#behind(this.#computed(`.${method}`, [whole, ...args]));
    }
    if (!this.#match(/\[/y)) return whole;
    const low = this.#sees(':') ? nothing : this.#inner();
    if (this.#takes(']')) return this.#behind(this.#computed('[]', [whole, low]));
    if (!this.#takes(':')) throw this.#wrong('] or :');
    const high = this.#sees(']') ? nothing : this.#inner();
    if (!this.#takes(']')) throw this.#wrong(']');
    return this.#behind(this.#computed('[:]', [whole, low, high]));
  }

  #takesOperator(op: string): boolean {
    if (/^[a-z]/.test(op)) return this.#takesWord(op);
    this.#space();
    const rest = this.#text.slice(this.#at, this.#at + 2);
    const isLonger = ['//', '<=', '>=', '==', '!=', '**', '->', '=>'].includes(rest);
    return (op === rest || !isLonger) && this.#takes(op);
  }

  #takesWord(words: string, isWanted = true): boolean {
    this.#space();
    return (
      isWanted && !!this.#match(new RegExp(`${words.replace(' ', '\\s+')}(?![\\p{XIDC}(=.])`, 'uy'))
    );
  }

  #computed(op: Operator, of: readonly (Term | CallTerm)[]): Term {
    return { is: 'operation', op, of: of.map(asValue) };
  }

  /** Calls with commas between them, to the end. */
  calls(): readonly CallTerm[] {
    const calls: CallTerm[] = [];
    do {
      const term = this.expression();
      if (term.is !== 'call') throw this.#wrong('calls alone');
      calls.push(term);
    } while (this.#takes(',') && this.#at < this.#text.trimEnd().length);
    this.end();
    return calls;
  }

  #primary(): Term | CallTerm {
    if (this.#takes('[')) return listTerm(this.#list(']'));
    if (this.#takes('(')) {
      const items = this.#list(')');
      const [only] = items;
      return items.length === 1 && only && !/,\s*\)$/.test(this.#taken()) ? only : listTerm(items);
    }
    if (this.#takes('{')) return this.#dict();
    const number = this.#match(/[+-]?(?:\d[\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{XIDC}.])/uy);
    if (number) return { is: 'value', value: numberIn(number[0].replaceAll('_', '')) };
    const quoted = this.#string();
    return quoted ?? this.#named();
  }

  #list(close: string): Term[] {
    const items: Term[] = [];
    while (!this.#takes(close)) {
      items.push(this.#inner());
      if (!this.#takes(',') && !this.#sees(close)) throw this.#wrong(`, or ${close}`);
    }
    return items;
  }

  #dict(): Term {
    const entries: (readonly [string, Term])[] = [];
    while (!this.#takes('}')) {
      this.#space();
      const key = this.#string() ?? this.#word();
      const name = key?.is === 'value' ? String(key.value) : undefined;
      if (name === undefined || !this.#takes(':')) throw this.#wrong('a key with a colon');
      entries.push([name, this.#inner()]);
      if (!this.#takes(',') && !this.#sees('}')) throw this.#wrong(', or }');
    }
    return dictTerm(entries);
  }

  #word(): Term | undefined {
    const found = this.#match(bareWord);
    return found ? { is: 'value', value: found[0] } : undefined;
  }

  /** What stands in brackets is no call: its result is not there yet. */
  #inner(): Term {
    return asValue(this.expression());
  }

  /** Texts beside each other are one. */
  #string(): Term | undefined {
    const parts: Quoted[] = [];
    for (let found = this.#quoted(); found !== undefined; found = this.#quoted()) {
      parts.push(found);
      this.#space();
    }
    if (parts.length === 0) return undefined;
    const isPlain = !parts.some(({ isTemplate }) => isTemplate);
    if (isPlain) return textTerm(parts.map(({ text }) => text).join(''));
    return partsTerm(
      parts.flatMap(({ text, isTemplate }) => (isTemplate ? templateParts(text) : partsOf(text))),
    );
  }

  #quoted(): Quoted | undefined {
    const template = this.#template();
    const found = template === undefined && this.#match(quotedText);
    if (!found) return template;
    const [, prefix = '', literal = ''] = found;
    const mark = /^("""|''')/.test(literal) ? 3 : 1;
    const body = literal.slice(mark, -mark);
    // Who writes `{self.state.x}` means it, also where the `f` is forgotten.
    const isTemplate = /\{[^{}]*\bself\.[^{}]*\}/.test(body);
    return { text: /r/i.test(prefix) ? body : unescaped(body), isTemplate };
  }

  /** `f"…"`, which may have its own quotes between braces. */
  #template(): Quoted | undefined {
    const from = this.#at;
    const found = this.#match(/([rRbB]?[fF][rRbB]?)("""|'''|["'“„”«])/y);
    if (!found) return undefined;
    const [, prefix = '', mark = ''] = found;
    const end = templateEnd(this.#text, this.#at, mark);
    if (end < 0) {
      this.#at = from;
      throw this.#wrong('a text whose braces and quotes are closed');
    }
    const body = this.#text.slice(this.#at, end);
    this.#at = end + mark.length;
    return { text: /r/i.test(prefix) ? body : unescaped(body), isTemplate: true };
  }

  #named(): Term | CallTerm {
    const found = this.#match(stateItem) ?? this.#match(variableForm);
    if (!found) throw this.#wrong('a value');
    const [all, prefix, sign = '', name = ''] = found;
    const known = sign === '' && prefix === undefined ? words.get(name) : undefined;
    if (known && !this.#sees('(') && !this.#sees('.')) return known;
    const written = all.replace(/^await\s+/, '');
    const { path, text } = this.#path();
    // `$ann.Guess(…)` is a call of the agent that the variable names.
    if ((sign === '' || path.length > 0) && this.#takes('(')) {
      const isVariable = sign === '$' || prefix === 'self.state.';
      const call = this.#call(`${isVariable ? '$' : ''}${name}${text}`);
      const of = referenceTo(found, path.slice(0, -1));
      return call.is === 'call' ? withMethod(call, of, String(path.at(-1))) : call;
    }
    return { ...referenceTo(found, path), written: written + text };
  }

  #call(callee: string): Term | CallTerm {
    const args: Term[] = [];
    const named: (readonly [string, Term])[] = [];
    while (!this.#takes(')')) {
      this.#space();
      const key = this.#match(argumentForm);
      if (key) named.push([key[1] ?? '', this.#inner()]);
      else args.push(this.#inner());
      if (!this.#takes(',') && !this.#sees(')')) throw this.#wrong(', or )');
    }
    if (isComputing(callee) && args.length > 0 && named.length === 0) {
      return this.#computed(callee, args);
    }
    return { is: 'call', callee, args, named: Object.fromEntries(named) };
  }

  #path(): { readonly path: Path; readonly text: string } {
    const path: (string | number)[] = [];
    const from = this.#at;
    for (;;) {
      const found = this.#match(pathStep);
      if (!found) return { path, text: this.#text.slice(from, this.#at) };
      const [, field, index, double, single] = found;
      path.push(index === undefined ? (field ?? double ?? single ?? '') : Number(index));
    }
  }

  #space(): void {
    this.#match(/\s*/y);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #sees(mark: string): boolean {
    this.#space();
    return this.#text.startsWith(mark, this.#at);
  }

  #takes(mark: string): boolean {
    if (!this.#sees(mark)) return false;
    this.#at += mark.length;
    return true;
  }

  #taken(): string {
    return this.#text.slice(0, this.#at);
  }

  #wrong(wanted: string): Unreadable {
    const rest = this.#text.slice(this.#at, this.#at + 40);
    const got = rest === '' ? 'the end' : JSON.stringify(rest);
    return new Unreadable(`got ${got}, want ${wanted}`);
  }
}

function referenceTo([written = '', prefix, sign, name = '']: RegExpExecArray, path: Path) {
  const scope = prefix === undefined ? {} : { scope: 'state' as const };
  const to: Name = { name, sign: sign === '$', ...scope };
  return { is: 'ref', to, path, written, sure: true } satisfies Reference;
}

/** A call that a method of a value is, too, where nobody is called so. */
function withMethod(call: CallTerm, of: Reference, method: string): CallTerm {
  const isOne = isMethod(method) && Object.keys(call.named).length === 0;
  return isOne
    ? { ...call, or: { is: 'operation', op: `.${method}`, of: [of, ...call.args] } }
    : call;
}

const comparing = 2;

/** `not` binds tighter than `and`, and looser than what compares. */
const notLevel = 2;

function asValue(term: Term | CallTerm): Term {
  if (term.is !== 'call') return term;
  if (term.or) return term.or;
  throw new Unreadable(
    `got the call ${term.callee}(…) as a part of another, want it queued first, into a variable`,
  );
}
