/** Parts as what was said: what an earlier reply has done, to go on behind it. */
import { stringify } from '../../../../program/json.ts';
import type { CallPart, Part, SayPart } from '../../parts.ts';
import type { Said } from '../../reply/said.ts';
import { type Expr, termOf } from '../../reply/term.ts';
import { plain } from '../values/known-values.ts';

/**
 * What tells one act from another, at its line: as it was written, since who tells it again may not
 * know what has come of it, and by what it came to. Empty for what is no act.
 */
export function marksOf(part: Part): readonly string[] {
  if (part.op === 'call') return callMarks(part.line, part.callee, part);
  if (part.op === 'set') return [`${part.line} set ${inWords(part.name, part.value)}`];
  return part.op === 'say' ? sayMarks(part.line, part) : [];
}

export const callMarks = (
  line: string,
  callee: string,
  { args, key }: Pick<CallPart, 'args' | 'key'>,
): readonly string[] => [`${line} call ${inWords(callee, args)}`, `${line} call = ${key}`];

export const sayMarks = (
  line: string,
  { text, key }: Pick<SayPart, 'text' | 'key'>,
): readonly string[] => [`${line} say ${inWords('', text)}`, `${line} say = ${key}`];

/** Equal for equal values. */
export const inWords = (name: string, value: Expr | CallPart['args']): string =>
  `${name} ${stringify(plain(value))}`;

/** What a part was made of that does nothing: acts stand as they are. */
export function saidAgain(part: Part): Said | undefined {
  switch (part.op) {
    case 'step':
      return { is: 'step', line: part.line };
    case 'yield':
      return { is: 'yield', for: part.for, whom: part.whom };
    case 'return':
      return { is: 'return', value: termOf(part.value) };
    case 'unexpected':
      return { is: 'unexpected', text: part.text };
    default:
      return undefined;
  }
}
