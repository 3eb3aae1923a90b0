/** The effect `due_time`: when a time of days or weeks comes next, by the clocks of a zone. */
import { z } from 'zod';
import { type Moments, nextMoment, untilIn } from '../../dialects/playbook/text/moments.ts';
import { spanIn } from '../../dialects/playbook/text/spans.ts';
import { zoneNamed } from '../../dialects/playbook/text/zones.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
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
    const { text, times, days, date, zone, after } = read.data;
    const seconds = spanIn(text ?? '');
    if (seconds !== undefined) return after + seconds;
    const own: Moments = { times, days, ...(date !== undefined && { date }) };
    const moments = text === undefined ? own : untilIn(text);
    if (!moments) throw refusal(`got ${JSON.stringify(text)}, want a time`);
    const written = moments.zone ?? zone;
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
