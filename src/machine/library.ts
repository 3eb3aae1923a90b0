/**
 * What surrounds a program: the library functions that it brings along, what the host adds, and
 * what operations may know of the machine. None of it is state; it is made anew on restoring.
 */
import { limits as allLimits } from '../program/limit-defaults.ts';
import type { Program } from '../program/program.ts';
import type { Func } from '../program/value.ts';
import type { Builtins } from './builtins/builtins.ts';
import type { HostLibrary, MachineOptions } from './machine.ts';
import { newMeter } from './meter.ts';
import type { State } from './state.ts';

const noHost: HostLibrary = { functions: new Map(), types: new Map() };

/** `program` gives the one that is running, which may have grown. */
export function surroundings(
  builtins: Builtins,
  options: MachineOptions,
  program: () => Program,
): Pick<State, 'builtins' | 'host' | 'around' | 'meter'> {
  const { valueBytes } = allLimits(options.limits);
  const meter = newMeter();
  return {
    builtins,
    host: options.host ?? noHost,
    meter,
    around: {
      valueBytes,
      strict: options.host?.strict ?? false,
      functionName: (chunk) => program().chunks[chunk]?.name,
      charge(units) {
        meter.owed += units;
      },
      warn(message) {
        meter.mended.push(message);
      },
    },
  };
}

/** The functions of builtin chunks; each has its first constants as default values. */
export function libraryOf({ chunks }: Program): ReadonlyMap<string, Func> {
  return new Map(
    chunks.flatMap(({ role, name, constants, parameters }, chunk) => {
      if (role !== 'builtin') return [];
      const defaults = constants.slice(0, parameters.defaults);
      return [[name, { kind: 'function', chunk, defaults, cells: [] } satisfies Func] as const];
    }),
  );
}
