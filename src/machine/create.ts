/** Machines with every library function: what all hosts but the browser make. */
import type { Program } from '../program/program.ts';
import { allBuiltins } from './builtins/index.ts';
import { createMachineWith, restoreMachineWith } from './create-with.ts';
import type { Machine, MachineOptions, Snapshot } from './machine.ts';

/** A machine that stands before the first instruction of chunk 0. */
export function createMachine(program: Program, options: MachineOptions): Machine {
  return createMachineWith(allBuiltins, program, options);
}

/** A machine that goes on where the snapshot was taken; `restoreMachineWith` says more. */
export function restoreMachine(
  program: Program,
  options: MachineOptions,
  snapshot: Snapshot,
): Machine {
  return restoreMachineWith(allBuiltins, program, options, snapshot);
}
