/** Values that nobody could find out, where calls are concerned: none goes out with one. */
import type { EffectError } from '../program/effect.ts';
import { questionIn, readBound } from '../program/uncertain.ts';
import { type Struct, settled, type Value } from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';

/** Canonical text of arguments, as it is. Throws PV3042 where it holds an uncertain value. */
export function certain(text: string): string {
  const question = questionIn(text);
  if (question === undefined) return text;
  throw new Fault(
    faults.uncertain,
    `a tool is called with an uncertain value: ${question}`,
    'find the answer first, or look with is_uncertain(x) before the call',
  );
}

/** What the arguments of a call are bound to. Throws PV3043 for what is no result of binding. */
export function boundTo(value: Value): { readonly args: Value } | { readonly uncertain: Struct } {
  const bound = readBound(settled(value));
  if (bound) return bound;
  throw new Fault(
    faults.bindResult,
    'the tool bind_arguments gave neither args nor unresolved',
    'a tool of that name has to give {"args": {…}} or {"unresolved": {…}}',
  );
}

/** Why a call was not made, for what comes after it. */
export const openQuestion = (tool: string, { fields }: Struct): EffectError => ({
  code: faults.uncertain,
  message: `${tool} was not called: ${String(fields.get('question') ?? '')}`,
});
