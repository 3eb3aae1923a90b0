/** What binding comes to, where calls are concerned: none goes out with what nobody found out. */
import type { EffectError } from '../../program/effect.ts';
import { bindingTool } from '../../program/tool-names.ts';
import { questionIn, readBound } from '../../program/uncertain.ts';
import {
  type Dict,
  dict,
  dictEntries,
  dictGet,
  isDict,
  type Struct,
  settled,
  type Value,
} from '../../program/value.ts';
import { Fault, faults } from './fault.ts';

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

/**
 * Arguments of a call, as they are. Throws PV3041 where they ask for arguments to be found in a
 * list: one value is bound at a time, unless the list is said to be one.
 */
export function single(tool: string, args: Value): Value {
  if (tool !== bindingTool) return args;
  const given = settled(args);
  if (!isDict(given)) return args;
  const expr = settled(dictGet(given, 'expr') ?? null);
  const isList = typeof expr === 'object' && expr?.kind === 'list';
  if (!isList || dictGet(given, 'whole') === true) return args;
  throw new Fault(
    faults.bindList,
    `llm_bind: got a list of ${expr.items.length}, want one value`,
    'bind each: for x in xs: ys.append(llm_bind(x, "helper(…)"))',
  );
}

/**
 * What the arguments of a call are bound to: by the result of binding, or by a tuple of it and the
 * arguments that the program gives itself, which stand. Throws PV3043 for what is no such result.
 */
export function boundTo(value: Value): { readonly args: Value } | { readonly uncertain: Struct } {
  const seen = settled(value);
  const isPair = typeof seen === 'object' && seen?.kind === 'tuple';
  const [result = null, given = null] = isPair ? seen.items : [seen];
  const bound = readBound(settled(result));
  if (bound) return 'args' in bound ? { args: joined(given, bound.args) } : bound;
  throw new Fault(
    faults.bindResult,
    'the tool bind_arguments gave neither args nor unresolved',
    'a tool of that name has to give {"args": {…}} or {"unresolved": {…}}',
  );
}

/** Those that are given, and those that were found of the others. */
function joined(given: Value, found: Value): Value {
  const own = settled(given);
  if (!isDict(own)) return found;
  if (!isDict(found)) return own;
  return dict([...dictEntries(own), ...unlike(found, own)]);
}

const unlike = (found: Dict, own: Dict): (readonly [Value, Value])[] =>
  [...dictEntries(found)].filter(([name]) => dictGet(own, name) === undefined);

/** Why a call was not made, for what comes after it. */
export const openQuestion = (tool: string, { fields }: Struct): EffectError => ({
  code: faults.uncertain,
  message: `${tool} was not called: ${String(fields.get('question') ?? '')}`,
});
