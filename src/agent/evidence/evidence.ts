/** A call that a run has made, and what came of it, as a model is shown it. */
import type { EffectView } from '../../engine/views/show.ts';
import type { MadeCall } from '../../planner/made-call.ts';
import { shortened } from '../../planner/prompt.ts';
import { stringify } from '../../program/json.ts';

/** Characters of one outcome. */
const outcomeMost = 1500;

export function evidenceOf(view: EffectView): MadeCall {
  const { step, name: tool, class: effect, request, outcome, status } = view;
  const about = { step, tool, request: shortened(stringify(request)) };
  if (outcome === null) return { ...about, outcome: status };
  if ('error' in outcome) {
    const { code, message } = outcome.error;
    // Who makes such a call again, as it is or in other words, may do it twice.
    const doubt = effect === 'write' ? ' (it may have acted before it failed)' : '';
    return { ...about, outcome: `failed: ${code} ${message}${doubt}` };
  }
  const { value } = outcome;
  const text = typeof value === 'string' ? value : stringify(value);
  return { ...about, outcome: `gave ${shortened(text, outcomeMost)}` };
}
