/** The part of a text that one call returns, and what is said of the rest. */
import { type Arguments, type AttemptContext, refusal } from '../../engine/handler.ts';
import { defined } from '../foreign-json.ts';
import type { Read } from './read-content.ts';

const charactersDefault = 100_000;

/**
 * The result of a tool that reads: the part by `offset` and `maxCharacters` of its arguments, with
 * what is known of the whole. Throws `EffectFailure` PV4751.
 */
export function shownContent(
  { url, fetchedAt }: { readonly url: string; readonly fetchedAt: number },
  { text, title, contentType, author, published, language, pageCount, picture, left, page }: Read,
  { maxCharacters = charactersDefault, offset = 0, links }: Arguments,
  context: Pick<AttemptContext, 'warn' | 'source'>,
): Record<string, unknown> {
  context.source({ url, fetchedAt, ...(title !== '' && { title }) });
  const from = Number(offset);
  if (from > 0 && from >= text.length) {
    const message = `offset: got ${from}, want less than ${text.length}, the length of the text`;
    throw refusal('PV4751', message);
  }
  const end = endOf(text, from + Number(maxCharacters));
  const goesOn = end < text.length ? `; offset=${end} goes on` : '';
  const notes = [
    ...(left === undefined ? [] : [left]),
    ...(goesOn !== '' || from > 0
      ? [`characters ${from} to ${end} of ${text.length}${goesOn}`]
      : []),
  ];
  for (const note of notes) context.warn(`${url}: not all of it: ${note}`);
  return defined({
    ...{ text: text.slice(from, end), title, url, contentType },
    fetchedAt: new Date(fetchedAt).toISOString(),
    ...{ author, published, language, pageCount, picture },
    truncated: notes.length > 0 ? notes.join('; ') : undefined,
    frames: page?.frames.length === 0 ? undefined : page?.frames,
    hidden: page?.hidden || undefined,
    links: links === true ? page?.links : undefined,
  });
}

/** No character is cut in two. */
function endOf(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
