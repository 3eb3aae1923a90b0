/** A model that cannot be had is told in one line: nothing of the program is at fault. */
import { oneLine } from '../../text/words.ts';
import { styleOf } from './output.ts';

export interface ModelError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function modelLine({ code, message, hint }: ModelError): string {
  const advice = hint === undefined ? '' : `; ${hint}`;
  return `${styleOf(process.stderr).error(`error ${code}:`)} ${oneLine(message)}${advice}`;
}
