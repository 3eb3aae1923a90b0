/** Which steps a step stands in: `Main:03 > OfferTheBikes:02`, outermost first. */

interface Part {
  readonly id: string;
  readonly within?: string;
}

/** By the id of a step. */
export function stackIn(steps: readonly Part[]): (id: string) => string {
  const around = new Map(steps.map(({ id, within }) => [id, within]));
  return (id) => {
    const stack = [id];
    for (let at = around.get(id); at !== undefined && !stack.includes(at); at = around.get(at)) {
      stack.unshift(at);
    }
    return stack.join(' > ');
  };
}
