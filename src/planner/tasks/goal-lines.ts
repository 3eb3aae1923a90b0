/** A goal as a model reads it, in the language of its prompt. */
import type { Goal } from '../prompt.ts';
import type { Words } from './words.ts';

export function goalLinesIn({ text, language, format }: Goal, words: Words): string[] {
  return [
    words.question(text),
    ...(language ? [words.answerLanguage(language)] : []),
    ...(format ? [words.answerForm(format)] : []),
  ];
}
