/**
 * What is there from the start in a browser. The dialects that are loaded later are registered
 * here; as they import this module, bundlers put all that it needs into one file.
 */

import type { Checked } from '../dialects/dialect.ts';
import { type ClosedLanguage, checkAmong, closed } from '../dialects/languages.ts';
import { dialectNames } from '../dialects/names.ts';
import { stackvm1Language, stackvm2Language } from '../dialects/stackvm/language.ts';
import type { Builtins } from '../machine/builtins/builtins.ts';
import { coreBuiltins } from '../machine/builtins/core.ts';
import { createMachineWith, restoreMachineWith } from '../machine/create-with.ts';
import type { Machine, MachineLimits, MachineOptions, Snapshot } from '../machine/machine.ts';
import { type Outcome, type Request, type ToolSpec, toolSpec } from '../program/effect.ts';
import { decode, encode, fromJson, toJson } from '../program/json.ts';
import { type Limits, limits as limitsWith } from '../program/limit-defaults.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';

export type { Checked } from '../dialects/dialect.ts';
export { type DialectName, dialectNames } from '../dialects/names.ts';
export type { Machine, Snapshot, View } from '../machine/machine.ts';
export type { Turn } from '../machine/turn.ts';
export type { Diagnostic } from '../program/diagnostic.ts';
export type { Limits, Outcome, Program, Request, ToolSpec, Value };

/** A tool that programs may call; the page does what it is for. Undeclared effects are writes. */
export type Tool = Partial<ToolSpec> & Pick<ToolSpec, 'name' | 'description'>;

export interface CheckOptions {
  readonly tools?: readonly Tool[];
  /** Names of the variables that are set before the program starts. */
  readonly inputs?: readonly string[];
  /** What the text is written in; found out among the open dialects where absent. */
  readonly dialect?: string;
  readonly limits?: Pick<Partial<Limits>, 'sourceBytes' | 'programInstructions'>;
}

export interface RunOptions {
  readonly tools?: readonly Tool[];
  /** Variables that are set before the program starts: JSON data. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<MachineLimits>;
}

/** A program or a text is in a dialect that there is not, or that nobody has opened. */
export class DialectError extends Error {
  override readonly name = 'DialectError';
  readonly code = 'PV2001';
  readonly dialect: string;

  constructor(dialect: string, wanted: string) {
    super(`got the dialect ${dialect}, want ${wanted}`);
    this.dialect = dialect;
  }
}

const openLanguages = new Map<string, ClosedLanguage>([
  ['stackvm-1', closed(stackvm1Language)],
  ['stackvm-2', closed(stackvm2Language)],
]);

/** Those of the dialects that are open. */
let builtins: Builtins = coreBuiltins;

/** Makes a dialect known, with the library functions that its programs call. */
export function register(language: ClosedLanguage, library: Builtins): void {
  openLanguages.set(language.name, language);
  if (library.functions.size > builtins.functions.size) builtins = library;
}

export const isOpen = (name: string): boolean => openLanguages.has(name);

const inDialectOrder = (): ClosedLanguage[] =>
  dialectNames.flatMap((name) => openLanguages.get(name) ?? []);

/**
 * Everything that can be said about a text without running it, and its program where nothing is
 * wrong. Of dialects only those that are open are looked at.
 */
export function check(text: string, options: CheckOptions = {}): Checked {
  const { tools = [], inputs = [], dialect, limits } = options;
  const { sourceBytes: sourceBytesMax, programInstructions: instructionsMax } = limitsWith(limits);
  const wanted = dialect === undefined ? {} : { dialect };
  const environment = { tools: specsByName(tools), inputs };
  return checkAmong(inDialectOrder(), text, environment, {
    sourceBytesMax,
    instructionsMax,
    ...wanted,
  });
}

/** A machine before the first instruction. Throws `DialectError` where the dialect is not open. */
export function createMachine(program: Program, options: RunOptions = {}): Machine {
  return createMachineWith(builtinsFor(program), program, machineOptions(options));
}

/** A machine that goes on where a snapshot was taken; what was open then is asked for again. */
export function restoreMachine(
  program: Program,
  snapshot: Snapshot,
  options: RunOptions = {},
): Machine {
  return restoreMachineWith(builtinsFor(program), program, machineOptions(options), snapshot);
}

/** What a request asks its tool for, by parameter. */
export function argumentsOf({ args }: Request): Readonly<Record<string, unknown>> {
  return toJson(decode(args)) as Record<string, unknown>;
}

/** The outcome of a request that has succeeded, from JSON data, big ints and byte arrays. */
export function outcomeOf(data: unknown): Outcome {
  return { ok: true, value: encode(fromJson(data)) };
}

/** A value of the program, such as an answer or a variable, as data. */
export const dataOf = (value: Value): unknown => toJson(value);

function builtinsFor({ dialect }: Program): Builtins {
  if (openLanguages.has(dialect)) return builtins;
  throw new DialectError(dialect, `one that is open: await openDialect('${dialect}')`);
}

function machineOptions({ tools = [], inputs = {}, limits }: RunOptions): MachineOptions {
  const values = Object.entries(inputs).map(([name, data]) => [name, fromJson(data)] as const);
  return { tools: specsByName(tools), inputs: new Map(values), ...(limits && { limits }) };
}

const specsByName = (tools: readonly Tool[]): ReadonlyMap<string, ToolSpec> =>
  new Map(tools.map((tool) => [tool.name, toolSpec(tool)]));
