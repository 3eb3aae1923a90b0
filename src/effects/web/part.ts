/** The part of a text that one call returns, and what is said of the rest. */
import { type Arguments, type AttemptContext, refusal } from '../../engine/handler.ts';

const charactersDefault = 100_000;

export interface Part {
  readonly text: string;
  /** What is missing, with what was missing before. */
  readonly truncated?: string;
}

/**
 * By `offset` and `maxCharacters` of the arguments; `left` is what is missing of the text itself.
 * Throws `EffectFailure` PV4751.
 */
export function shownPart(
  text: string,
  { maxCharacters = charactersDefault, offset = 0 }: Arguments,
  prefix: string,
  context: Pick<AttemptContext, 'warn'>,
  left?: string,
): Part {
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
  for (const note of notes) context.warn(`${prefix}${note}`);
  return {
    text: text.slice(from, end),
    ...(notes.length > 0 && { truncated: notes.join('; ') }),
  };
}

/** No character is cut in two. */
function endOf(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
