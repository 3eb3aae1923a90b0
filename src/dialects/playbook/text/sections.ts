/** The words that the parts of a file are headed with, in the languages that are read. */
import { editDistance } from '../../../program/diagnostic.ts';

export type Section = 'triggers' | 'steps' | 'notes' | 'code';

/** English, French, German, Spanish, Italian, Portuguese, Dutch; without their accents. */
const words: ReadonlyMap<string, Section> = new Map([
  ...(['trigger', 'triggers', 'declencheur', 'declencheurs'] as const).map(is('triggers')),
  ...(['ausloser', 'disparador', 'disparadores', 'gatilho', 'gatilhos'] as const).map(
    is('triggers'),
  ),
  ...(['step', 'steps', 'etape', 'etapes', 'schritt', 'schritte'] as const).map(is('steps')),
  ...(['paso', 'pasos', 'passi', 'passo', 'passos', 'etapas', 'stappen'] as const).map(is('steps')),
  ...(
    ['note', 'notes', 'remark', 'remarks', 'remarque', 'remarques', 'hinweis', 'hinweise'] as const
  ).map(is('notes')),
  ...(['anmerkungen', 'notizen', 'notas', 'opmerkingen'] as const).map(is('notes')),
  ...(['code', 'tools'] as const).map(is('code')),
]);

function is(section: Section): (word: string) => readonly [string, Section] {
  return (word) => [word, section];
}

/** What a heading under a playbook begins; undefined for any other heading. */
export const sectionOf = (heading: string): Section | undefined => words.get(bareWord(heading));

/** The section that a heading means by a slip of the hand, `Triger`. */
export function nearSection(heading: string): Section | undefined {
  const word = bareWord(heading);
  const slips = word.length > 6 ? 3 : 2;
  const isNear = (one: string): boolean =>
    one[0] === word[0] && editDistance(word, one, slips) < slips;
  return [...words].find(([one, section]) => section !== 'code' && isNear(one))?.[1];
}

const bareWord = (heading: string): string =>
  heading
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    // Numbers, pictures and marks around the word show it off.
    .replace(/^\P{L}+|\P{L}+$/gu, '')
    .toLowerCase();
