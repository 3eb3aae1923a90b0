/** The program of a run, and what it was started with, out of the journal. */

import { createMachine, restoreMachine } from '../machine/create.ts';
import type { Machine, Snapshot } from '../machine/machine.ts';
import { type ToolSpec, toolSpec } from '../program/effect.ts';
import { decode } from '../program/json.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import { sha256 } from '../program/sha256.ts';
import { leaveOut } from '../program/tool-names.ts';
import { dictEntries, isDict, type Value } from '../program/value.ts';
import { assigning } from './assignments.ts';
import { RunError } from './codes.ts';
import type { Journal } from './journal/journal.ts';
import type { LoadedProgram, Past } from './past/past.ts';
import type { Warning } from './result.ts';
import { effectiveLimits, readSettings, type Settings } from './settings.ts';

/** Reads a program's text as it was read when the run was started. */
export type Load = (
  text: string,
  dialect: string,
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
) => { readonly program: Program; readonly warnings?: readonly Warning[] };

/** A run of a journal, and how its program is read again. */
export interface RecordedRun {
  readonly journal: Journal;
  readonly run: string;
  readonly load: Load;
}

export interface Loaded {
  readonly source: LoadedProgram;
  readonly program: Program;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

/** The program of a run and what it was started with, from the journal. */
export function loadProgram(run: string, past: Past, load: Load): Loaded {
  const { record, program: source } = past;
  if (!record || !source) {
    throw new RunError('PV5105', `run ${run} ended before its program was journaled`, {
      hint: 'nothing has happened yet: start it again',
    });
  }
  const parsed: ToolSpec[] = JSON.parse(source.tools);
  const specs = new Map(parsed.map((spec) => [spec.name, toolSpec(spec)]));
  const inputs = new Map<string, Value>();
  const given = decode(record.inputs);
  if (isDict(given)) {
    for (const [name, value] of dictEntries(given)) inputs.set(String(name), value);
  }
  const settings = readSettings(record.settings);
  withhold(specs, settings);
  try {
    const read = load(source.text, source.dialect, specs, [...inputs.keys()]);
    return {
      source,
      specs,
      inputs,
      settings,
      program: read.program,
      warnings: read.warnings ?? [],
    };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunError('PV5108', `the program of run ${run} no longer compiles: ${why}`, {
      hint: 'resume it with the version of planvm that started it',
      cause,
    });
  }
}

/**
 * A machine that stands at the program's start, or where a snapshot was taken of it, and sets what
 * the run's forks have set by hand.
 */
export function machineFor(
  { program, specs, inputs }: Pick<Loaded, 'program' | 'specs' | 'inputs'>,
  { assignments }: Pick<Past, 'assignments'>,
  limits: Limits,
  snapshot?: Snapshot,
): Machine {
  const options = { tools: specs, inputs, limits };
  const machine = snapshot
    ? restoreMachine(program, options, snapshot)
    : createMachine(program, options);
  return assigning(machine, assignments);
}

/** The limits that a run has by now; where it has none of its own, the defaults hold. */
export const limitsSoFar = (
  { settings }: Pick<Loaded, 'settings'>,
  { raised }: Pick<Past, 'raised'>,
): Partial<Limits> => ({ ...settings.limits, ...raised });

/** For who runs it again: memory is counted in another rhythm than then, so it stops nothing. */
export function limitsAgain(loaded: Pick<Loaded, 'settings'>, past: Pick<Past, 'raised'>): Limits {
  const limits = { ...limitsSoFar(loaded, past), memoryBytes: Infinity };
  return effectiveLimits({ ...loaded.settings, limits });
}

/** Names the code: the same text, compiled the same way, has the same. */
export const programHash = (program: Program): string =>
  sha256(program.chunks.map((chunk) => chunk.hash).join('\n'));

/** Notes which names mean a tool that the run may not call. */
export function withhold(
  specs: ReadonlyMap<string, ToolSpec>,
  { withheld }: Pick<Settings, 'withheld'>,
): void {
  const others = withheld.filter((name) => !specs.has(name));
  leaveOut(specs, new Map(others.map((name) => [name, toolSpec({ name, description: '' })])));
}
