/**
 * Calls, literals and what is computed of them, as models write them in a line of text: a little of
 * Python, with `$x` for variables. What else there is of Python is refused with its place.
 */
import { isComputing } from '../../../../dialects/playbook/text/computing.ts';
import { binary, type Operator } from '../../../../dialects/playbook/text/operators.ts';
import { GuestValue } from '../../../../program/json.ts';
import { namePattern } from '../../../../program/name.ts';
import { float } from '../../../../program/value.ts';
import {
  type CallTerm,
  dictTerm,
  listTerm,
  type Name,
  type Path,
  partsOf,
  partsTerm,
  type Reference,
  type Term,
  textTerm,
} from '../term.ts';
import { templateEnd, templateParts } from './f-string.ts';

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

/** The same; undefined for a text that is none of these. */
export function termIn(text: string): Term | CallTerm | undefined {
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
    this.#depth--;
    return term;
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
      const op = operators.find((one) => this.#takesOperator(one));
      if (!op) return left;
      // `1 < $n < 5` compares what comes of the first with 5.
      if (isCompared) throw this.#wrong('one comparison, or two with `and` between them');
      isCompared = level === comparing;
      left = this.#computed(op, [left, this.#joined(level + 1)]);
    }
  }

  #signed(): Term | CallTerm {
    this.#space();
    return this.#match(/-\s*(?=[$\p{XIDS}_(])/uy)
      ? this.#computed('-', [this.#signed()])
      : this.#primary();
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
    } while (this.#takes(','));
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
    const found = this.#match(/([rRbB]?[fF][rRbB]?)("""|'''|"|')/y);
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
      return this.#call(`${isVariable ? '$' : ''}${name}${text}`);
    }
    const scope = prefix === undefined ? {} : { scope: 'state' as const };
    const to: Name = { name, sign: sign === '$', ...scope };
    const reference: Reference = { is: 'ref', to, path, written: written + text, sure: true };
    return reference;
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

const comparing = 2;

/** `not` binds tighter than `and`, and looser than what compares. */
const notLevel = 2;

function asValue(term: Term | CallTerm): Term {
  if (term.is !== 'call') return term;
  throw new Unreadable(
    `got the call ${term.callee}(…) as a part of another, want it queued first, into a variable`,
  );
}

const quotedText = new RegExp(
  [
    String.raw`([fFrRbBuU]{0,2})("""(?:[^\\]|\\[\s\S])*?"""`,
    String.raw`'''(?:[^\\]|\\[\s\S])*?'''`,
    // Models break the lines of a text where Python would want another mark for that.
    String.raw`"(?:[^"\\]|\\[\s\S])*"`,
    String.raw`'(?:[^'\\]|\\[\s\S])*'`,
    // As printers have them.
    '[“„][^“”„]*[”“]|«[^«»]*»)',
  ].join('|'),
  'y',
);

const words: ReadonlyMap<string, Term> = new Map(
  Object.entries({
    True: true,
    true: true,
    False: false,
    false: false,
    None: null,
    null: null,
  }).map(([word, value]) => [word, { is: 'value', value }]),
);

function numberIn(text: string): unknown {
  const number = Number(text);
  if (!/^[+-]?\d+$/.test(text)) {
    // A float without a fraction would be an int as plain data.
    return Number.isInteger(number) ? new GuestValue(float(number)) : number;
  }
  const whole = Number(text);
  return Number.isSafeInteger(whole) ? whole : BigInt(text);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', '\n': '' },
};

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unicode, byte, one) => {
    const code = unicode ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[one] ?? one;
  });
