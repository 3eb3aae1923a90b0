/**
 * Evaluates Starlark modules for a host: compiles, runs to the end, and says in data what happened.
 * Owns nothing that outlives a call. A mistake of the program is a result, never an exception.
 */
import { compile } from '../dialects/starlark/compile/compile.ts';
import type { Options } from '../dialects/starlark/parse/options.ts';
import { parse } from '../dialects/starlark/parse/parser.ts';
import type { File } from '../dialects/starlark/parse/syntax.ts';
import { createMachine } from '../machine/create.ts';
import type { Machine, MachineLimits } from '../machine/machine.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import type { GuestError } from '../program/effect.ts';
import { limitDefaults } from '../program/limit-defaults.ts';
import type { Value } from '../program/value.ts';
import { type EvaluationError, errorOf, staticError } from './error.ts';
import { Guest, toGuest } from './host-value.ts';
import { loaderFor } from './loader.ts';
import { Registry } from './registry.ts';
import { type EvaluateOptions, entriesOf, optionsOf, resolveFile } from './static.ts';

export interface Evaluation {
  readonly ok: boolean;
  /** Global variables that have a value, frozen when all went well. */
  readonly globals: ReadonlyMap<string, Guest>;
  /** The value of the last statement, if that is an expression. */
  readonly value?: Guest;
  /** The values that the module gave to `answer`. */
  readonly answers: readonly Guest[];
  /** Why it is not ok: the first static error, or the error that ended it. */
  readonly error?: EvaluationError;
  /** Parse mode ends at the first static error; the others find all. */
  readonly diagnostics: readonly Diagnostic[];
  /** Instructions executed. */
  readonly instructions: number;
}

const nothing = { globals: new Map(), answers: [], instructions: 0 } as const;

/** What a text and its surroundings amount to. */
export function evaluate(source: string, given: EvaluateOptions = {}): Evaluation {
  const { mode = 'exec', file = '<module>', firstLine = 1 } = given;
  const text = '\n'.repeat(firstLine - 1) + source;
  const options = optionsOf(given);
  const parsed = parse(text, options);
  const invalid = (diagnostics: readonly Diagnostic[]): Evaluation => ({
    ...nothing,
    ok: diagnostics.length === 0,
    diagnostics,
    ...staticError(diagnostics, file),
  });
  if (!parsed.file || mode === 'parse') return invalid(parsed.errors);
  const diagnostics = resolveFile(parsed.file, options, file, given);
  if (diagnostics.length > 0 || mode === 'resolve') return invalid(diagnostics);
  return execute(parsed.file, text, options, file, given);
}

/** Where the value of the last statement goes: no program has a variable of this name. */
const valueSlot = ':value';

function execute(
  tree: File,
  source: string,
  options: Options,
  fileName: string,
  given: EvaluateOptions,
): Evaluation {
  const registry = new Registry(given.profile === 'conformance');
  const variable = (name: string): string => `predeclared:${name}`;
  const initial = new Map(
    entriesOf(given.predeclared).map(([name, input]) => [variable(name), input] as const),
  );
  const compiled = compile(tree, {
    options,
    source,
    fileName,
    predeclared: () => undefined,
    variable,
    loader: loaderFor(given, initial),
    value: valueSlot,
    library: ['catch'],
    seals: true,
  });
  const inputs = new Map<string, Value>();
  const program = registry.link(compiled, inputs, () => {
    for (const [slot, input] of initial) inputs.set(slot, toGuest(input, registry));
  });
  const limits: Partial<MachineLimits> = { ...roomy, ...given.limits };
  const machine = createMachine(program, { tools: new Map(), inputs, limits, host: registry });
  const error = run(machine, given);
  const { variables, answers, instructions } = machine.view();
  registry.close({ program, globals: program.globals.map((name) => variables.get(name)) });
  const guest = (value: Value): Guest => new Guest(value, registry);
  const globals = tree.globals.flatMap(({ name }) => {
    const value = variables.get(name);
    return value === undefined ? [] : [[name, guest(value)] as const];
  });
  const value = variables.get(valueSlot);
  return {
    ok: error === undefined,
    globals: new Map(globals),
    ...(value !== undefined && { value: guest(value) }),
    answers: answers.map((answer) => guest(answer.value)),
    ...(error && { error: errorOf(error, fileName) }),
    diagnostics: [],
    instructions,
  };
}

/** A host that evaluates modules trusts them with more than a plan has. */
const roomy: Partial<MachineLimits> = { valueBytes: 64 * 2 ** 20, callDepth: 10_000 };

/** Runs to the end; gives the error there, if any. */
function run(machine: Machine, { print, limits }: EvaluateOptions): GuestError | undefined {
  const fuel = limits?.instructions ?? limitDefaults.instructions;
  for (;;) {
    const { status, emits } = machine.run(fuel - machine.view().instructions);
    for (const { channel, value } of emits) if (channel === 'print') print?.(String(value));
    if (status === 'done') return undefined;
    if (status === 'failed') return machine.view().error ?? stopped('PV3000', 'it has failed');
    if (status === 'full') return stopped('PV3204', 'the module holds too much memory');
    if (status === 'blocked') return stopped('PV3203', 'the module waits for an effect');
    if (machine.view().instructions >= fuel) {
      return stopped('PV3201', 'Starlark computation cancelled: too many steps');
    }
  }
}

const stopped = (code: string, message: string): GuestError => ({
  code,
  message,
  line: 0,
  column: 0,
  step: '',
  trace: [],
});
