/**
 * A model as planning asks it: a call that fails is tried again, and has a time, by the same rules
 * and limits as the effects of a run.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Model } from '../effects/model/model.ts';
import { EffectFailure } from '../engine/handler.ts';
import { asFailure, judge, waitMs } from '../engine/retry.ts';
import type { Limits } from '../program/limits.ts';

/** Throws the last attempt's `EffectFailure`, or the reason of the caller's own signal. */
export function patientModel(
  model: Model,
  { attempts, timeoutMs }: Pick<Limits, 'attempts' | 'timeoutMs'>,
): Model {
  return {
    name: model.name,
    async complete(request, context) {
      for (let attempt = 1; ; attempt++) {
        const timer = timeoutMs === Infinity ? undefined : AbortSignal.timeout(timeoutMs);
        const signal = timer ? AbortSignal.any([context.signal, timer]) : context.signal;
        try {
          return await model.complete(request, { ...context, signal });
        } catch (thrown) {
          context.signal.throwIfAborted();
          const failure = timer?.aborted ? late(model, timeoutMs) : asFailure(thrown, model.name);
          const verdict = judge(failure, { idempotent: true }, attempts - attempt);
          if (verdict !== 'retry') throw failure;
          const ms = waitMs(attempt, failure, Math.random);
          context.warn(`attempt ${attempt} failed (${failure.message}), again in ${ms} ms`);
          await after(ms, undefined, { signal: context.signal });
        }
      }
    },
  };
}

const late = ({ name }: Model, timeoutMs: number): EffectFailure =>
  new EffectFailure('PV4005', `${name} gave no answer within ${timeoutMs} ms`, {
    retryable: true,
    hint: 'raise --timeout',
  });
