/**
 * Expressions that a model writes to see more of a value before it repairs a program: evaluated by
 * the machine on the state in which the run ended, with all outcomes that had arrived.
 */

import { inspectArrived } from '../../engine/past/arrived.ts';
import { stateAt } from '../../engine/past/time.ts';
import { preview } from '../../engine/views/preview.ts';
import type { Look } from '../../planner/look.ts';
import { load } from '../record/load.ts';
import { Expression } from '../travel/expression.ts';
import type { RunPlace } from './revision-of.ts';

/** Characters of a value that one look shows. */
const shownMost = 4000;

export function lookAt({ journal, run }: RunPlace): Look {
  let inspection: ReturnType<typeof inspectArrived> | undefined;
  return (expression) => {
    inspection ??= inspectArrived(stateAt({ journal, run, load, at: 'end' }));
    const found = new Expression(expression).evaluate(inspection);
    if (!found.ok) return `cannot be evaluated: ${found.why}`;
    return preview(found.value, { program: found.program, pendings: new Map() }, shownMost);
  };
}
