/**
 * Code for calls of helpers. What a call leaves open a model finds in the element of a foreach, or
 * in the top of the stack; what it does not find a person is asked. Only then the helper is called,
 * once.
 */
import { type JsonSchema, mandatory, type ToolSpec } from '../../program/effect.ts';
import { fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { typesOf } from '../signature.ts';
import { allows, typeOf } from '../stackvm/schema-check.ts';
import { type Bound, type BoundArgument, bindArguments } from './arguments.ts';
import { literalOf } from './check-helper.ts';
import { at, type Lowering, newLocal, pushFunction, pushTogether, takeTop } from './lowering.ts';
import type { HelperCall, Operand } from './nodes.ts';
import { argumentsAsked } from './questions.ts';
import { askingTool, findingTool, helperIn } from './tools.ts';

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
  const { properties = {} } = spec.parameters;
  const types = Object.hasOwn(properties, name) ? typesOf(properties[name] ?? {}) : undefined;
  const literal = literalOf(value);
  const own = literal && typeOf(literal);
  if (!types || types.length === 0 || (own !== undefined && allows(types, own))) {
    to.make.push(to, value);
    return;
  }
  at(to, value).builtin('conform');
  to.make.push(to, value);
  at(to, value).constant(types.join(' ')).call(2);
}

function pushOpenCall(to: Lowering, call: HelperCall, spec: ToolSpec, bound: Bound): void {
  const { given, open } = bound;
  const { properties = {} } = spec.parameters;
  const found = to.element?.found ?? lowerFinding(to, call, spec, open);
  const args = newLocal(to, 'arguments');
  const chunk = at(to, call);
  pushFunction(to, 'stack_args');
  pushGiven(to, given, spec);
  at(to, call).emit('DICT', given.length).emit('LOCAL', found);
  for (const name of open) chunk.constant(name);
  chunk.emit('LIST', open.length).call(3).emit('SETLOCAL', args);
  const required = mandatory(spec);
  for (const name of open.filter((one) => required.includes(one))) {
    lowerAsking(to, name, properties[name] ?? {}, args, found);
  }
  chunk.tool(spec.name).constant(null).emit('LOCAL', args).emit('SPREAD', 0);
}

/** Asks a person for an argument that was not found. */
function lowerAsking(
  to: Lowering,
  name: string,
  schema: JsonSchema,
  args: number,
  found: number,
): void {
  const { chunk } = to;
  const isThere = chunk.label();
  chunk.constant(name).emit('LOCAL', args).emit('IN').jump('JT', isThere);
  chunk.emit('LOCAL', args).constant(name).tool(askingTool).constant('question');
  pushFunction(to, 'stack_question').emit('LOCAL', found).constant(name).call(2);
  chunk.constant('schema');
  pushData(to, schema);
  chunk.call(0, 2).emit('SETINDEX').place(isThere);
}

/** Pushes plain data. */
function pushData(to: Lowering, data: unknown): void {
  const { chunk } = to;
  if (Array.isArray(data)) {
    for (const item of data) pushData(to, item);
    chunk.emit('LIST', data.length);
  } else if (typeof data === 'object' && data !== null) {
    const entries = Object.entries(data);
    for (const [key, value] of entries) {
      chunk.constant(key);
      pushData(to, value);
    }
    chunk.emit('DICT', entries.length);
  } else chunk.constant(scalarOf(data));
}

const scalarOf = (data: unknown): Value => fromJson(data);

/** What a model finds for the call in the element, or in the top of the stack. */
function lowerFinding(
  to: Lowering,
  call: HelperCall,
  spec: ToolSpec,
  open: readonly string[],
): number {
  const top = takeTop(to);
  const found = newLocal(to, 'found');
  const { prompt, format } = argumentsAsked(call.source, spec, open);
  at(to, call).tool(findingTool).constant('prompt').constant(prompt).constant('context');
  // The element may be an argument of the same call.
  if (to.element) to.chunk.emit('LOCAL', to.element.value);
  else pushTogether(to, top);
  to.chunk.constant('response_format').constant(format).call(0, 3).emit('SETLOCAL', found);
  return found;
}
