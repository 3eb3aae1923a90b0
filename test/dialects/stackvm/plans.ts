/** An environment for plans, and a driver that runs them with functions in place of the world. */

import type { Checked, Environment } from '../../../src/dialects/dialect.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { modelSpecs } from '../../../src/effects/model/handlers.ts';
import { retrieveHandlers } from '../../../src/effects/retrieve/handlers.ts';
import { createMachine } from '../../../src/machine/create.ts';
import { type GuestError, type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import { decode, encode, fromJson, toJson } from '../../../src/program/json.ts';
import { isPending } from '../../../src/program/value.ts';

const noKnowledge = (): never => {
  throw new Error('these tests search nothing');
};

const own: readonly ToolSpec[] = [
  toolSpec({
    name: 'weather',
    description: 'Tells the weather of a place.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        place: { type: 'string', description: 'The name of a town.' },
        days: { type: 'integer', default: 1 },
        unit: { type: 'string', enum: ['C', 'F'] },
        filters: {
          type: 'object',
          properties: { years: { type: 'array', items: { type: 'integer' } } },
          additionalProperties: false,
        },
      },
      required: ['place'],
      additionalProperties: false,
    },
  }),
  toolSpec({
    name: 'send',
    description: 'Sends a message.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  }),
  toolSpec({ name: 'anything', description: 'Takes anything.', effect: 'read' }),
  toolSpec({
    name: 'calculate',
    description: 'Computes.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string' } },
      required: ['expression'],
    },
  }),
];

export const tools: ReadonlyMap<string, ToolSpec> = new Map(
  [...modelSpecs, ...retrieveHandlers(noKnowledge).map(({ spec }) => spec), ...own].map((spec) => [
    spec.name,
    spec,
  ]),
);

export const environment = (...inputs: string[]): Environment => ({ tools, inputs });

type Instructions = readonly unknown[];

export const check = (plan: string | Instructions, ...inputs: string[]): Checked =>
  checkProgram(typeof plan === 'string' ? plan : JSON.stringify(plan), environment(...inputs));

/** `code@line:column`, errors with an exclamation mark. */
export const brief = ({ diagnostics }: Checked): string[] =>
  diagnostics.map(
    ({ code, severity, line, column }) =>
      `${code}${severity === 'error' ? '!' : ''}@${line}:${column}`,
  );

export const codesIn = ({ diagnostics }: Checked): string[] => diagnostics.map(({ code }) => code);

type Data = Readonly<Record<string, unknown>>;

/** Tools as functions of their arguments; what they throw is their failure. */
export type World = Readonly<Record<string, (args: Data) => unknown>>;

export interface Ran {
  readonly status: 'done' | 'failed' | 'blocked';
  /** Undefined where there is none. */
  readonly answer: unknown;
  readonly error: GuestError | undefined;
  /** In the order in which they were asked for. */
  readonly calls: readonly { readonly tool: string; readonly args: Data; readonly step: string }[];
  /** How many of them were asked for together, turn by turn. */
  readonly turns: readonly number[];
  readonly steps: readonly string[];
  /** Those that have a value. */
  readonly variables: Data;
}

/** Checks, lowers and runs a plan; throws what check says against it. */
export function run(plan: string | Instructions, world: World = {}, inputs: Data = {}): Ran {
  const checked = check(plan, ...Object.keys(inputs));
  const { program } = checked;
  if (!program) throw new Error(JSON.stringify(checked.diagnostics, null, 2));
  const given = new Map(Object.entries(inputs).map(([name, value]) => [name, fromJson(value)]));
  const machine = createMachine(program, { tools, inputs: given, limits: { stepVisits: 50 } });
  const calls: Ran['calls'][number][] = [];
  const turns: number[] = [];
  const steps: string[] = [];
  for (;;) {
    const turn = machine.run(100_000);
    steps.push(...turn.steps.map(({ id }) => id));
    if (turn.requests.length === 0) {
      const { answers, error, variables } = machine.view();
      const last = answers.at(-1)?.value;
      return {
        status: turn.status === 'done' || turn.status === 'failed' ? turn.status : 'blocked',
        answer: last === undefined ? undefined : toJson(last),
        error,
        calls,
        turns,
        steps,
        variables: Object.fromEntries(
          [...variables].flatMap(([name, value]) =>
            isPending(value) ? [] : [[name, toJson(value)] as const],
          ),
        ),
      };
    }
    turns.push(turn.requests.length);
    for (const { id, tool, args, step } of turn.requests) {
      const data = toJson(decode(args)) as Data;
      calls.push({ tool, args: data, step });
      try {
        const value = world[tool]?.(data);
        machine.settle(id, { ok: true, value: encode(fromJson(value ?? null)) });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        machine.settle(id, { ok: false, error: { code: 'PV4200', message } });
      }
    }
  }
}

/** An instruction of stackvm-2. */
export const step = (
  seq_no: number,
  type: string,
  parameters: unknown,
  more: Data = {},
): Record<string, unknown> => ({
  seq_no,
  type,
  parameters,
  execution_objective: 'needed',
  ...more,
});
