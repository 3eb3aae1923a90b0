/** Which steps a step stands in: `Main:03 > Player.Guess:02 (Ann)`, outermost first. */
import { nameBy } from '../../program/shown-steps.ts';

interface Part {
  readonly id: string;
  readonly within?: string;
  readonly by?: string;
}

/** By the id of a step. */
export function stackIn(steps: readonly Part[]): (id: string) => string {
  const around = new Map(steps.map(({ id, within }) => [id, within]));
  const names = new Map(steps.map(({ id, by }) => [id, nameBy(id, by)]));
  return (id) => {
    const stack = [id];
    for (let at = around.get(id); at !== undefined && !stack.includes(at); at = around.get(at)) {
      stack.unshift(at);
    }
    return stack.map((at) => names.get(at) ?? at).join(' > ');
  };
}
