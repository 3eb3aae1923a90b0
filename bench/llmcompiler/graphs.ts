/** Graphs of tasks that take their time: chains, layers, and what random numbers make. */

export interface Task {
  readonly ms: number;
  /** Indexes of earlier tasks whose results it needs. */
  readonly on: readonly number[];
}

let state = 7;

/** From 0 up to `below`: the same numbers in each process. */
export const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

export const chain = (count: number, ms: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({ ms, on: i === 0 ? [] : [i - 1] }));

/** Each needs two of the layer before it. */
export const layers = (depth: number, width: number, ms: number): Task[] =>
  Array.from({ length: depth * width }, (_, i) => {
    const first = (Math.floor(i / width) - 1) * width;
    return { ms, on: first < 0 ? [] : [first + (i % width), first + random(width)] };
  });

/** Each needs up to three of the fifty before it. */
export const graph = (count: number, ms: () => number): Task[] =>
  Array.from({ length: count }, (_, i) => {
    const on = Array.from({ length: i === 0 ? 0 : random(4) }, () =>
      Math.max(0, i - 1 - random(50)),
    );
    return { ms: ms(), on: [...new Set(on)] };
  });

/** A plan of it, each task with a thought before it. */
export const textOf = (tasks: readonly Task[]): string =>
  `${tasks
    .map(({ ms, on }, i) => {
      const refs = on.map((need) => `$${need + 1}`).join(', ');
      return `Thought: step ${i}\n${i + 1}. wait[${i}, ${ms}, [${refs}]]\n`;
    })
    .join('')}${tasks.length + 1}. join($${tasks.length})\n`;

/** The longest chain, by what each task took. */
export function criticalPath(tasks: readonly Task[], took: (task: number) => number): number {
  const ends: number[] = [];
  for (const [i, { on }] of tasks.entries()) {
    ends.push(took(i) + on.reduce((end, need) => Math.max(end, ends[need] ?? 0), 0));
  }
  return ends.reduce((most, end) => Math.max(most, end), 0);
}

/** The same graph by hand: each task starts when the last that it needs has ended. */
export async function byHand(
  tasks: readonly Task[],
  perform: (task: Task, index: number) => Promise<unknown>,
): Promise<void> {
  const missing = tasks.map(({ on }) => on.length);
  const dependents: number[][] = tasks.map(() => []);
  for (const [i, { on }] of tasks.entries()) for (const need of on) dependents[need]?.push(i);
  let left = tasks.length;
  await new Promise<void>((resolve) => {
    const start = async (i: number): Promise<void> => {
      await perform(tasks[i] as Task, i);
      if (--left === 0) resolve();
      for (const next of dependents[i] ?? []) {
        missing[next] = (missing[next] ?? 0) - 1;
        if (missing[next] === 0) void start(next);
      }
    };
    for (const [i, { on }] of tasks.entries()) if (on.length === 0) void start(i);
  });
}
