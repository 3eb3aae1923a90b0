/** Calls: laying out a frame for a guest function, asking the world for a tool, binding for one. */
import { counted, nearest } from '../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { fromJson } from '../program/json.ts';
import type { Chunk } from '../program/program.ts';
import {
  bindingTool,
  findTool,
  parameterName,
  readHelperCall,
  toolHint,
} from '../program/tool-names.ts';
import {
  cell,
  type Dict,
  dict,
  dictEntries,
  dictSet,
  type Func,
  isDict,
  isMandatory,
  list,
  type Pending,
  settled,
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
import type { Code } from './code.ts';
import { siteHere } from './failure.ts';
import type { IssueOptions, IssueSite, State } from './state.ts';
import { Fault, faults } from './values/fault.ts';
import { copyAround, need, pendingsIn, room } from './values/pendings.ts';
import { endIteration, lengthOf, nextItem, tryIterate } from './values/sequence.ts';
import type { Surroundings } from './values/surroundings.ts';
import { isVoid, voidFault } from './window/call-off.ts';
import { callBefore, issueEffect, refuseInParallel } from './window/issue.ts';
import { missingBefore, questionsFor } from './window/prerequisites.ts';
import { needRoom } from './window/window.ts';

/** Arguments of one call as they lie on the stack: positional values, then name-value pairs. */
export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: readonly (readonly [string, Value])[];
}

/** Reads the `packed` arguments that end at the top of the stack. */
export function argumentsAt(stack: State['stack'], top: number, packed: number): CallArguments {
  const named = packed >> 8;
  const first = top - 2 * named - (packed & 255);
  // A list that is pushed to begins with room for seventeen.
  const positional = stack.slice(first, first + (packed & 255)) as Value[];
  const pairs: [string, Value][] = [];
  for (let at = top - 2 * named; at < top; at += 2) {
    pairs.push([String(stack[at]), stack[at + 1] as Value]);
  }
  return { positional, named: pairs };
}

/** The same with the items of an iterable and of a dict behind them; None stands for neither. */
export function spread(
  given: CallArguments,
  args: Value,
  kwargs: Value,
  around: Surroundings,
): CallArguments {
  const positional = [...given.positional];
  const more = need(args);
  if (more !== null) {
    const iterator = tryIterate(more);
    if (!iterator) {
      throw new Fault(
        faults.callArguments,
        `argument after * must be iterable, not ${typeName(more)}`,
      );
    }
    room(positional.length + (lengthOf(iterator.over) ?? 0), around);
    for (let item = nextItem(iterator); item !== undefined; item = nextItem(iterator)) {
      positional.push(item);
    }
    endIteration(iterator);
  }
  const named = [...given.named];
  const pairs = need(kwargs);
  if (pairs === null) return { positional, named };
  if (typeof pairs !== 'object' || pairs.kind !== 'dict') {
    throw new Fault(
      faults.callArguments,
      `argument after ** must be a mapping, not ${typeName(pairs)}`,
    );
  }
  room(pairs.index.size, around);
  for (const [key, value] of dictEntries(pairs)) {
    if (typeof key !== 'string') {
      throw new Fault(faults.callArguments, `keywords must be strings, not ${typeName(key)}`);
    }
    named.push([key, value]);
  }
  return { positional, named };
}

/** Where the arguments of a call lie: `positional` values from `first` on, then the named pairs. */
export interface Laid {
  readonly first: number;
  readonly positional: number;
  readonly named: number;
}

/**
 * Puts the locals of a guest function where its frame begins, over the arguments, which are the
 * topmost values. Works them out above the arguments first, so that a call that does not fit has
 * changed nothing. Throws PV3007 when the arguments do not fit.
 */
export function layLocals(
  stack: State['stack'],
  code: Code,
  func: Func,
  base: number,
  at: Laid,
): void {
  const { chunk, locals, parameters } = code;
  const { positional, rest, keywords } = chunk.parameters;
  const pairs = at.first + at.positional;
  const top = pairs + 2 * at.named;
  if (at.positional > positional && !rest) throw tooMany(chunk, at.positional);
  const taken = Math.min(at.positional, positional);
  for (let i = 0; i < locals; i++) stack[top + i] = i < taken ? stack[at.first + i] : undefined;
  if (rest) {
    stack[top + parameters] = tuple(stack.slice(at.first + taken, pairs) as Value[]);
  }
  const others = keywords ? dict() : undefined;
  for (let pair = pairs; pair < top; pair += 2) {
    bindNamed(stack, code, top, others, String(stack[pair]), stack[pair + 1] as Value);
  }
  if (others) stack[top + parameters + (rest ? 1 : 0)] = others;
  bindDefaults(stack, code, func, top);
  for (const slot of chunk.cells) stack[top + slot] = cell(stack[top + slot]);
  for (let i = 0; i < locals; i++) stack[base + i] = stack[top + i];
}

function tooMany(chunk: Chunk, given: number): Fault {
  const { positional, named, defaults, keywords } = chunk.parameters;
  const most = defaults > named ? 'at most ' : '';
  const noun = counted(positional, 'positional argument');
  const none = positional + named === 0 && !keywords;
  const text = none ? 'no arguments' : `${most}${noun}`;
  return new Fault(faults.callArguments, `function ${chunk.name} accepts ${text} (${given} given)`);
}

