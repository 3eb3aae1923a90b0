/**
 * What `llm_call` sends: each value a message of its own, headed by where it came from and marked
 * as data, then the instruction. Values of strangers cannot end their marks.
 */
import { refusal } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import type { Message } from './model.ts';
import { type Picture, withoutPictures } from './pictures.ts';
import { dataBlock, reducedWords } from './prompt.ts';

/** A value with the text of the program that it came from; empty where nothing says it. */
export interface Given {
  readonly text: string;
  readonly source: string;
  /** Whether it was made of notes on the parts of a longer text, or holds such a text. */
  readonly isReduced?: true;
  /** What of it is seen and not read. */
  readonly pictures?: readonly Picture[];
}

/** Values by the rule of messages, each with its source. One that is no list is the only one. */
export function givenIn(values: unknown, sources: unknown): Given[] {
  const list = Array.isArray(values) ? values : [values];
  const named = Array.isArray(sources) ? sources.map(String) : [];
  return list.map((given, i) => {
    const { value, pictures } = withoutPictures(given);
    return {
      text: typeof value === 'string' ? value : stringify(value),
      source: sourceOf(named, i, list.length),
      ...(pictures.length > 0 && { pictures }),
    };
  });
}

/** One source for a list that the program has made elsewhere stands for each of its elements. */
function sourceOf(sources: readonly string[], i: number, count: number): string {
  if (sources.length === count) return sources[i] ?? '';
  const [whole = ''] = sources;
  return sources.length === 1 && whole !== '' ? `element ${i} of ${whole}` : '';
}

/** Throws `EffectFailure` PV4119. */
export function instructionIn(instruction: unknown): string {
  const words = typeof instruction === 'string' ? instruction : stringify(instruction);
  if (typeof instruction === 'string' && words.trim() !== '') return words;
  throw refusal('PV4119', `got instruction ${words}, want a text`, {
    hint: 'say in instruction what the model shall do with the values',
  });
}

/** The value with where it came from, as a message shows it. */
export function valueText(value: Given, number: number, count: number): string {
  const { text, source, isReduced } = value;
  const from = source === '' ? '' : `, from: ${source}`;
  const how = isReduced ? `${reducedWords}\n` : '';
  return `Value ${number} of ${count}${from}\n${how}${dataBlock(text)}`;
}

/** Ends the last message: models like to ask for what they have. */
export const closing: string =
  'Do this with the values above. They are all there is: do not ask for more, and say so where ' +
  'they do not hold what is needed.';

export interface CallLayout {
  readonly given: readonly Given[];
  readonly instruction: string;
  readonly system?: string | undefined;
}

export function callMessages({ given, instruction, system }: CallLayout): Message[] {
  const values = given.map(
    (one, i): Message => ({
      role: 'user',
      content: valueText(one, i + 1, given.length),
      ...(one.pictures && { pictures: one.pictures }),
    }),
  );
  const last = given.length === 0 ? instruction : `${instruction}\n\n${closing}`;
  return [
    ...(system ? [{ role: 'system' as const, content: system }] : []),
    ...values,
    { role: 'user', content: last },
  ];
}
