/** Cutting an operand stack. */
import type { Value } from '../../program/value.ts';
import { endIteration } from '../values/sequence.ts';

/** Cuts the stack; the iterations that were under way above the cut are over. */
export function unlock(stack: (Value | undefined)[], height: number): void {
  for (const value of stack.splice(height)) {
    if (value !== null && typeof value === 'object' && value.kind === 'iterator') {
      endIteration(value);
    }
  }
}
