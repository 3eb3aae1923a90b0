/** The program of a run and what it was started with, out of the journal and out of its record. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { createMachine, restoreMachine } from '../machine/create.ts';
import type { Machine, Snapshot } from '../machine/machine.ts';
import { type Request, type ToolSpec, toolSpec } from '../program/effect.ts';
import { decode } from '../program/json.ts';
import { type Limits, limitNames, limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import { sha256 } from '../program/sha256.ts';
import { leaveOut } from '../program/tool-names.ts';
import { dictEntries, isDict, type Value } from '../program/value.ts';
import { assigning } from './assignments.ts';
import { RunError } from './codes.ts';
import type { LoadedProgram, Past } from './past/past.ts';
import { type Approvals, approvalPolicies, defaultApprovals } from './perform/approvals.ts';
import type { Warning } from './result.ts';

/** Reads a program's text as it was read when the run was started. */
export type Load = (
  text: string,
  dialect: string,
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
) => { readonly program: Program; readonly warnings?: readonly Warning[] };

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

// What a run was started with, as its record keeps it: JSON text of the caller's own settings, plus
// `limits`, `sequential` and what is approved, which the engine reads back when the run is resumed.

interface Settings {
  /** Only those that were given. */
  readonly limits: Partial<Limits>;
  /** One effect at a time. */
  readonly sequential: boolean;
  readonly approvals: Approvals;
  /**
   * Of a run whose tools declare secret parameters: what its requests are hashed with, so that a
   * hash alone, in an event or an idempotency key, lets nobody check a guess. Else empty.
   */
  readonly requestKey: string;
  /**
   * Tools that there are, but not for this run, by name; from the caller's own settings. A program
   * that comes by such a name is told so, and hears the same again when it is run again.
   */
  readonly withheld: readonly string[];
  /** What of the run was made of what earlier runs have come to; from the caller's own settings. */
  readonly earlier: Earlier;
  /** What the run is for, in words, where somebody has said it; from the caller's own settings. */
  readonly goal: string | undefined;
}

/** What has come out of earlier runs may hold what a stranger has said there. */
export interface Earlier {
  /** Names of such inputs. */
  readonly inputs: readonly string[];
  /** Whether a model has written the program after it had read what came of earlier runs. */
  readonly program: boolean;
}

export const noEarlier: Earlier = { inputs: [], program: false };

export function writeSettings(
  own: Readonly<Record<string, unknown>>,
  settings: Omit<Settings, 'withheld' | 'earlier' | 'goal'>,
): string {
  const { sequential, approvals, requestKey } = settings;
  const { policy: approve, yes } = approvals;
  const limits = writeLimits(settings.limits);
  const secret = requestKey === noKey ? {} : { requestKey };
  return JSON.stringify({ ...own, limits, sequential, approve, yes, ...secret });
}

export function readSettings(text: string): Settings {
  const data: {
    limits?: Readonly<Record<string, unknown>>;
    sequential?: unknown;
    approve?: unknown;
    yes?: unknown;
    requestKey?: unknown;
    withheld?: unknown;
    goal?: unknown;
    earlier?: { readonly inputs?: unknown; readonly program?: unknown };
  } = JSON.parse(text);
  return {
    limits: readLimits(data.limits ?? {}),
    sequential: data.sequential === true,
    requestKey: typeof data.requestKey === 'string' ? data.requestKey : noKey,
    withheld: Array.isArray(data.withheld) ? data.withheld.map(String) : [],
    goal: typeof data.goal === 'string' ? data.goal : undefined,
    earlier: {
      inputs: Array.isArray(data.earlier?.inputs) ? data.earlier.inputs.map(String) : [],
      program: data.earlier?.program === true,
    },
    approvals: {
      policy: approvalPolicies.find((one) => one === data.approve) ?? defaultApprovals.policy,
      yes: Array.isArray(data.yes) ? data.yes.map(String) : [],
    },
  };
}

/** JSON has no infinity: a limit that is off is written as -1. */
export function writeLimits(given: Partial<Limits>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === Infinity ? -1 : value]),
  );
}

/** The limits in a record; what is none is left out. */
export function readLimits(data: Readonly<Record<string, unknown>>): Partial<Limits> {
  const found = limitNames.flatMap((name): [string, number][] => {
    const value = data[name];
    if (typeof value !== 'number') return [];
    return [[name, value === -1 ? Infinity : value]];
  });
  return Object.fromEntries(found);
}

/** All limits of a run; one effect at a time is a window and a concurrency of one. */
export function effectiveLimits(settings: Pick<Settings, 'limits' | 'sequential'>): Limits {
  const all = limits(settings.limits);
  return settings.sequential ? { ...all, windowEntries: 1, concurrency: 1 } : all;
}

// What recognises a request when it is made again.

/**
 * The hash that recognises a request. Arguments hold no raw line break, so the form is unique. With
 * the key of its run it tells nobody who does not have that anything about them.
 */
export function hashOf(request: Pick<Request, 'tool' | 'args'>, key: string = noKey): string {
  const text = `${request.tool}\n${request.args}`;
  if (key === noKey) return hash('sha256', text);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Of runs whose tools declare no secrets: equal requests of two runs have equal hashes. */
export const noKey = '';

export const newKey = (): string => randomBytes(16).toString('hex');
