/** Calls: laying out a frame for a guest function, asking the world for a tool. */
import type { Chunk } from '../program/program.ts';
import { cell, dict, dictSet, type Func, settled, typeName, type Value } from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';
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

/** The locals of a new frame of a guest function. Throws when the arguments do not fit. */
export function bind(chunk: Chunk, func: Func, given: CallArguments): (Value | undefined)[] {
  const { positional, named, defaults } = chunk.parameters;
  const total = positional + named;
  const locals: (Value | undefined)[] = new Array(chunk.locals.length).fill(undefined);
  if (given.positional.length > positional) {
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} accepts at most ${positional} positional arguments ` +
        `(${given.positional.length} given)`,
    );
  }
  given.positional.forEach((value, i) => {
    locals[i] = value;
  });
  for (const [name, value] of given.named) {
    const slot = chunk.locals.indexOf(name);
    if (slot < 0 || slot >= total) {
      throw new Fault(
        faults.callArguments,
        `function ${chunk.name} got an unexpected keyword argument ${JSON.stringify(name)}`,
        `its parameters are ${chunk.locals.slice(0, total).join(', ')}`,
      );
    }
    if (locals[slot] !== undefined) {
      throw new Fault(
        faults.callArguments,
        `function ${chunk.name} got multiple values for parameter ${JSON.stringify(name)}`,
      );
    }
    locals[slot] = value;
  }
  const missing: string[] = [];
  for (let slot = 0; slot < total; slot++) {
    if (locals[slot] !== undefined) continue;
    const value = func.defaults[slot - (total - defaults)];
    if (value === undefined) missing.push(chunk.locals[slot] ?? '?');
    else locals[slot] = value;
  }
  if (missing.length > 0) {
    const count = missing.length === 1 ? '1 argument' : `${missing.length} arguments`;
    throw new Fault(
      faults.callArguments,
      `function ${chunk.name} missing ${count} (${missing.join(', ')})`,
    );
  }
  for (const slot of chunk.cells) locals[slot] = cell(locals[slot]);
  return locals;
}

/** The arguments of a tool by parameter name; positional ones take the order of its schema. */
export function toolArguments(state: State, tool: string, given: CallArguments): Value {
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
