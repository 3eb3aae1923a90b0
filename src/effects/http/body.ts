/** The body of a request, by the media type that its service takes. */
import type { Arguments } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { formPairs, isObject, plainText } from './encode.ts';
import type { Body, Member } from './operation.ts';

export interface SentBody {
  readonly media: string;
  readonly bytes: string | Uint8Array;
}

/** Undefined where there is nothing to send. */
export async function bodyOf(
  body: Body | undefined,
  args: Arguments,
): Promise<SentBody | undefined> {
  if (!body) return undefined;
  const { from, media } = body;
  if (from.kind === 'whole') {
    const value = args[from.parameter];
    if (value === undefined) return undefined;
    if (isForm(media) && isObject(value)) {
      const members = Object.keys(value).map((name) => ({ parameter: name, name }));
      return await formOf(media, members, value);
    }
    if (isJson(media)) return { media, bytes: stringify(value) };
    return { media, bytes: value instanceof Uint8Array ? value : plainText(value) };
  }
  const given = from.members.filter(({ parameter }) => args[parameter] !== undefined);
  if (given.length === 0) return undefined;
  if (isForm(media)) return await formOf(media, given, args);
  const data = Object.fromEntries(given.map(({ parameter, name }) => [name, args[parameter]]));
  return { media, bytes: stringify(data) };
}

const multipart = 'multipart/form-data';

const isJson = (media: string): boolean => /[/+]json\b/.test(media);
export const isForm = (media: string): boolean =>
  media === multipart || media === 'application/x-www-form-urlencoded';

async function formOf(
  media: string,
  members: readonly Member[],
  args: Arguments,
): Promise<SentBody> {
  if (media === multipart) return await multipartOf(members, args);
  const pairs = members.flatMap(({ parameter, name }) => formPairs(name, args[parameter]));
  return { media, bytes: new URLSearchParams(pairs).toString() };
}

/** RFC 7578, as the platform writes it. */
async function multipartOf(members: readonly Member[], args: Arguments): Promise<SentBody> {
  const form = new FormData();
  for (const { parameter, name, file } of members) {
    for (const value of [args[parameter]].flat().filter((one) => one !== null)) {
      const isBytes = value instanceof Uint8Array;
      const content = isBytes ? new Uint8Array(value) : plainText(value);
      if (isBytes || file) form.append(name, new Blob([content]), name);
      else form.append(name, plainText(value));
    }
  }
  const written = new Response(form);
  const media = written.headers.get('content-type') ?? multipart;
  return { media, bytes: new Uint8Array(await written.arrayBuffer()) };
}
