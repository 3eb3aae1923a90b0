/**
 * What a host adds to one evaluation: its functions and types of objects, each under a name of its
 * own, which values carry instead of the functions themselves. A number before a colon keeps apart
 * what the host calls alike; programs do not see it.
 */
import type { BuiltinSpec } from '../machine/builtins/builtin.ts';
import type { HostLibrary } from '../machine/machine.ts';
import { Fault } from '../machine/values/fault.ts';
import type { Surroundings } from '../machine/values/surroundings.ts';
import type { Program } from '../program/program.ts';
import { builtin, type ObjectType, type Value } from '../program/value.ts';
import {
  defaultAround,
  type HostCall,
  type HostValue,
  toGuest,
  toHost,
  type ValueRegistry,
} from './host-value.ts';
import { type Home, Linker } from './link.ts';

/** Sets names apart, also those of evaluations whose functions meet in one program. */
let registries = 0;

export class Registry implements HostLibrary, ValueRegistry {
  readonly #id = ++registries;
  readonly #functions = new Map<string, BuiltinSpec>();
  readonly functions: HostLibrary['functions'] = {
    get: (name) => this.#find(name),
    has: (name) => this.#find(name) !== undefined,
  };
  readonly types: Map<string, ObjectType> = new Map();
  /** Whether the library keeps to the specification. */
  readonly strict: boolean;
  readonly #made = new Map<object, Value>();
  #names: (chunk: number) => string | undefined = () => undefined;
  /** The evaluation, once it is over. */
  #home: Home | undefined;
  /** What others come in with, while the program is being put together. */
  #linker: Linker | undefined;
  readonly #linked = new Map<Registry, (value: Value) => Value>();

  constructor(strict: boolean) {
    this.strict = strict;
  }

  /** Puts together the program: values that `prepare` takes in may bring code along. */
  link(program: Program, inputs: Map<string, Value>, prepare: () => void): Program {
    const linker = new Linker(program, inputs);
    this.#linker = linker;
    prepare();
    this.#linker = undefined;
    const whole = linker.program();
    this.#names = (chunk) => whole.chunks[chunk]?.name;
    return whole;
  }

  /** The evaluation is over: others may take in its values. */
  close(home: Home): void {
    this.#home = home;
  }

  around(): Surroundings {
    const names = this.#names;
    return { ...defaultAround, functionName: (chunk) => names(chunk) };
  }

  /** A value of another evaluation that holds functions. Throws `TypeError` once this one runs. */
  adopt(value: Value, from: Registry): Value {
    const known = this.#linked.get(from);
    if (known) return known(value);
    if (!this.#linker || !from.#home) {
      throw new TypeError(
        'a function of another evaluation comes in before this one runs, or not at all: ' +
          'give it as predeclared or to load',
      );
    }
    const copy = this.#linker.add(from.#home);
    this.#linked.set(from, copy);
    return copy(value);
  }

  #find(name: string): BuiltinSpec | undefined {
    const own = this.#functions.get(name);
    if (own) return own;
    for (const from of this.#linked.keys()) {
      const found = from.functions.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** The same value whenever the host gives the same thing. */
  made(given: HostValue): Value {
    return this.#once(given, () => given.make(this));
  }

  /** A function on data: arguments come by position, as data where they are data. */
  plainFunction(run: (...args: unknown[]) => unknown): Value {
    return this.#once(run, () =>
      this.define(run.name, (args, named) => {
        if (named.size > 0) throw new Error(`${run.name}: unexpected keyword arguments`);
        return run(...args.map((arg) => toHost(arg, this)));
      }),
    );
  }

  /** A function of the host under a name of its own. What it throws is an error of the guest. */
  define(name: string, call: HostCall): Value {
    const own = `${this.#id}.${this.#functions.size}:${name}`;
    this.#functions.set(own, {
      name,
      lifts: false,
      mutates: true,
      stores: false,
      call: (args, named) => guarded(() => toGuest(call(args, named), this)),
    });
    return builtin(own);
  }

  #once(key: object, make: () => Value): Value {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.#made.set(key, value);
    return value;
  }
}

/** Runs code of the host in the middle of a program. Throws `Fault` PV3202. */
export function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('PV3202', error instanceof Error ? error.message : String(error));
  }
}
