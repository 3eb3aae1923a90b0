/** Calls: laying out a frame for a guest function, asking the world for a tool. */

import { nearest } from '../program/diagnostic.ts';
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
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
import { need } from './pendings.ts';
import { endIteration, nextItem, tryIterate } from './sequence.ts';
import type { State } from './state.ts';

/** Arguments of one call as they lie on the stack: positional values, then name-value pairs. */
export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: readonly (readonly [string, Value])[];
}

/** Reads the `packed` arguments that end at the top of the stack. */
export function argumentsAt(stack: State['stack'], top: number, packed: number): CallArguments {
  const named = packed >> 8;
  const first = top - 2 * named - (packed & 255);
  const positional: Value[] = [];
  for (let i = 0; i < (packed & 255); i++) positional.push(stack[first + i] as Value);
  const pairs: [string, Value][] = [];
  for (let at = top - 2 * named; at < top; at += 2) {
    pairs.push([String(stack[at]), stack[at + 1] as Value]);
  }
  return { positional, named: pairs };
}

/** The same with the items of an iterable and of a dict behind them; None stands for neither. */
export function spread(given: CallArguments, args: Value, kwargs: Value): CallArguments {
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
  for (const [key, value] of dictEntries(pairs)) {
    if (typeof key !== 'string') {
      throw new Fault(faults.callArguments, `keywords must be strings, not ${typeName(key)}`);
    }
    named.push([key, value]);
  }
  return { positional, named };
}

/** The locals of a new frame of a guest function. Throws when the arguments do not fit. */
export function bind(chunk: Chunk, func: Func, given: CallArguments): (Value | undefined)[] {
  const { positional, named, rest, keywords } = chunk.parameters;
  const total = positional + named;
  const locals: (Value | undefined)[] = new Array(chunk.locals.length).fill(undefined);
  if (given.positional.length > positional && !rest) throw tooMany(chunk, given.positional.length);
  const taken = Math.min(given.positional.length, positional);
  for (let i = 0; i < taken; i++) locals[i] = given.positional[i];
  if (rest) locals[total] = tuple(given.positional.slice(taken));
  const others = keywords ? dict() : undefined;
  for (const [name, value] of given.named) bindNamed(chunk, locals, others, name, value);
  if (others) locals[total + (rest ? 1 : 0)] = others;
  bindDefaults(chunk, func, locals);
  for (const slot of chunk.cells) locals[slot] = cell(locals[slot]);
  return locals;
}

function tooMany(chunk: Chunk, given: number): Fault {
  const { positional, named, defaults } = chunk.parameters;
  const most = defaults > named ? 'at most ' : '';
  const noun = `${positional} positional argument${positional === 1 ? '' : 's'}`;
  const text = positional + named === 0 ? 'no arguments' : `${most}${noun}`;
  return new Fault(faults.callArguments, `function ${chunk.name} accepts ${text} (${given} given)`);
}

function bindNamed(
  chunk: Chunk,
  locals: (Value | undefined)[],
  others: Dict | undefined,
  name: string,
  value: Value,
): void {
  const total = chunk.parameters.positional + chunk.parameters.named;
  const slot = chunk.locals.indexOf(name);
  const known = slot >= 0 && slot < total;
  if (known ? locals[slot] !== undefined : others?.index.has(name)) {
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} got multiple values for parameter ${JSON.stringify(name)}`,
    );
  }
  if (known) locals[slot] = value;
  else if (others) dictSet(others, name, value);
  else {
    const near = nearest(name, chunk.locals.slice(0, total));
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} got an unexpected keyword argument ${JSON.stringify(name)}` +
        (near === undefined ? '' : ` (did you mean ${near}?)`),
      `its parameters are ${chunk.locals.slice(0, total).join(', ')}`,
    );
  }
}

function bindDefaults(chunk: Chunk, func: Func, locals: (Value | undefined)[]): void {
  const { positional, named, defaults } = chunk.parameters;
  const total = positional + named;
  const missing: string[] = [];
  for (let slot = 0; slot < total; slot++) {
    if (locals[slot] !== undefined) continue;
    const value = func.defaults[slot - (total - defaults)];
    if (value === undefined || isMandatory(value)) missing.push(chunk.locals[slot] ?? '?');
    else locals[slot] = value;
  }
  if (missing.length === 0) return;
  const count = missing.length === 1 ? '1 argument' : `${missing.length} arguments`;
  throw new Fault(
    faults.callArguments,
    `function ${chunk.name} missing ${count} (${missing.join(', ')})`,
  );
}

/** The arguments of a tool by parameter name; positional ones take the order of its schema. */
export function toolArguments(state: State, tool: string, given: CallArguments): Dict {
  const names = Object.keys(state.tools.get(tool)?.parameters.properties ?? {});
  const args = dict();
  given.positional.forEach((value, i) => {
    const name = names[i];
    if (name === undefined) {
      throw new Fault(
        faults.callArguments,
        `tool ${tool} accepts at most ${names.length} positional arguments ` +
          `(${given.positional.length} given)`,
      );
    }
    dictSet(args, name, value);
  });
  for (const [name, value] of given.named) {
    if (args.index.has(name)) {
      throw new Fault(
        faults.callArguments,
        `tool ${tool} got multiple values for parameter ${JSON.stringify(name)}`,
      );
    }
    dictSet(args, name, value);
  }
  return args;
}

export const notCallable = (value: Value): Fault =>
  new Fault(faults.notCallable, `invalid call of non-function (${typeName(settled(value))})`);
