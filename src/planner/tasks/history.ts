/** What tasks were called and what came of them, as loops hand it on and as models read it. */
import { z } from 'zod';
import { stringify } from '../../program/json.ts';
import { readData } from '../loop-data.ts';
import type { Words } from './words.ts';

/** A task and its result. */
export interface Seen {
  readonly id: string;
  readonly thought: string;
  /** Canonical text: `search("x")`. */
  readonly action: string;
  readonly outcome:
    | { readonly ok: true; readonly value: unknown }
    | { readonly ok: false; readonly error: string };
}

/** Why something failed, as a text that a model reads, with what to do instead. */
export const errorText: z.ZodType<string> = z
  .union([
    z.string(),
    z.object({
      code: z.string().default(''),
      message: z.string(),
      hint: z.string().nullish(),
    }),
  ])
  .transform((one) => {
    if (typeof one === 'string') return one;
    const hint = one.hint ? ` (${one.hint})` : '';
    return `${one.code} ${one.message}${hint}`.trim();
  });

const shape = z.array(
  z
    .object({
      id: z.union([z.string(), z.number()]).transform(String),
      thought: z.string().nullish(),
      action: z.string(),
      observation: z.unknown().optional(),
      error: errorText.nullish(),
      // What try_call and task give, in place of the two.
      result: z
        .object({ ok: z.boolean(), value: z.unknown().optional(), error: errorText.nullish() })
        .optional(),
    })
    .transform(({ id, thought, action, observation, error, result }): Seen => {
      const failure = result ? (result.ok ? undefined : result.error) : error;
      const value = result ? result.value : observation;
      const isFailed = result ? !result.ok : typeof error === 'string';
      const outcome = isFailed
        ? ({ ok: false, error: failure ?? 'it failed' } as const)
        : ({ ok: true, value } as const);
      return { id, thought: thought ?? '', action, outcome };
    }),
);

/** Throws `EffectFailure` PV7006. */
export function readHistory(tasks: unknown): Seen[] {
  return readData(
    shape,
    tasks,
    'tasks',
    'a task is {"id", "thought", "action"} with "observation", "error" or "result"',
  );
}

/** The marks are those of the notation; the words of an error are those of the machine. */
export function taskLines(tasks: readonly Seen[], words: Words): string[] {
  return tasks.flatMap(({ id, thought, action, outcome }) => [
    ...(thought === '' ? [] : [`Thought: ${thought}`]),
    `${id}. ${action}`,
    outcome.ok
      ? `Observation: ${observed(outcome.value, words)}`
      : `Error: ${shortened(outcome.error, words)}`,
  ]);
}

export const observed = (value: unknown, words: Words): string =>
  shortened(typeof value === 'string' ? value : stringify(value ?? null), words);

/** Characters of one result that a model is shown. */
const shownMax = 20_000;

function shortened(text: string, words: Words): string {
  if (text.length <= shownMax) return text;
  return `${text.slice(0, shownMax)} ${words.more(text.length - shownMax)}`;
}
