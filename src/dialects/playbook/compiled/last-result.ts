/** `$_`: what the last call of a playbook returned. It is of the call, though it has a dollar. */
import { stateNames } from '../text/variables.ts';
import type { CompiledPlaybook } from './compiled.ts';
import { flatSteps } from './graph.ts';

export const lastResult = '$_';

/** What models may leave as a summary of what they have played: a note of the run, no variable. */
export const summaryName = '$__';

/** Whether a step reads it, or, where there are none, the description: else it is not kept. */
export const readsLast = ({
  description,
  mode,
  steps,
}: Pick<CompiledPlaybook, 'description' | 'mode' | 'steps'>): boolean =>
  mode === 'react'
    ? stateNames(description).includes(lastResult)
    : flatSteps(steps).some(({ reads }) => reads.includes(lastResult));
