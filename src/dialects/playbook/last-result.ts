/** `$_`: what the last call of a playbook returned. It is of the call, though it has a dollar. */
import type { Step } from './compiled.ts';
import { flatSteps } from './graph.ts';

export const lastResult = '$_';

/** Whether some step reads it: for others it is not kept. */
export const readsLast = (steps: readonly Step[]): boolean =>
  flatSteps(steps).some(({ reads }) => reads.includes(lastResult));
