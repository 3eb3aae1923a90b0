/** What a call in the tree is given, as far as the text itself says which argument is which. */
import type { Argument, Expression } from '../parse/syntax.ts';

/** Whether no argument is spread: then each has the place and the name that are written. */
export const areCounted = (given: readonly Argument[]): boolean =>
  given.every(({ kind }) => kind === 'positional' || kind === 'named');

/** The argument for a parameter, by its name or by its place, from 0. */
export const argumentNamed = (
  given: readonly Argument[],
  name: string,
  position: number,
): Expression | undefined =>
  given.find((one, i) =>
    one.kind === 'named' ? one.name === name : one.kind === 'positional' && i === position,
  )?.value;
