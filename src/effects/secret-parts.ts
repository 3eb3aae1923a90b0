/**
 * Secrets in texts that come in parts, and the forms in which a text repeats one. It owns the parts
 * that may end in the beginning of a secret, and hands each one on once what comes after it has
 * decided that. Parts stay as many as they are, and keep their order.
 */
import { percentDecoded } from './foreign-json.ts';

/** Shorter beginnings of a secret tell nobody anything, and any part may end in one. */
const beginningMin = 4;
const mark = '***';

interface Part {
  readonly value: unknown;
  /** The texts in it, by where they stand. */
  readonly texts: Map<string, string>;
  isHandedOn: boolean;
}

export class SecretParts {
  readonly #secrets: readonly string[];
  readonly #handOn: (part: unknown) => void;
  readonly #longest: number;
  readonly #held: Part[] = [];
  /** The last parts that have a text at a place, as many as a secret may need. */
  readonly #tails = new Map<string, Part[]>();
  /** By place, the first part of what may be the beginning of a secret. */
  readonly #open = new Map<string, Part>();

  constructor(secrets: readonly string[], handOn: (part: unknown) => void) {
    this.#secrets = secrets;
    this.#handOn = handOn;
    this.#longest = Math.max(0, ...secrets.map(({ length }) => length));
  }

  add(value: unknown): void {
    const part: Part = { value, texts: textsIn(value), isHandedOn: false };
    this.#held.push(part);
    for (const place of part.texts.keys()) {
      const tail = [...(this.#tails.get(place) ?? []), part];
      const joined = joinedAt(tail, place);
      for (const secret of this.#secrets) {
        if (joined.includes(secret)) withoutSecret(tail, place, secret);
      }
      this.#tails.set(place, this.#lastOf(tail, place));
      const open = this.#openIn(tail, place);
      if (open) this.#open.set(place, open);
      else this.#open.delete(place);
    }
    const open = new Set(this.#open.values());
    const first = this.#held.findIndex((held) => open.has(held));
    this.#release(first < 0 ? this.#held.length : first);
  }

  /** Nothing comes after what there is. */
  end(): void {
    this.#release(this.#held.length);
  }

  #release(count: number): void {
    for (const part of this.#held.splice(0, count)) {
      part.isHandedOn = true;
      this.#handOn(withTexts(part.value, part.texts));
    }
  }

  #lastOf(tail: readonly Part[], place: string): Part[] {
    let length = 0;
    const first = tail.findLastIndex((part) => {
      length += textAt(part, place).length;
      return length >= this.#longest;
    });
    return tail.slice(Math.max(0, first));
  }

  /** The first part that holds the beginning of a secret which the last one may not end. */
  #openIn(tail: readonly Part[], place: string): Part | undefined {
    const joined = joinedAt(tail, place);
    const starts = this.#secrets.map((secret) => beginningAt(joined, secret));
    let at = Math.min(...starts);
    if (at === Infinity) return undefined;
    return tail.find((part) => {
      at -= textAt(part, place).length;
      return at < 0 && !part.isHandedOn;
    });
  }
}

/** A list of parts, as a stream that is read at once gives it, without secrets that these cut. */
export function withoutCutSecrets(
  items: readonly unknown[],
  secrets: readonly string[],
): readonly unknown[] {
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  const joined = new Map<string, string>();
  for (const item of items) {
    for (const [place, text] of textsIn(item)) {
      // A secret within one text has been found before.
      const ends =
        text.length > 2 * longest ? `${text.slice(0, longest)}…${text.slice(-longest)}` : text;
      joined.set(place, (joined.get(place) ?? '') + ends);
    }
  }
  const isCut = [...joined.values()].some((text) =>
    secrets.some((secret) => text.includes(secret)),
  );
  if (!isCut) return items;
  const clean: unknown[] = [];
  const parts = new SecretParts(secrets, (item) => clean.push(item));
  for (const item of items) parts.add(item);
  parts.end();
  return clean;
}

const joinedAt = (parts: readonly Part[], place: string): string =>
  parts.map((part) => textAt(part, place)).join('');

const textAt = ({ texts }: Part, place: string): string => texts.get(place) ?? '';

/** Where a text that ends in the beginning of a secret has it. */
function beginningAt(text: string, secret: string): number {
  const start = secret.slice(0, beginningMin);
  const from = Math.max(0, text.length - secret.length + 1);
  for (let at = text.indexOf(start, from); at >= 0; at = text.indexOf(start, at + 1)) {
    if (secret.startsWith(text.slice(at))) return at;
  }
  return Infinity;
}

/** Takes a secret out of the parts that it is cut into, as often as it is there. */
function withoutSecret(tail: readonly Part[], place: string, secret: string): void {
  const find = (from: number): number => joinedAt(tail, place).indexOf(secret, from);
  for (let found = find(0); found >= 0; found = find(found + 1)) {
    replaceAt(tail, place, found, found + secret.length);
  }
}

function replaceAt(tail: readonly Part[], place: string, start: number, end: number): void {
  let [at, isMarked] = [0, false];
  for (const part of tail) {
    const text = textAt(part, place);
    const from = Math.max(0, start - at);
    const to = Math.min(text.length, end - at);
    at += text.length;
    if (from >= to || part.isHandedOn) continue;
    part.texts.set(place, `${text.slice(0, from)}${isMarked ? '' : mark}${text.slice(to)}`);
    isMarked = true;
  }
}

function textsIn(value: unknown): Map<string, string> {
  const texts = new Map<string, string>();
  walk(value, '', (text, place) => {
    texts.set(place, text);
    return text;
  });
  return texts;
}

const withTexts = (value: unknown, texts: ReadonlyMap<string, string>): unknown =>
  walk(value, '', (text, place) => texts.get(place) ?? text);

/** The value with other texts; the very same where none is another. */
function walk(
  value: unknown,
  place: string,
  change: (text: string, place: string) => string,
): unknown {
  if (typeof value === 'string') return change(value, place);
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isList && prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [key, walk(item, `${place}/${key}`, change)]);
  if (changed.every(([, item], i) => item === entries[i]?.[1])) return value;
  return isList ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

// The forms in which a text repeats a secret: as it is, escaped in JSON (up to four times) or in
// HTML, percent-encoded, also as JSON is, in hex, and in base64 wherever it stands in what was
// encoded.
//
// - S1 A pattern is linear: each repetition in it has a bound.

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
