/**
 * Secrets that parts of a stream cut. It owns the parts that may end in the beginning of a secret,
 * and hands each one on once what comes after it has decided that. Parts stay as many as they are,
 * and keep their order.
 */

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
