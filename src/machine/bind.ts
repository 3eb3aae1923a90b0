/**
 * `llm_bind(expr, "helper(a, b)")`: calls a tool with arguments that a model finds in an
 * expression. Two effects in the order of the program: `bind_arguments`, which gives them or says
 * what is missing, and the call itself, whose arguments are its result. It waits for nothing: the
 * call has its place and its id from here on (B1), and goes out once they are there. Where they
 * cannot be had, no call goes out: its value is `uncertain`, with the question (B2). Whether what
 * is bound is one value shows when it is there (`single`), so that it is the same whenever that is.
 * What binds may want everything before it to be there first (barrier.ts). Compilers may give some
 * of the arguments themselves: these go to the call as they are, past the model.
 */
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { bindingTool, readHelperCall } from '../program/helper-call.ts';
import { fromJson } from '../program/json.ts';
import { parameterName } from '../program/parameter-names.ts';
import { findTool, toolHint } from '../program/tool-names.ts';
import {
  type Dict,
  dict,
  isDict,
  list,
  type Pending,
  tuple,
  typeName,
  type Value,
} from '../program/value.ts';
import {
  aBool,
  anything,
  aString,
  type Check,
  Mismatch,
  parameters,
} from './builtins/arguments.ts';
import type { CallArguments } from './call.ts';
import { siteHere } from './failure.ts';
import type { State } from './state.ts';
import { faults } from './values/code-names.ts';
import { Fault } from './values/fault.ts';
import { need } from './values/pendings.ts';
import { callBefore, issueEffect } from './window/issue.ts';
import { refuseInParallel } from './window/refuse-write.ts';
import { needRoom } from './window/window.ts';

export function bind(state: State, { positional, named }: CallArguments): Value {
  const [expr, ...others] = positional;
  // What is bound may be pending; what says how is needed now.
  const call = {
    name: 'llm_bind',
    args: [expr ?? null, ...others.map(need)].slice(0, positional.length),
    named: new Map(named.map(([name, value]) => [name, name === 'expr' ? value : need(value)])),
    around: { valueBytes: Infinity },
  };
  const given = parameters(call, {
    ...{ expr: anything, helper: aString },
    ...{ 'unbound?': aString, 'source?': aString, 'given?': aDict, 'whole?': aBool },
  });
  const { whole = false } = given;
  const { spec, wanted } = helperOf(state, given.helper);
  if (!state.tools.has(bindingTool)) {
    const message = `this run has no tool ${bindingTool}, which llm_bind needs`;
    throw new Fault(faults.unknownTool, message);
  }
  if (spec.effect === 'write') refuseInParallel(state, spec.name);
  needRoom(state, 'call');
  const args = dict([
    ['expr', given.expr],
    ['helper', spec.name],
    ['about', spec.description],
    ['parameters', fromJson(spec.parameters)],
    ['wanted', list(wanted.filter((name) => !given.given?.index.has(name)))],
    ...optional('unbound', given.unbound),
    ...optional('source', given.source),
    ...(whole ? [['whole', true] satisfies [string, Value]] : []),
  ]);
  const site = siteHere(state);
  const bound: Pending = issueEffect(state, bindingTool, args, site, { barrier: true });
  // A window of one has room for a call, and for what it waits for.
  callBefore(state, spec, site);
  const whence = given.given ? tuple([bound, given.given]) : bound;
  return issueEffect(state, spec.name, whence, site, { roomless: true, bound: true });
}

const aDict: Check<Dict> = (value) => {
  if (isDict(value)) return value;
  throw new Mismatch(`got ${typeName(value)}, want a dict of arguments`);
};

const optional = (name: string, value: string | undefined): [string, Value][] =>
  value === undefined ? [] : [[name, value]];

function helperOf(
  state: State,
  text: string,
): { readonly spec: ToolSpec; readonly wanted: readonly string[] } {
  const helper = readHelperCall(text);
  if (!helper) {
    throw new Fault(
      faults.bindHelper,
      `llm_bind: got the helper ${JSON.stringify(text)}, want a tool with its parameters`,
      'write it as a text: llm_bind(x, "get_profile(first_name, last_name)")',
    );
  }
  const spec = findTool(state.tools, helper.name);
  if (!spec) {
    const hint = toolHint(state.tools, helper.name);
    const message = `llm_bind: this run has no tool ${helper.name}`;
    throw new Fault(faults.unknownTool, message, hint);
  }
  const known = Object.keys(spec.parameters.properties ?? {});
  const named = helper.wanted.map((name) => parameterName(spec.parameters, name));
  const unknown = named.find((name) => known.length > 0 && !known.includes(name));
  if (unknown !== undefined) {
    const message = `llm_bind: the tool ${spec.name} has no parameter ${unknown}`;
    throw new Fault(faults.callArguments, message, `its parameters are ${known.join(', ')}`);
  }
  const all = [...mandatory(spec), ...(spec.requires ?? []), ...named];
  return { spec, wanted: [...new Set(all)] };
}
