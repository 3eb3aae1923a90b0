/** The languages in which the loops over tasks can speak to a model. */
import { english } from './english.ts';
import { french } from './french.ts';
import type { Words } from './words.ts';

export const promptLanguages = ['en', 'fr'] as const;

export type PromptLanguage = (typeof promptLanguages)[number];

const words: Readonly<Record<PromptLanguage, Words>> = { en: english, fr: french };

export const wordsIn = (language: PromptLanguage): Words => words[language];

/** The language that a person means by `fr`, `French` or `français`; undefined for all others. */
export function promptLanguage(name: string): PromptLanguage | undefined {
  const plain = name.trim().toLowerCase();
  if (/^(en|en[-_]\w+|english|anglais)$/.test(plain)) return 'en';
  return /^(fr|fr[-_]\w+|french|fran[cç]ais)$/.test(plain) ? 'fr' : undefined;
}
