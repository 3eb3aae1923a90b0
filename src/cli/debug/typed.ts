/** What a person types to the debugger, read; and what is wrong with it. */

import { type Trigger, textOf } from '../../agent/travel/breakpoints.ts';
import { columns } from '../../text/words.ts';
import { assigned } from '../run/fork-flags.ts';
import { rows } from './commands.ts';

/** What a person typed cannot be done; the message says why. */
export class Refused extends Error {}

/** `name=value`, as `--set` of a fork takes it. */
export function assignedIn(text: string): Readonly<Record<string, string>> | undefined {
  try {
    return text === '' ? undefined : assigned(text);
  } catch (error) {
    throw new Refused(`fork: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const wordsOf = (triggers: readonly Trigger[]): string =>
  triggers.map(({ breakpoint }) => textOf(breakpoint)).join(', ');

export const hasCode = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('PV');

export function wanted(rest: string, what: string): string {
  if (rest === '') throw new Refused(`got nothing, want ${what}`);
  return rest;
}

export function countOf(rest: string): number {
  if (rest === '') return 1;
  const times = Number(rest);
  if (Number.isSafeInteger(times) && times > 0) return times;
  throw new Refused(`got ${rest}, want a number from 1 on`);
}

export const helpLines = (): string[] =>
  columns(
    rows.map(({ action, short, takes = '', about }) => [
      `  ${short === undefined ? action : `${action}, ${short}`} ${takes}`.trimEnd(),
      about,
    ]),
  );
