/** Starlark programs on a bare machine: who answers which call, in which order, is up to the test. */
import { expect } from 'vitest';
import { verify } from '../../src/analysis/verifier.ts';
import { starlark } from '../../src/dialects/starlark/index.ts';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine, MachineLimits } from '../../src/machine/machine.ts';
import type { StepVisit } from '../../src/machine/turn.ts';
import { type Outcome, type Request, type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { encode, toJson } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';

/** Tools of one parameter `x`: one of each class, and a read that keeps its order. */
export const tools = new Map(
  (['pure', 'read', 'write', 'pause'] as const).map((name) => [
    name,
    toolSpec({
      name,
      description: `The tool ${name}.`,
      ...(name === 'pause' ? { effect: 'read', ordered: true } : { effect: name }),
      parameters: {
        type: 'object',
        properties: { x: {} },
        required: ['x'],
        additionalProperties: false,
      },
    }),
  ]),
);

/**
 * Throws with its messages for a text that has errors; but what check sees of calls of tools, the
 * machine has to see by itself.
 */
export function compile(source: string, known: ReadonlyMap<string, ToolSpec> = tools): Program {
  const environment = { tools: known, inputs: [] };
  const { tree, diagnostics } = starlark.parse(source);
  const found = tree ? starlark.check(tree, environment) : diagnostics;
  const errors = found.filter(({ code }) => code !== 'PV2332');
  if (!tree || errors.length > 0) throw new Error(errors.map((one) => one.message).join('\n'));
  const program = starlark.lower(tree, environment);
  expect(verify(program)).toEqual([]);
  return program;
}

/** What a call is answered by: data, or an `Error` for a failed outcome. */
export type Answer = (x: unknown, request: Request) => unknown;

export interface DriveOptions {
  /** Those of one parameter where absent. */
  readonly tools?: ReadonlyMap<string, ToolSpec>;
  readonly answer?: Answer;
  /** The parts of a stream, one a time, before its outcome; none where absent. */
  readonly parts?: (request: Request) => readonly unknown[];
  /** Which of the open calls is answered next. */
  readonly pick?: (open: readonly Request[]) => number;
  /** Instructions per turn. */
  readonly fuel?: number;
  /** Whether the machine is taken apart and put together after every turn. */
  readonly restored?: boolean;
  readonly limits?: Partial<MachineLimits>;
  /** Where to pause, and go on at once. */
  readonly pause?: (step: StepVisit) => boolean;
}

/** What has happened in the end, and on the way. */
export interface Driven {
  readonly machine: Machine;
  readonly status: string;
  /** `PV4200 no 3`; empty where the program has not failed. */
  readonly error: string;
  /** What was printed and answered, in order. */
  readonly emits: unknown[];
  /** Effect ids in the order of their requests, each once. */
  readonly ids: string[];
  /** Arguments of the writes in the order of their requests. */
  readonly writes: unknown[];
  readonly cancels: string[];
  /** How many calls were open at once. */
  readonly most: number;
  readonly warnings: string[];
}

/** A text about the argument, which a program can branch on. */
const echo: Answer = (x) => `<${String(x)}>`;

export function outcomeOf(value: unknown): Outcome {
  if (value instanceof Error) {
    const { message } = value;
    const hint = 'hint' in value ? { hint: String(value.hint) } : {};
    const final = 'final' in value ? ({ final: true } as const) : {};
    return { ok: false, error: { code: 'PV4200', message, ...hint, ...final } };
  }
  return { ok: true, value: JSON.stringify(value) };
}

export const argumentOf = ({ args }: Request): unknown => JSON.parse(args).x;

export function drive(source: string | Program, options: DriveOptions = {}): Driven {
  const { answer = echo, pick = () => 0, fuel = 1e6, restored = false } = options;
  const { limits = {}, pause, parts = () => [] } = options;
  const given = new Map<string, number>();
  const known = options.tools ?? tools;
  const program = typeof source === 'string' ? compile(source, known) : source;
  let machine = createMachine(program, { tools: known, limits });
  const open = new Map<string, Request>();
  const [emits, writes, cancels, ids]: [unknown[], unknown[], string[], Set<string>] = [
    [],
    [],
    [],
    new Set(),
  ];
  let most = 0;
  const warnings: string[] = [];
  for (let turns = 0; turns < 1e5; turns++) {
    const turn = machine.run(fuel, pause);
    for (const request of turn.requests) {
      if (request.tool === 'write' && !ids.has(request.id)) writes.push(argumentOf(request));
      ids.add(request.id);
      open.set(request.id, request);
    }
    for (const id of turn.cancels) open.delete(id);
    cancels.push(...turn.cancels);
    most = Math.max(most, open.size);
    warnings.push(...turn.warnings.map(({ message }) => message));
    for (const { value } of turn.emits) emits.push(toJson(value));
    const { status } = turn;
    if (status === 'done' || status === 'failed') {
      const { error } = machine.view();
      const said = error ? `${error.code} ${error.message}` : '';
      const told = { emits, ids: [...ids], writes, cancels, most, warnings };
      return { machine, status, error: said, ...told };
    }
    if (restored) {
      const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
      machine = restoreMachine(program, { tools: known, limits }, snapshot);
    }
    if (status === 'ready' || status === 'paused') continue;
    const waiting = [...open.values()];
    const request = waiting[pick(waiting)];
    if (!request) throw new Error(`blocked with nothing open: ${JSON.stringify(turn)}`);
    const at = given.get(request.id) ?? 0;
    const all = request.stream ? parts(request) : [];
    if (at < all.length) {
      given.set(request.id, at + 1);
      machine.part(request.id, at, JSON.stringify(all[at]));
      continue;
    }
    open.delete(request.id);
    machine.settle(request.id, outcomeOf(answer(argumentOf(request), request)));
  }
  throw new Error('the program does not end');
}

/** A variable of a program that has ended without an error. */
export function variable({ machine, error }: Driven, name: string): unknown {
  expect(error).toBe('');
  return toJson(machine.view().variables.get(name) ?? null);
}

/** All variables as text. */
export const variablesOf = ({ machine }: Driven): string[] =>
  [...machine.view().variables].flatMap(([name, value]) => {
    const isFunction = typeof value === 'object' && value?.kind === 'function';
    return isFunction ? [] : [`${name} = ${encode(value)}`];
  });
