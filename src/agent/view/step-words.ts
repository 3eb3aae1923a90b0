/** What a step is about, in a few words. */
import { oneLine } from '../../text/words.ts';

interface Described {
  readonly objective?: string;
  readonly reasoning?: string;
  readonly source?: string;
}

/** The author's words; without them the code of the step, where that is no JSON. */
export function stepWords({ objective, reasoning, source = '' }: Described): string {
  const code = /^[[{]/.test(source) ? '' : source;
  return oneLine(objective ?? reasoning ?? code);
}
