/**
 * The forms in which a text repeats a secret: as it is, escaped in JSON (up to four times) or in
 * HTML, percent-encoded, also as JSON is, in hex, and in base64 wherever it stands in what was
 * encoded.
 *
 * - S1 A pattern is linear: each repetition in it has a bound.
 */

/** How to find one form of a secret. */
export interface SecretForm {
  /** What the text holds where it holds the form; empty where every text has to be searched. */
  readonly clue: string;
  readonly pattern: RegExp;
  /** The form as it is written most often. */
  readonly text: string;
}

/** Shorter forms are words that any text may hold. */
export const secretCharactersMin = 8;

export function secretForms(secret: string): readonly SecretForm[] {
  const read = [secret, percentDecoded(secret), secret.replaceAll('\\n', '\n')];
  const plain = new Set([...read, ...read.map((text) => text.replaceAll('\r\n', '\n'))]);
  const encoded = new Set([...plain, ...[...plain].map(escaped)]);
  return [
    ...[...plain].map((text) => formOf(text, [...text].map(characterPattern))),
    ...[...encoded].flatMap((text) => [0, 1, 2].map((offset) => base64Form(text, offset))),
    ...[...encoded].flatMap(hexForms),
  ].filter(({ text }) => text.length >= secretCharactersMin);
}

/** Beginnings of a secret as errors and streams cut them: the forms that are written most often. */
export function secretTexts(secret: string): readonly string[] {
  const texts = secretForms(secret).flatMap(({ text }) => [
    ...[text, escaped(text), escaped(escaped(text)), encodeURIComponent(text.toWellFormed())],
  ]);
  return [...new Set(texts)];
}

const formOf = (text: string, parts: readonly string[]): SecretForm => ({
  ...{ text, clue: longestPlain(text), pattern: new RegExp(parts.join(''), 'g') },
});

/** What no form changes, as far as it is long enough to be rare. */
function longestPlain(text: string): string {
  const runs = text.match(/[A-Za-z0-9_.~]+/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Backslashes before a character that is escaped up to four times; an address encodes them. */
const backslashes = '(?:\\\\|%(?:25){0,3}5[cC]){1,15}';

const jsonEscapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }),
);

/** What JSON, or a quoted text, escapes by a backslash before it, in whatever form it has. */
const quoted: ReadonlySet<string> = new Set(['"', "'", '/']);

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': 'quot', '&': 'amp', '<': 'lt', '>': 'gt', "'": 'apos' }),
);

/** One character of a secret, in any form. */
function characterPattern(character: string): string {
  if (/[A-Za-z0-9_.~]/.test(character)) return literal(character);
  const number = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const forms = [
    character === '\\' ? backslashes : literal(character),
    units.map((unit) => `${backslashes}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    [...Buffer.from(character)]
      .map((byte) => `%(?:25){0,3}${anyCase(byte.toString(16).padStart(2, '0'))}`)
      .join(''),
    `&(?:amp;){0,3}#(?:${number}|[xX]${anyCase(number.toString(16))});`,
  ];
  const json = jsonEscapes.get(character);
  if (json) forms.push(`${backslashes}${json}`);
  const entity = entities.get(character);
  if (entity) forms.push(`&(?:amp;){0,3}${entity};`);
  if (character === ' ') forms.push('\\+');
  const pattern = `${quoted.has(character) ? `(?:${backslashes})?` : ''}(?:${forms.join('|')})`;
  // Lines may end in either way.
  return character === '\n' ? `(?:${characterPattern('\r')})?${pattern}` : pattern;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const anyCase = (hex: string): string =>
  hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * The base64 of whatever has the secret at an offset, in bytes, modulo three. Only what no
 * neighbour changes is searched for. The characters at its ends hold some bits of it and go, too.
 */
function base64Form(text: string, offset: number): SecretForm {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const first = offset === 0 ? 0 : offset + 1;
  const isWhole = bytes.length % 3 === 0;
  const core = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
  const before = offset === 0 ? '' : `${base64Character}?`;
  const after = isWhole ? '' : `${base64Character}?(?:=|%3[dD]){0,2}`;
  return formOf(core, [before, ...[...core].map(base64Pattern), after]);
}

function hexForms(text: string): SecretForm[] {
  const hex = Buffer.from(text).toString('hex');
  return [hex, hex.toUpperCase()].map((digits) => formOf(digits, [digits]));
}

const base64Character = '[A-Za-z0-9+/_-]';

function base64Pattern(character: string): string {
  if (character === '+') return `(?:-|${characterPattern('+')})`;
  return character === '/' ? `(?:_|${characterPattern('/')})` : character;
}
