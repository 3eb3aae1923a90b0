/**
 * What a host adds to one evaluation: its functions and types of objects, each under a name of its
 * own, which values carry instead of the functions themselves. A number before a colon keeps apart
 * what the host calls alike; programs do not see it.
 */

import type { BuiltinSpec } from '../machine/builtins/builtin.ts';
import { Fault } from '../machine/fault.ts';
import type { HostLibrary } from '../machine/machine.ts';
import type { Surroundings } from '../machine/surroundings.ts';
import { builtin, type ObjectType, type Value } from '../program/value.ts';
import { defaultAround, type HostValue, toGuest, toHost } from './host-value.ts';

type Call = (args: readonly Value[], named: ReadonlyMap<string, Value>) => unknown;

export class Registry implements HostLibrary {
  readonly functions: Map<string, BuiltinSpec> = new Map();
  readonly types: Map<string, ObjectType> = new Map();
  /** Whether the library keeps to the specification. */
  readonly strict: boolean;
  readonly #made = new Map<object, Value>();
  #names: (chunk: number) => string | undefined = () => undefined;

  constructor(strict: boolean) {
    this.strict = strict;
  }

  /** From here on texts of guest functions show their names. */
  nameFunctions(names: (chunk: number) => string | undefined): void {
    this.#names = names;
  }

  around(): Surroundings {
    return { ...defaultAround, functionName: (chunk) => this.#names(chunk) };
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
  define(name: string, call: Call): Value {
    const own = `${this.functions.size}:${name}`;
    this.functions.set(own, {
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
