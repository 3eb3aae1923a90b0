/** The kinds of tokens. A kind is the text that messages show for it, punctuation in quotes. */

const keywords = [
  'and',
  'break',
  'continue',
  'def',
  'elif',
  'else',
  'for',
  'if',
  'in',
  'lambda',
  'load',
  'not',
  'or',
  'pass',
  'return',
  'while',
] as const;

/** Kept out of programs by the specification. */
const reserved = [
  'as',
  'class',
  'del',
  'except',
  'finally',
  'from',
  'global',
  'import',
  'is',
  'nonlocal',
  'raise',
  'try',
  'with',
  'yield',
] as const;

const marks = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '~',
  '.',
  ',',
  '=',
  ';',
  ':',
] as const;
const brackets = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '>=',
  '<=',
  '==',
  '!=',
  '!',
  '**',
] as const;
const assignments = [
  '+=',
  '-=',
  '*=',
  '/=',
  '//=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<=',
  '>>=',
  '**=',
] as const;

type Keyword = (typeof keywords)[number];
type Punctuation = (typeof marks | typeof brackets | typeof assignments)[number];

export type TokenKind =
  | Keyword
  | Punctuation
  | 'not in'
  | 'illegal token'
  | 'identifier'
  | 'int literal'
  | 'float literal'
  | 'string literal'
  | 'bytes literal'
  | 'f-string'
  | 'newline'
  | 'indent'
  | 'outdent'
  | 'end of file';

/** Kinds of the words that are no identifiers. */
export const words: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...keywords.map((word) => [word, word] as const),
  ...reserved.map((word) => [word, 'illegal token'] as const),
]);

export const signs: ReadonlyMap<string, Punctuation> = new Map(
  [...marks, ...brackets, ...assignments].map((sign) => [sign, sign]),
);

/** As messages show it. */
export const shown = (kind: TokenKind): string => (signs.has(kind) ? `'${kind}'` : kind);
