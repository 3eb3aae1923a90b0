/**
 * Several values of a line that returns: `Return $a and $b` means both of them in words, the last
 * one, or whether both hold, as code. Which, its model says.
 */
import { callIn } from './calls.ts';
import { splitAt } from './sentences.ts';

export const saysBoth = (value: string): boolean => {
  const parts = splitAt(value, /\s+and\s+/gi);
  return parts.length > 1 && parts.every((part) => variable.test(part) || !!callIn(part));
};

const variable = /^\$?\p{XIDS}\p{XIDC}*(?:\.\p{XIDC}+|\[[^\]]*\])*$/u;
