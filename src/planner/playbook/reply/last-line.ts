/** The last line of a reply that does not end with it: what shows that it was cut off there. */
import { isClosed } from './forms/balance.ts';
import type { Said } from './said.ts';

/** Whether a line leaves something open, or lacks what is to come behind its last sign. */
export const isHalf = (line: string): boolean =>
  !isClosed(line.replace(/^\s*(?:[-*+]\s+)?`/, '')) || /(?:[=.,+*/-]|\bawait)\s*$/.test(line);

/** What acts with a value that neither a mark nor the line's end closes: more of it may come. */
export const withOpenEnd = (said: Said, line: string): Said =>
  /^(?:set|call|say)$/.test(said.is) && endsBare.test(line) ? { ...said, mayGoOn: line } : said;

const endsBare = /[\p{L}\p{M}\p{N}_$:-][ \t]*$/u;
