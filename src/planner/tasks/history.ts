/** What tasks were called and what came of them, as loops hand it on and as models read it. */
import { z } from 'zod';
import { stringify } from '../../program/json.ts';
import { type Goal, readGoal } from '../goal.ts';
import { readData } from '../loop-data.ts';
import type { Words } from './words.ts';

/** A task and its result. */
export interface Seen {
  readonly id: string;
  readonly thought: string;
  /** Canonical text: `search("x")`. */
  readonly action: string;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };

/** Why something failed, as a text that a model reads, with what to do instead. */
const errorText: z.ZodType<string> = z
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

/** What `try_call` and `task` give. */
export const resultShape: z.ZodType<Outcome> = z
  .object({ ok: z.boolean(), value: z.unknown().optional(), error: errorText.nullish() })
  .transform(({ ok, value, error }) =>
    ok ? { ok, value } : { ok: false, error: error ?? 'it failed' },
  );

/** A goal, or its text alone. */
export const goalShape: z.ZodType<Goal> = z
  .unknown()
  .transform((goal) => readGoal(typeof goal === 'string' ? { text: goal } : goal));

const shape = z.array(
  z
    .object({
      id: z.union([z.string(), z.number()]).transform(String),
      thought: z.string().nullish(),
      action: z.string(),
      observation: z.unknown().optional(),
      error: errorText.nullish(),
      // In place of the two.
      result: resultShape.optional(),
    })
    .transform(({ id, thought, action, observation, error, result }): Seen => {
      const told: Outcome =
        typeof error === 'string' ? { ok: false, error } : { ok: true, value: observation };
      return { id, thought: thought ?? '', action, outcome: result ?? told };
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
