/** The effect `due_time`: when a time of days or weeks comes next, by the clocks of a zone. */
import { z } from 'zod';
import { nextMoment, secondsIn, untilIn } from '../../dialects/playbook/grammar/clock.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { toolSpec } from '../../program/effect.ts';
import { zoneNamed } from '../../program/time-zones.ts';
import { parametersOf, readData } from '../loop-data.ts';

const shape = z.object({
  times: z
    .array(z.int().min(0).max(86_399))
    .min(1)
    .default([0])
    .describe('Seconds after midnight.'),
  days: z
    .array(z.int().min(0).max(6))
    .default([])
    .describe('From 0, Sunday, to 6; every day where there are none.'),
  date: z.string().optional().describe('In place of days: 2026-12-24, or tomorrow.'),
  text: z.string().optional().describe('In place of all these: words for a time.'),
  zone: z.string().describe('Such as Europe/Berlin.'),
  after: z.number().describe('The moment.'),
});

const hint = 'due_time(times = [32400], days = [1], zone = "Europe/Berlin", after = now(…))';

export const dueTimeHandler: Handler = {
  spec: toolSpec({
    name: 'due_time',
    description:
      'The first time of day after a moment, by the clocks of a time zone, in seconds since 1970.',
    kind: 'clock',
    effect: 'read',
    parameters: parametersOf(shape),
  }),
  async perform(args) {
    const { text, date, zone, after, ...times } = readData(shape, args, 'times', hint);
    const seconds = secondsIn(text ?? '');
    if (seconds !== undefined) return after + seconds;
    const named = date === undefined ? times : { ...times, date };
    const moments = text === undefined ? named : untilIn(text);
    if (!moments) throw refusal(`got ${JSON.stringify(text)}, want a time`);
    const written = ('zone' in moments ? moments.zone : undefined) ?? zone;
    const name = zoneNamed(written);
    if (name === undefined) throw refusal(`got the time zone ${written}, want an IANA name`);
    return nextMoment(moments, name, after);
  },
};

const refusal = (message: string): EffectFailure =>
  new EffectFailure('PV7006', message, { hint, mayHaveActed: false });
