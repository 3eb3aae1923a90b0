/**
 * Addresses of mail as programs write them: `ada@example.org`, `Ada Lovelace <ada@example.org>`, a
 * list of them, or several in one text, parted by commas. Stricter than what mail allows: no
 * comments, no routes, no quoted local parts, no control characters, which is what would let a text
 * add headers or commands of its own. Pure.
 */
import { domainToASCII } from 'node:url';
import { type EffectFailure, refusal } from '../../engine/handler.ts';

export interface Mailbox {
  /** Empty where there is none. */
  readonly name: string;
  /** Its domain is in lower case and in ASCII. */
  readonly address: string;
}

/** Longest address that SMTP carries (RFC 5321), in characters. */
const addressCharactersMax = 254;
const nameCharactersMax = 200;

/** Those that a message may go to at once. */
export const recipientsMax = 100;

/** A control character, or one that ends a line in some reader. */
const control = /[\p{Cc}\u2028\u2029]/u;

/** What stands before the `@`: the atoms of RFC 5322 and letters beyond ASCII. */
const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** `what` is the parameter, for messages. Throws `EffectFailure` PV4780, PV4781. */
export function mailbox(what: string, given: string): Mailbox {
  const text = headerText(what, given).trim();
  const [, quoted, plain = '', inside] =
    /^(?:"((?:[^"\\]|\\.)*)"\s*|([^"<>]*))<([^<>]*)>$/.exec(text) ?? [];
  const name = (quoted?.replace(/\\(.)/g, '$1') ?? plain).trim();
  const address = addressIn(inside ?? text);
  if (address === undefined || name.length > nameCharactersMax) {
    throw bad(`${what}: got ${shown(given)}, want an address such as ada@example.org`);
  }
  return { name, address };
}

/** Each once, in the order of their first places. Throws as `mailbox` does. */
export function mailboxes(what: string, given: unknown): Mailbox[] {
  const texts = (Array.isArray(given) ? given : [given ?? []]).flat();
  const found = new Map<string, Mailbox>();
  for (const text of texts) {
    if (typeof text !== 'string') {
      throw bad(`${what}: got ${shown(JSON.stringify(text))}, want addresses as texts`);
    }
    for (const part of parts(text)) {
      const one = mailbox(what, part);
      const key = one.address.toLowerCase();
      if (!found.has(key)) found.set(key, one);
    }
  }
  return [...found.values()];
}

/** A text that is to stand in a header: without what could begin another one. PV4781. */
export function headerText(what: string, given: string): string {
  if (!control.test(given)) return given;
  throw refusal('PV4781', `${what}: got a line break or another control character`, {
    hint: `write ${what} in one line`,
  });
}

/** Commas part addresses, except those inside of quotes. */
function parts(text: string): string[] {
  const found = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+|"/g) ?? [];
  return found.map((part) => part.trim()).filter((part) => part !== '');
}

function addressIn(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = domainToASCII(text.slice(at + 1));
  const labels = domain.split('.');
  if (at < 1 || !localPart.test(local) || local.length > 64) return undefined;
  if (domain === '' || !labels.every((one) => label.test(one))) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= addressCharactersMax ? address : undefined;
}

const bad = (message: string): EffectFailure =>
  refusal('PV4780', message, {
    hint: 'write name@domain, or Name <name@domain>; several as a list',
  });

const shown = (text: string | undefined): string =>
  text === undefined || text.length <= 80 ? `${text}` : `${text.slice(0, 80)}…`;
