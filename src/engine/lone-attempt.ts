/**
 * An attempt outside any run: a call by hand, or a question to a service that no program has asked.
 * Nothing of it is kept, nobody can be asked, and no program can be run within it.
 */
import { limits } from '../program/limits.ts';
import { type AttemptContext, EffectFailure } from './handler.ts';

type Given = Pick<AttemptContext, 'signal' | 'timeoutMs'> & Partial<AttemptContext>;

export const loneAttempt = (given: Given): AttemptContext => ({
  ...{ idempotencyKey: '', attempt: 1, run: '', effect: '0#0', step: '', barrier: false },
  queuedAt: Date.now(),
  earlier: [],
  limits: limits(),
  use: () => {},
  progress: () => {},
  part: () => {},
  warn: () => {},
  finish: () => {},
  source: () => {},
  extend: () => {},
  inner: ({ title }) => Promise.reject(runNeeded(title)),
  about: () => ({ goal: '', program: '', names: () => [], within: () => [] }),
  ...given,
});

const runNeeded = (title: string): EffectFailure =>
  new EffectFailure('PV4026', `${title} is done by a program of its own, within a run`, {
    ...{ answered: true, mayHaveActed: false },
    hint: 'call it in a program that is run',
  });
