/**
 * Code for calls of helpers. What a call leaves open is bound as `llm_bind` does it: found by a
 * model in the element of a foreach, or in the top of the stack, and else asked of a person.
 */
import { mandatory, type ToolSpec } from '../../program/effect.ts';
import { typesToFit } from '../stackvm/check.ts';
import { type Bound, type BoundArgument, bindArguments } from './arguments.ts';
import { literalOf } from './check-helper.ts';
import {
  at,
  type Entry,
  type Lowering,
  pushEntrySource,
  pushTogether,
  takeTop,
} from './lowering.ts';
import type { HelperCall, Operand } from './nodes.ts';
import { helperIn } from './tools.ts';

export function pushHelperCall(to: Lowering, call: HelperCall): void {
  const spec = helperIn(to.environment, call.name);
  if (!spec) throw new TypeError(`there is no helper ${call.name}`);
  const bound = bindArguments(call, spec, to.element !== undefined);
  if (bound.open.length > 0) {
    pushOpenCall(to, call, spec, bound);
    return;
  }
  at(to, call).tool(spec.name);
  pushGiven(to, bound.given, spec);
  at(to, call).call(0, bound.given.length);
}

function pushGiven(to: Lowering, given: readonly BoundArgument[], spec: ToolSpec): void {
  for (const { name, value } of given) {
    at(to, value).constant(name);
    pushArgument(to, name, value, spec);
  }
}

/** What a model or a helper gave may be what the parameter wants but for its notation. */
function pushArgument(to: Lowering, name: string, value: Operand, spec: ToolSpec): void {
  const types = typesToFit(name, literalOf(value), spec);
  if (types.length === 0) {
    to.make.push(to, value);
    return;
  }
  at(to, value).builtin('conform');
  to.make.push(to, value);
  at(to, value).constant(types.join(' ')).call(2);
}

/** A model finds what is open; the call has its place, and waits for that on its own. */
function pushOpenCall(to: Lowering, call: HelperCall, spec: ToolSpec, bound: Bound): void {
  const { given, open } = bound;
  const required = mandatory(spec);
  const others = open.filter((name) => !required.includes(name));
  const chunk = at(to, call).builtin('llm_bind').constant('helper');
  chunk.constant(`${spec.name}(${others.join(', ')})`).constant('given');
  pushGiven(to, given, spec);
  at(to, call).emit('DICT', given.length).constant('expr');
  // What is given is taken first; the element may be among that.
  const top = takeTop(to);
  if (to.element) chunk.emit('LOCAL', to.element.value);
  else pushTogether(to, top);
  chunk.constant('source');
  pushSource(to, top);
  chunk.constant('whole').constant(true).call(0, 5);
}

/** Where the element or the top of the stack came from. */
function pushSource(to: Lowering, [top]: readonly Entry[]): void {
  if (to.element) to.chunk.emit('LOCAL', to.element.source);
  else if (top?.kind === 'one') pushEntrySource(to, top);
  else to.chunk.constant('');
}
