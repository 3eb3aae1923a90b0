/** What can be said to the debugger, a sentence for each; and what a person types, read. */
import { type Trigger, textOf } from '../../agent/travel/breakpoints.ts';
import { columns } from '../../text/words.ts';

export interface CommandRow {
  readonly action: string;
  readonly short?: string;
  readonly takes?: string;
  readonly about: string;
  /** An empty line says it once more. */
  readonly repeats?: true;
}

export const rows: readonly CommandRow[] = [
  { action: 'step', short: 's', takes: '[N]', about: 'To the next step.', repeats: true },
  {
    action: 'next',
    short: 'n',
    takes: '[N]',
    about: 'To the next line, in calls too.',
    repeats: true,
  },
  { action: 'effect', short: 'e', takes: '[N]', about: 'To the next outcome.', repeats: true },
  {
    action: 'back',
    short: 'b',
    takes: '[line | effect] [N]',
    about: 'To the step before, or the line or outcome.',
    repeats: true,
  },
  { action: 'continue', short: 'c', about: 'On to a breakpoint or the end.', repeats: true },
  { action: 'reverse', short: 'r', about: 'Back to a breakpoint or the start.', repeats: true },
  {
    action: 'go',
    short: 'g',
    takes: 'PLACE',
    about: 'To a step, 4@2, an outcome, 0#7, event:12, start or end.',
  },
  {
    action: 'break',
    takes: 'step ID [if EXPRESSION] | effect NAME | change VARIABLE | if EXPRESSION',
    about: 'Stop there.',
  },
  { action: 'breaks', about: 'The breakpoints and watches, numbered.' },
  { action: 'delete', short: 'd', takes: 'N | all', about: 'Remove one of them, or all.' },
  { action: 'watch', short: 'w', takes: 'EXPRESSION', about: 'Show its value at every stop.' },
  { action: 'print', short: 'p', takes: 'EXPRESSION', about: 'Its value, in Starlark.' },
  { action: 'vars', short: 'v', about: 'All variables.' },
  { action: 'where', about: 'The frames, with their variables and operands.' },
  { action: 'pending', about: 'What is open, and what waits for what.' },
  { action: 'effects', takes: '[NAME]', about: 'The outcomes so far.' },
  { action: 'answers', about: 'The answers so far.' },
  { action: 'list', short: 'l', takes: '[LINE]', about: 'The program around here.' },
  { action: 'help', short: 'h', about: 'This.' },
  { action: 'quit', short: 'q', about: 'Leave; so does Ctrl-D.' },
];

export const rowOf: ReadonlyMap<string, CommandRow> = new Map(
  rows.flatMap((row) => [row.action, row.short ?? row.action].map((name) => [name, row] as const)),
);

/** What a person typed cannot be done; the message says why. */
export class Refused extends Error {}

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
