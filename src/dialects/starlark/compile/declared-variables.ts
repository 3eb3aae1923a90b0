/**
 * Where the variables of another text are, which a program carries out: it says so in a comment,
 * and what it names there in another one, since who makes the program of the text knows these.
 *
 *     #: variables {"sign": "$", "parts": "states", "call": "follow", "about": "frame",
 *     #:     "part": "me", "own": "locals", "at": "at", "name": "id"}
 *     #: names {"Desk": ["day"]}
 */
import { readVariables, type TextVariables } from '../../../program/text-variables.ts';

export const namesComment = (names: TextVariables['names']): string =>
  `#: names ${JSON.stringify(names)}`;

/** Undefined where nothing is declared. Comments that say something else are comments. */
export function declaredVariables(lines: readonly string[]): TextVariables | undefined {
  const places = saidIn(lines, '#: variables ');
  const names = saidIn(lines, '#: names ') ?? '{}';
  return places === undefined
    ? undefined
    : readVariables(`${places.slice(0, -1)}, "names": ${names}}`);
}

/** Behind the mark, with the lines of comment that are indented below. */
function saidIn(lines: readonly string[], mark: string): string | undefined {
  const at = lines.findIndex((line) => line.startsWith(mark));
  if (at < 0) return undefined;
  const below = lines.slice(at + 1).findIndex((line) => !line.startsWith('#:  '));
  const all = lines.slice(at, below < 0 ? undefined : at + 1 + below);
  return all
    .map((line) => line.replace(/^#:/, ''))
    .join('')
    .slice(mark.length - '#:'.length)
    .trim();
}
