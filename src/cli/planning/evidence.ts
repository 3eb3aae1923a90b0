/** A call that a run has made, and what came of it, as a model is shown it. */
import type { EffectView } from '../../engine/views/show.ts';
import type { MadeCall } from '../../planner/made-call.ts';
import { shortened } from '../../planner/prompt.ts';
import { stringify } from '../../program/json.ts';

/** Characters of one outcome. */
const outcomeMost = 1500;

export function evidenceOf({ step, name: tool, request, outcome, status }: EffectView): MadeCall {
  const about = { step, tool, request: shortened(stringify(request)) };
  if (outcome === null) return { ...about, outcome: status };
  if ('error' in outcome) {
    return { ...about, outcome: `failed: ${outcome.error.code} ${outcome.error.message}` };
  }
  const { value } = outcome;
  const text = typeof value === 'string' ? value : stringify(value);
  return { ...about, outcome: `gave ${shortened(text, outcomeMost)}` };
}
