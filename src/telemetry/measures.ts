/** The metrics of runs. */
import type { Attributes, Meter } from '@opentelemetry/api';
import type { Usage } from '../engine/handler.ts';

export interface Measures {
  /** One call of a model: what it used and how long it took, in seconds. */
  call(attributes: Attributes, usage: Usage | undefined, seconds: number): void;
  /** One effect, from its first start to its end; how long it had waited for a slot. */
  effect(attributes: Attributes, seconds: number, queuedSeconds: number): void;
  run(attributes: Attributes, seconds: number): void;
}

/** Buckets for times of calls, in seconds. */
const seconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/** Buckets for tokens. */
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

export function measuresOf(meter: Meter): Measures {
  const histogram = (name: string, unit: string, description: string, boundaries: number[]) =>
    meter.createHistogram(name, {
      unit,
      description,
      advice: { explicitBucketBoundaries: boundaries },
    });
  const used = histogram('gen_ai.client.token.usage', '{token}', 'Tokens of a call.', tokens);
  const took = histogram('gen_ai.client.operation.duration', 's', 'Time of a call.', seconds);
  const effects = histogram('planvm.effect.duration', 's', 'Time of an effect.', seconds);
  const queues = histogram('planvm.effect.queue', 's', 'Time an effect waited to start.', seconds);
  const runs = histogram('planvm.run.duration', 's', 'Time a process had a run.', seconds);
  const costs = meter.createCounter('planvm.cost', { unit: 'USD', description: 'Price of calls.' });
  return {
    call(attributes, usage, duration) {
      took.record(duration, attributes);
      if (!usage) return;
      used.record(usage.inputTokens, { ...attributes, 'gen_ai.token.type': 'input' });
      used.record(usage.outputTokens, { ...attributes, 'gen_ai.token.type': 'output' });
      if (usage.cost !== undefined) costs.add(usage.cost, attributes);
    },
    effect(attributes, duration, queued) {
      effects.record(duration, attributes);
      queues.record(queued, attributes);
    },
    run: (attributes, duration) => runs.record(duration, attributes),
  };
}
