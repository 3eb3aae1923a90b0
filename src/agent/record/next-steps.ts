/** What can be done after a run has ended, as data: a face makes commands or buttons of it. */
import type { RunResult } from '../../engine/result.ts';
import type { NextStep } from '../port/events.ts';

export function nextSteps({
  run,
  status,
  reason,
  limit,
  waits = [],
  error,
}: RunResult): NextStep[] {
  const resume: NextStep = { do: 'resume', run };
  switch (status) {
    case 'failed':
      // A tool or a model that failed may work again; a program that is wrong does not.
      return error?.code.startsWith('PV4') ? [resume, { do: 'fork', run }] : [{ do: 'fork', run }];
    case 'cancelled':
      return [resume];
    case 'waiting':
      return waits.length === 0 ? [resume] : waits.map((wait) => ({ do: 'reply', run, wait }));
    case 'suspended':
      if (reason === 'unknown') return [{ do: 'assume', run }];
      if (reason === 'diverged') return [{ do: 'fork', run }];
      return [limit ? { ...resume, needs: limit } : resume];
    case 'done':
    case 'running':
    case 'invalid':
      return [];
  }
}
