/** Which steps a step stands in: `Main:03 > Player.Guess:02 (Ann)`, outermost first. */
import { aroundIn } from '../../engine/views/around.ts';
import { nameBy } from '../../program/shown-steps.ts';

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
