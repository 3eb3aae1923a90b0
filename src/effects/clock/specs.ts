/** Declarations of time and of chance as effects, so that a replay sees the same. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

export const sleepSpec: ToolSpec = toolSpec({
  name: 'sleep',
  description:
    'Pauses for so many seconds: what comes before it is done first, what comes behind it starts ' +
    'later. Returns null. The end of the pause is kept with the run, whichever process has it.',
  kind: 'clock',
  effect: 'read',
  ordered: true,
  parameters: {
    type: 'object',
    properties: { seconds: { type: 'number', minimum: 0, description: 'How long.' } },
    required: ['seconds'],
  },
});

export const nowSpec: ToolSpec = toolSpec({
  name: 'now',
  description:
    'The time when all that comes before it is done: a text such as "2026-11-21T15:04:05.678Z" ' +
    '(UTC), or with format "seconds" a number, the seconds since 1970, to compute with.',
  kind: 'clock',
  effect: 'read',
  ordered: true,
  parameters: {
    type: 'object',
    properties: {
      format: { enum: ['iso', 'seconds'], default: 'iso', description: 'How it is given.' },
    },
  },
});

export const datetimeSpec: ToolSpec = toolSpec({
  name: 'datetime',
  description:
    'A date as ISO text (UTC): datetime("now"), datetime("-1 days") (hours, weeks, months, ' +
    'years), datetime("Q2") or "Q2 2025" (the last day of the quarter), or a written date such ' +
    'as "June 5, 2025" or "5 juin 2025". A day is "2025-06-05", a moment has its time. Fails ' +
    'where it is none.',
  kind: 'clock',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { expr: { type: 'string', description: 'The date, in English or French.' } },
    required: ['expr'],
  },
});

export const randomSpec: ToolSpec = toolSpec({
  name: 'random',
  description:
    'A random number from 0 up to 1; with below, a random integer from 0 up to one less than that.',
  kind: 'clock',
  effect: 'read',
  untold: 'tasks',
  parameters: {
    type: 'object',
    properties: { below: { type: 'integer', minimum: 1, description: 'Bound of an integer.' } },
  },
});

export const uuidSpec: ToolSpec = toolSpec({
  name: 'uuid',
  description: 'A new random UUID (version 4), as a text.',
  kind: 'clock',
  effect: 'read',
  untold: 'tasks',
});

export const clockSpecs: readonly ToolSpec[] = [
  sleepSpec,
  nowSpec,
  datetimeSpec,
  randomSpec,
  uuidSpec,
];
