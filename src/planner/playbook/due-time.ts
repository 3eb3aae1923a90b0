/** The effect `due_time`: when a time of days or weeks comes next, by the clocks of a zone. */
import { z } from 'zod';
import { nextMoment } from '../../dialects/playbook/text/moments.ts';
import { zoneNamed } from '../../dialects/playbook/text/zones.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { dueTimeSpec } from './specs.ts';

const shape = z.object({
  times: z.array(z.int().min(0).max(86_399)).min(1),
  days: z.array(z.int().min(0).max(6)),
  zone: z.string(),
  after: z.number(),
});

export const dueTimeHandler: Handler = {
  spec: dueTimeSpec,
  async perform(args) {
    const read = shape.safeParse(args);
    if (!read.success) throw refusal(`got another form: ${z.prettifyError(read.error)}`);
    const { times, days, zone, after } = read.data;
    const name = zoneNamed(zone);
    if (name === undefined) throw refusal(`got the time zone ${zone}, want an IANA name`);
    return nextMoment({ times, days }, name, after);
  },
};

const refusal = (message: string): EffectFailure =>
  new EffectFailure('PV7006', message, {
    hint: 'due_time(times = [32400], days = [1], zone = "Europe/Berlin", after = now(…))',
    mayHaveActed: false,
  });
