/**
 * What a model that thinks in another language must write instead: chosen by the token that does
 * not fit and the text around it, when the parser stops.
 */
import type { TokenKind } from './token.ts';

/** Where the parser stopped. */
export interface Stop {
  readonly text: string;
  readonly kind: TokenKind;
  readonly start: number;
  readonly position: number;
  readonly previousKind: TokenKind;
  readonly previousStart: number;
  readonly previousEnd: number;
}

const noExceptions =
  'there are no exceptions: test before you call, or use try_call(tool, ...) and look at its .ok';
const noImports = 'there are no imports: what a program may use is defined already, see its tools';
const noModules = 'functions change no variables of others: return the value, or change a dict';

/** Words the language keeps out of programs. */
export const reserved: Readonly<Record<string, string>> = {
  as: noImports,
  class: 'there are no classes: use a dict, or struct(name=...), and functions that take it',
  del: 'there is no del: d.pop(key) takes a key out of a dict, xs.pop(i) an element out of a list',
  except: noExceptions,
  finally: noExceptions,
  from: noImports,
  global: noModules,
  import: noImports,
  is: 'compare with == or !=: x == None',
  nonlocal: noModules,
  raise: 'there are no exceptions: fail("message") ends the program',
  try: noExceptions,
  with: 'there is no with: call the functions one after the other',
  yield: 'there are no generators: append to a list and return it',
};

/** Words that are plain names here, and so stand before something that does not fit. */
export const foreign: Readonly<Record<string, string>> = {
  assert: 'there is no assert: if not condition: fail("message")',
  async: 'there is no async: calls run side by side by themselves, write def',
  await: 'there is no await: use the result of the call, the machine waits for it where needed',
  const: 'a variable needs no declaration: name = value',
  f: 'f-strings are turned off: write "{}".format(x) or "%s" % x',
  function: 'a function is written def name(parameters):',
  let: 'a variable needs no declaration: name = value',
  match: 'there is no match: use if, elif and else',
  print: 'print is a function: print(x)',
  var: 'a variable needs no declaration: name = value',
};

/** Signs of other languages, as the text at the token shows them. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^:=/, 'an assignment is a statement of its own: x = f() before the line that uses x'],
  [/^->/, 'there are no type annotations: def f(a, b):'],
  [/^(&&)/, 'write `and`'],
  [/^(\|\|)/, 'write `or`'],
];

export interface Advice {
  /** What stands there is of another language. */
  readonly isForeign: boolean;
  readonly hint?: string | undefined;
}

/** Advice for the place where `wanted` was wanted. */
export function adviceFor(stop: Stop, wanted: string): Advice {
  const here = stop.text.slice(stop.start, stop.position);
  if (stop.kind === 'illegal token') return { isForeign: true, hint: reserved[here] };
  const previous = previousText(stop);
  const foreignHint = foreignWord(stop, previous) ?? sign(stop);
  return foreignHint === undefined
    ? { isForeign: false, hint: byToken(stop, here, wanted) }
    : { isForeign: true, hint: foreignHint };
}

function foreignWord(stop: Stop, previous: string): string | undefined {
  if (stop.previousKind === 'not') {
    const isAssert = /\bassert[ \t]+not[ \t]*$/.test(lineBefore(stop, stop.start));
    return isAssert ? foreign.assert : undefined;
  }
  if (stop.previousKind !== 'identifier' || isBreak(stop.kind)) return undefined;
  if (previous === 'f' && stop.kind !== 'string literal') return undefined;
  return Object.hasOwn(foreign, previous) ? foreign[previous] : undefined;
}

function sign(stop: Stop): string | undefined {
  for (const start of [stop.start, stop.previousStart]) {
    const text = stop.text.slice(start, start + 2);
    const found = signs.find(([pattern]) => pattern.test(text));
    if (found) return found[1];
  }
  return undefined;
}

const isBreak = (kind: TokenKind): boolean => kind === 'newline' || kind === 'end of file';

const elseHint = 'else and elif belong to an if of the same indentation; loops have no else';

const comma = (wanted: string): string | undefined =>
  /^'[,)\]}]'$/.test(wanted) ? 'is a comma missing here?' : undefined;

const colonMissing = 'a line that opens a block ends in a colon';

function byToken(stop: Stop, here: string, wanted: string): string | undefined {
  switch (stop.kind) {
    case ':':
      if (stop.previousKind === 'identifier' && previousText(stop) === 'do') {
        return 'there is no do: write while True: with a break';
      }
      if (wanted === "'('") return 'a function needs parentheses: def f():';
      return wanted === 'newline' || wanted === "')'"
        ? 'there are no type annotations: name = value, def f(a, b):'
        : undefined;
    case '=':
      if (wanted === 'newline') return 'assign to one variable at a time: y = 1, then x = y';
      return wanted === "':'" || wanted === "')'" ? 'compare with ==' : undefined;
    case 'return':
      return stop.previousKind === ':' ? 'a lambda is one expression: lambda x: x + 1' : undefined;
    case '(':
      return wanted === 'identifier'
        ? 'parameters are names: lambda pair: pair[0], or def f(a, b):'
        : undefined;
    case '{':
      return wanted === "':'"
        ? 'a block begins with a colon, and its lines are indented'
        : undefined;
    case '/':
    case '//':
      return wanted === 'primary expression' ? 'a comment begins with #' : undefined;
    case 'for':
      if (wanted === "':'") return 'there are no sets in braces: set([x for x in xs])';
      return 'put brackets around a comprehension: [x for x in xs]';
    case ',':
    case '}':
      return wanted === "':'" ? 'there are no sets in braces: set([a, b])' : undefined;
    case '*':
      return 'there are no stars in lists and assignments: list(a) + [b]';
    case '**':
      return wanted === 'primary expression'
        ? 'there are no stars in dicts: a | b joins two dicts'
        : 'there is no power operator: multiply, or use math.pow(x, y)';
    case 'else':
      if (wanted.endsWith('for, or if')) {
        return 'a conditional stands before the for: [a if condition else b for x in xs]';
      }
      return elseHint;
    case 'elif':
      return elseHint;
    case 'if':
      return stop.previousKind === 'else' ? 'write elif' : undefined;
    case 'indent':
      return 'only a line that ends in a colon opens a block';
    case 'string literal':
      return stop.previousKind === 'string literal' ? 'join strings with +' : comma(wanted);
    case 'identifier':
      if (stop.previousKind === 'string literal' && wanted === 'newline') {
        return "a quote inside a text ends it: use the other quotes around it, or \\' in it";
      }
      return stop.previousKind === 'int literal' && here.startsWith('_')
        ? 'numbers have no underscores: 1000000'
        : comma(wanted);
    case 'newline':
    case 'end of file':
    case 'outdent':
      if (/(\+\+|--)$/.test(lineBefore(stop, stop.previousEnd))) return 'write x += 1 or x -= 1';
      if (wanted === 'indent') return 'a block needs a statement, indented; `pass` does nothing';
      return wanted === "':'" ? colonMissing : undefined;
    default:
      return wanted === 'indent' ? 'a block needs a statement, indented more' : undefined;
  }
}

const previousText = ({ text, previousStart, previousEnd }: Stop): string =>
  text.slice(previousStart, previousEnd);

/** The text between the start of the line and an offset in it. */
function lineBefore(stop: Stop, offset: number): string {
  const start = Math.max(
    stop.text.lastIndexOf('\n', offset - 1),
    stop.text.lastIndexOf('\r', offset - 1),
  );
  return stop.text.slice(offset === 0 ? 0 : start + 1, offset);
}
