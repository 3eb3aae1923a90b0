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

export const randomSpec: ToolSpec = toolSpec({
  name: 'random',
  description:
    'A random number from 0 up to 1; with below, a random integer from 0 up to one less than that.',
  kind: 'clock',
  effect: 'read',
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
});

export const clockSpecs: readonly ToolSpec[] = [sleepSpec, nowSpec, randomSpec, uuidSpec];
