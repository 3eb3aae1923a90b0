/** Lines that others go back to by what they say: `Go back to asking for the day`. */
import { flatLines, type Place, type SourceLine } from '../../source/tree.ts';
import { unquoted } from '../../text/brackets.ts';
import { straightened } from '../../text/quotes.ts';

/** The one line that says the same; undefined where none does, or several. */
export function lineAboutIn(words: string, lines: readonly SourceLine[]): Place | undefined {
  const wanted = sameWords(unquoted(words) ?? words);
  const found =
    wanted === '' ? [] : flatLines(lines).filter(({ text }) => sameWords(text) === wanted);
  return found.length === 1 ? found[0]?.place : undefined;
}

/** What a line says, without whom it speaks to, and with its verb as it is told: not `asking`. */
const sameWords = (text: string): string =>
  straightened(text)
    .toLowerCase()
    .replace(/^\s*(\p{L}{2,}?)ing\b/u, '$1')
    .replace(/\b(?:the|an?|their|your|his|her|user|them|visitor|customer)\b/g, ' ')
    .replace(/[^\p{XIDC}$]+/gu, ' ')
    .trim();
