/** A model that cannot be had is told in one line: nothing of the program is at fault. */
import { styleOf } from './output.ts';
import { oneLine } from './text.ts';

export interface ModelError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function modelLine({ code, message, hint }: ModelError): string {
  const advice = hint === undefined ? '' : `; ${hint}`;
  return `${styleOf(process.stderr).error(`error ${code}:`)} ${oneLine(message)}${advice}`;
}

/**
 * Codes of a model that cannot be had: no key, no network, refused, overloaded, no credit. It is no
 * fault of what it was asked, so no other program changes it.
 */
const unavailable: ReadonlySet<string> = new Set([
  ...['PV4100', 'PV4101', 'PV4102', 'PV4103', 'PV4105', 'PV4106', 'PV4107', 'PV4109', 'PV4117'],
]);

export const isModelUnavailable = (code: string | undefined): boolean =>
  code !== undefined && unavailable.has(code);
