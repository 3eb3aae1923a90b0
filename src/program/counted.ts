/** `1 step`, `2 steps`. */
export const counted = (n: number, noun: string): string => `${n} ${n === 1 ? noun : `${noun}s`}`;

/** `line is 01`, `lines are 01, 02`; `list` is how they are told, where that is in short. */
export const allOf = (
  noun: string,
  all: readonly string[],
  list: string = all.join(', '),
): string => (all.length === 1 ? `${noun} is ${list}` : `${noun}s are ${list || 'none'}`);
