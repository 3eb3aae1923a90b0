/** Codes of what stands between a program that was asked for and its run. */
export const codes = {
  PV7501: 'A program waits for somebody to agree to it, and nobody can be asked here.',
  PV7502: 'Somebody did not want a program to run, or left an editor with nothing in it.',
  PV7504: 'A program that was edited does not pass the check.',
  PV7505: 'What stands on stdin is no text, or larger than a value may be.',
  PV7506: 'A model that continues a program has written statements that were run already.',
  PV7507: 'A model that continues a program has no turns left, and has given no answer.',
} as const;

export type AskCode = keyof typeof codes;
