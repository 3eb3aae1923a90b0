/** The effect `due_time`: when a time of days or weeks comes next, by the clocks of a zone. */
import { z } from 'zod';
import { nextMoment, secondsIn, untilIn } from '../../dialects/playbook/grammar/clock.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { zoneNamed } from '../../program/time-zones.ts';
import { dueTimeSpec } from './specs.ts';

const shape = z.object({
  text: z.string().optional(),
  times: z.array(z.int().min(0).max(86_399)).min(1).default([0]),
  days: z.array(z.int().min(0).max(6)).default([]),
  date: z.string().optional(),
  zone: z.string(),
  after: z.number(),
});

export const dueTimeHandler: Handler = {
  spec: dueTimeSpec,
  async perform(args) {
    const read = shape.safeParse(args);
    if (!read.success) throw refusal(`got another form: ${z.prettifyError(read.error)}`);
    const { text, date, zone, after, ...times } = read.data;
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
  new EffectFailure('PV7006', message, {
    hint: 'due_time(times = [32400], days = [1], zone = "Europe/Berlin", after = now(…))',
    mayHaveActed: false,
  });
