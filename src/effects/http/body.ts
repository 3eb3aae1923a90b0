/** The body of a request, by the media type that its service takes. */
import { randomUUID } from 'node:crypto';
import type { Arguments } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { formPairs, isObject, plainText } from './encode.ts';
import type { Body, Member } from './operation.ts';

export interface SentBody {
  readonly media: string;
  readonly bytes: string | Uint8Array;
}

/** Undefined where there is nothing to send. */
export function bodyOf(body: Body | undefined, args: Arguments): SentBody | undefined {
  if (!body) return undefined;
  const { from, media } = body;
  if (from.kind === 'whole') {
    const value = args[from.parameter];
    if (value === undefined) return undefined;
    if (isForm(media) && isObject(value)) {
      const members = Object.keys(value).map((name) => ({ parameter: name, name }));
      return formOf(media, members, value);
    }
    if (isJson(media)) return { media, bytes: stringify(value) };
    return { media, bytes: value instanceof Uint8Array ? value : plainText(value) };
  }
  const given = from.members.filter(({ parameter }) => args[parameter] !== undefined);
  if (given.length === 0) return undefined;
  if (isForm(media)) return formOf(media, given, args);
  const data = Object.fromEntries(given.map(({ parameter, name }) => [name, args[parameter]]));
  return { media, bytes: stringify(data) };
}

const multipart = 'multipart/form-data';

const isJson = (media: string): boolean => /[/+]json\b/.test(media);
export const isForm = (media: string): boolean =>
  media === multipart || media === 'application/x-www-form-urlencoded';

function formOf(media: string, members: readonly Member[], args: Arguments): SentBody {
  if (media === multipart) return multipartOf(members, args);
  const pairs = members.flatMap(({ parameter, name }) => formPairs(name, args[parameter]));
  return { media, bytes: new URLSearchParams(pairs).toString() };
}

/** RFC 7578. */
function multipartOf(members: readonly Member[], args: Arguments): SentBody {
  const boundary = `planvm-${randomUUID()}`;
  const parts: Uint8Array[] = [];
  for (const { parameter, name, file } of members) {
    const values = [args[parameter]].flat().filter((value) => value !== null);
    for (const value of values) {
      const isFile = file || value instanceof Uint8Array;
      const plain = quoted(name);
      const head = isFile
        ? `name="${plain}"; filename="${plain}"\r\ncontent-type: application/octet-stream`
        : `name="${plain}"`;
      parts.push(
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
        value instanceof Uint8Array ? value : Buffer.from(plainText(value)),
        Buffer.from('\r\n'),
      );
    }
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { media: `${multipart}; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}

/** As browsers write names: whatever would end them is escaped. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
