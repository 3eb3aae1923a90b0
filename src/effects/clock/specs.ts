/** Declarations of time and of chance as effects, so that a replay sees the same. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { record, text } from '../tool/fields.ts';

export const sleepSpec: ToolSpec = toolSpec({
  name: 'sleep',
  description: 'Pauses: calls before it finish first, calls after it start later. Returns null.',
  kind: 'clock',
  effect: 'read',
  ordered: true,
  parameters: record({ seconds: { type: 'number', minimum: 0 } }),
});

export const nowSpec: ToolSpec = toolSpec({
  name: 'now',
  description:
    'The time after the calls before it: "2026-11-21T15:04:05.678Z" (UTC), or with format ' +
    '"seconds" the seconds since 1970.',
  kind: 'clock',
  effect: 'read',
  ordered: true,
  parameters: {
    type: 'object',
    properties: {
      format: { enum: ['iso', 'seconds'], default: 'iso' },
    },
  },
});

export const datetimeSpec: ToolSpec = toolSpec({
  name: 'datetime',
  description:
    'A date as ISO text (UTC) of "now", "-1 days" (hours, weeks, months, years), "Q2 2025" (the ' +
    'last day of the quarter), "June 5, 2025" or "5 juin 2025".',
  kind: 'clock',
  effect: 'read',
  parameters: record({ expr: text() }),
});

export const randomSpec: ToolSpec = toolSpec({
  name: 'random',
  description:
    'A random number from 0 up to 1; with below, a random integer from 0 that is less than below.',
  kind: 'clock',
  effect: 'read',
  untold: 'tasks',
  parameters: {
    type: 'object',
    properties: { below: { type: 'integer', minimum: 1 } },
  },
});

export const uuidSpec: ToolSpec = toolSpec({
  name: 'uuid',
  description: 'A new random UUID (version 4).',
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