function bindNamed(
  stack: State['stack'],
  { chunk, parameters }: Code,
  base: number,
  others: Dict | undefined,
  name: string,
  value: Value,
): void {
  let slot = 0;
  while (slot < parameters && chunk.locals[slot] !== name) slot++;
  const known = slot < parameters;
  if (known ? stack[base + slot] !== undefined : others?.index.has(name)) {
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} got multiple values for parameter ${JSON.stringify(name)}`,
    );
  }
  if (known) stack[base + slot] = value;
  else if (others) dictSet(others, name, value);
  else {
    const names = chunk.locals.slice(0, parameters);
    const near = nearest(name, names);
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} got an unexpected keyword argument ${JSON.stringify(name)}` +
        (near === undefined ? '' : ` (did you mean ${near}?)`),
      `its parameters are ${names.join(', ')}`,
    );
  }
}

function bindDefaults(stack: State['stack'], code: Code, func: Func, base: number): void {
  const { chunk, parameters } = code;
  const first = parameters - chunk.parameters.defaults;
  let missing: string[] | undefined;
  for (let slot = 0; slot < parameters; slot++) {
    if (stack[base + slot] !== undefined) continue;
    const value = slot < first ? undefined : func.defaults[slot - first];
    if (value !== undefined && !isMandatory(value)) stack[base + slot] = value;
    else {
      missing ??= [];
      missing.push(chunk.locals[slot] ?? '?');
    }
  }
  if (missing === undefined) return;
  const count = counted(missing.length, 'argument');
  throw new Fault(
    faults.callArguments,
    `function ${chunk.name} missing ${count} (${missing.join(', ')})`,
  );
}

/** The arguments of a tool by parameter name; positional ones take the order of its schema. */
export function toolArguments(state: State, tool: string, given: CallArguments): Dict {
  const args = dict();
  if (given.positional.length > 0) takePositional(state, tool, args, given.positional);
  for (const [name, value] of given.named) setOnce(state, tool, args, name, value);
  return args;
}

/** The same of `count` named ones alone, which end at `top` of the stack. */
export function namedArguments(state: State, top: number, count: number, tool: string): Dict {
  const { stack } = state;
  const args = dict();
  for (let at = top - 2 * count; at < top; at += 2) {
    setOnce(state, tool, args, String(stack[at]), stack[at + 1] as Value);
  }
  return args;
}

function takePositional(state: State, tool: string, args: Dict, given: readonly Value[]): void {
  const names = Object.keys(state.tools.get(tool)?.parameters.properties ?? {});
  given.forEach((value, i) => {
    const name = names[i];
    if (name === undefined) {
      throw new Fault(
        faults.callArguments,
        `tool ${tool} accepts at most ${names.length} positional arguments ` +
          `(${given.length} given)`,
      );
    }
    dictSet(args, name, value);
  });
}

function setOnce(state: State, tool: string, args: Dict, written: string, value: Value): void {
  const parameters = state.tools.get(tool)?.parameters;
  const name = parameters ? parameterName(parameters, written) : written;
  if (args.index.has(name)) {
    throw new Fault(
      faults.callArguments,
      `tool ${tool} got multiple values for parameter ${JSON.stringify(name)}`,
    );
  }
  dictSet(args, name, value);
}

export const notCallable = (value: Value): Fault =>
  new Fault(faults.notCallable, `invalid call of non-function (${typeName(settled(value))})`);

// A call of a tool. What it leaves out of what the tool asks a person for (`ToolSpec.requires`) is
// asked first: each question is an effect of its own, journaled and answered as those of programs,
// and its pending answer becomes an argument of the call, which so waits for it.

/** Gives the pending result. Waits while the window is full, with nothing asked. */
export function callTool(
  state: State,
  tool: string,
  args: Dict,
  site: IssueSite,
  options: IssueOptions = {},
): Pending {
  const spec = state.tools.get(tool);
  const questions = questionsFor(spec, args, state.tools);
  if (!spec || (questions.length === 0 && missingBefore(state, spec).length === 0)) {
    return issueEffect(state, tool, args, site, options);
  }
  checkCall(state, spec, args);
  callBefore(state, spec, site);
  // The questions take no room of their own: a window of one has room for a call, and so for what
  // that call waits for.
  const whole = questions.length === 0 ? args : dict(dictEntries(args));
  for (const { parameter, tool: asker, args: question } of questions) {
    dictSet(whole, parameter, issueEffect(state, asker, question, site, { roomless: true }));
  }
  return issueEffect(state, tool, whole, site, { ...options, roomless: true });
}

/** What can go wrong with a call goes wrong before anything that is made for it. */
function checkCall(state: State, spec: ToolSpec, args: Dict): void {
  if (spec.effect === 'write') refuseInParallel(state, spec.name);
  for (const pending of pendingsIn([args])) if (isVoid(state, pending)) throw voidFault();
  copyAround(args);
  needRoom(state, 'call');
}

/**
 * `llm_bind(expr, "helper(a, b)")`: calls a tool with arguments that a model finds in an
 * expression. Two effects in the order of the program: `bind_arguments`, which gives them or says
 * what is missing, and the call itself, whose arguments are its result. It waits for nothing: the
 * call has its place and its id from here on (B1), and goes out once they are there. Where they
 * cannot be had, no call goes out: its value is `uncertain`, with the question (B2). Whether what
 * is bound is one value shows when it is there (`single`), so that it is the same whenever that is.
 * What binds may want everything before it to be there first (window/issue.ts). Compilers may give
 * some of the arguments themselves: these go to the call as they are, past the model.
 */
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
