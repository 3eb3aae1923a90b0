/** What a person is told of a verdict. */
import type { Verdict } from '../../engine/journal/verdict.ts';
import { oneLine } from '../../text/words.ts';
import type { styleOf } from './output.ts';

export function verdictLines(
  { accept, outcome, reason, suggestion, rewritten = '', by }: Verdict,
  style: ReturnType<typeof styleOf>,
): string[] {
  const word = accept ? style.good('✔ accepted') : style.error('✖ rejected');
  const isPlain = accept || outcome === undefined || outcome === 'rewrite program';
  const way = isPlain ? '' : `, ${outcome}`;
  const lines = [`${word} ${style.dim(`by ${by}${way}:`)} ${oneLine(reason)}`];
  if (accept) return lines;
  if (suggestion !== '') lines.push(`  ${style.dim('to change:')} ${oneLine(suggestion)}`);
  if (rewritten !== '') lines.push(`  ${style.dim('rather:')} ${oneLine(rewritten)}`);
  return lines;
}
