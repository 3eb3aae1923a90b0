/**
 * How a run gets a value that no part of its program gives. The command line, which is the only one
 * that tells a person of its flags, finds them by these words: see `cli/advice.ts`.
 */
export const inputHint = (name: string): string =>
  `a run can be given it as the input ${isPlain(name) ? name : JSON.stringify(name)}`;

/** Whether a shell and the command line read the name as it is. */
const isPlain = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name);
