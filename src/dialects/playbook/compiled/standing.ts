/** Lines beside those of a playbook that stands in the place of its call: they do nothing. */
import type { Step } from './compiled.ts';

const head = ': its lines are here';
const end = 'Done: ';

/** Of what stands in the place of a call, above its lines. */
export const headText = (callee: string, args: string): string => `${callee}(${args})${head}`;

/** Where it ends with what nobody takes. */
export const endText = (what: string): string => `${end}${what}`.trim();

/** Without what only says that the lines are there. */
export const withoutHead = (text: string): string =>
  text.endsWith(head) ? text.slice(0, -head.length) : text;

type Line = Pick<Step, 'code' | 'isAmbiguous' | 'text'>;

export const isHead = ({ code, isAmbiguous, text }: Line): boolean =>
  code === 'EXE' && !isAmbiguous && text.endsWith(head);

export const isEnd = ({ code, isAmbiguous, text }: Line): boolean =>
  code === 'EXE' && !isAmbiguous && `${text} `.startsWith(end);
