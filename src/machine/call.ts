/** Calls: laying out a frame for a guest function, asking the world for a tool. */
import { counted } from '../program/counted.ts';
import { nearest } from '../program/diagnostic.ts';
import { parameterName } from '../program/parameter-names.ts';
import type { Chunk } from '../program/program.ts';
import {
  cell,
  type Dict,
  dict,
  dictEntries,
  dictSet,
  type Func,
  isMandatory,
  settled,
  tuple,
  typeName,
  type Value,
} from '../program/value.ts';
import type { Code } from './code.ts';
import type { State } from './state.ts';
import { faults } from './values/code-names.ts';
import { Fault } from './values/fault.ts';
import { need } from './values/pendings.ts';
import { room } from './values/room.ts';
import { endIteration, lengthOf, nextItem, tryIterate } from './values/sequence.ts';
import type { Surroundings } from './values/surroundings.ts';

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
