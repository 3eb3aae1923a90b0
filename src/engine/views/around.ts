/** Which steps a step stands in: those that have called the playbook that it is a line of. */
interface Part {
  readonly id: string;
  readonly within?: string;
}

/** By the id of a step: itself, and the steps around it, innermost first. */
export function aroundIn(steps: readonly Part[]): (id: string) => readonly string[] {
  const around = new Map(steps.map(({ id, within }) => [id, within]));
  return (id) => {
    const all = [id];
    for (let at = around.get(id); at !== undefined && !all.includes(at); at = around.get(at)) {
      all.push(at);
    }
    return all;
  };
}
