/** A step in a few words: what it is about, and which steps it stands in. */
import { aroundIn } from '../../engine/views/around.ts';
import { nameBy } from '../../program/program.ts';
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

// Which steps a step stands in: `Main:03 > Player.Guess:02 (Ann)`, outermost first.

interface Part {
  readonly id: string;
  readonly within?: string;
  readonly by?: string;
}

/** By the id of a step. */
export function stackIn(steps: readonly Part[]): (id: string) => string {
  const around = aroundIn(steps);
  const names = new Map(steps.map(({ id, by }) => [id, nameBy(id, by)]));
  return (id) =>
    around(id)
      .map((at) => names.get(at) ?? at)
      .reverse()
      .join(' > ');
}
