/**
 * Runs plans the way a person does: a text goes in, a model answers over a real connection on the
 * loopback interface, tools are functions of the test, and what comes out is the result of the run.
 */
import { checkProgram, type DetectOptions } from '../../src/dialects/index.ts';
import { modelHandlers } from '../../src/effects/model/handlers.ts';
import { openModel } from '../../src/effects/model/open.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { type RunHandle, startRun } from '../../src/engine/run.ts';
import type { Diagnostic } from '../../src/program/diagnostic.ts';
import type { JsonSchema } from '../../src/program/effect.ts';
import { fromJson } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';
import { byName, quickTool } from '../engine/support.ts';
import {
  type ModelServer,
  type Script,
  type ServedReply,
  type ServedRequest,
  startModelServer,
} from '../support/model-server.ts';

export interface World {
  /** What the model answers: always the same, one after the other, or as a function says. */
  readonly model?: ServedReply | readonly ServedReply[] | Script;
  readonly tools?: readonly Handler[];
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly dialect?: string;
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
  readonly sequential?: boolean;
}

export interface Played extends RunResult {
  /** What check said, as `PV2127 3`: the code and the step; errors with an exclamation mark. */
  readonly checked: readonly string[];
  readonly dialect: string;
  /** What the model was asked, in the order of arrival: the last user message of each request. */
  readonly asked: readonly string[];
  readonly requests: readonly ServedRequest[];
  /** Ids of the steps that were entered, in order. */
  readonly steps: readonly string[];
}

export interface Stage extends AsyncDisposable {
  readonly handle: RunHandle;
  readonly server: ModelServer;
  /** The end of the run. */
  readonly played: Promise<Played>;
}

/** A plan as a model would send it: text as it is, anything else as JSON. */
export type PlanText = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Checks a plan and runs it to its end. Throws what check says against it. */
export async function play(plan: PlanText, world: World = {}): Promise<Played> {
  await using stage = await open(plan, world);
  return await stage.played;
}

/** Checks a plan and starts it. Throws what check says against it. */
export async function open(plan: PlanText, world: World = {}): Promise<Stage> {
  const server = await startModelServer(scriptOf(world.model));
  try {
    const { dialect, diagnostics, text, program, handlers } = prepared(plan, world, server);
    if (!program) throw new Error(`check refuses the plan:\n${brief(diagnostics).join('\n')}`);
    const { inputs = {}, clock, limits, sequential = false } = world;
    const handle = startRun({
      journal: memoryJournal(),
      handlers,
      program,
      text,
      dialect,
      inputs: new Map(Object.entries(inputs).map(([name, value]) => [name, fromJson(value)])),
      warnings: diagnostics,
      sequential,
      limits,
      ...(clock && { clock }),
    });
    const steps: string[] = [];
    handle.subscribe((event) => {
      if (event.type === 'step.entered') steps.push(event.step);
    });
    const played = handle.result.then((result) => ({
      ...result,
      checked: brief(diagnostics),
      dialect,
      asked: server.requests.map(({ prompt }) => prompt),
      requests: server.requests,
      steps,
    }));
    return { handle, server, played, [Symbol.asyncDispose]: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

export interface Refusal {
  readonly dialect: string;
  readonly ok: boolean;
  readonly checked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What check says about a plan, with the tools of a world. */
export function look(plan: PlanText, world: World = {}): Refusal {
  const { dialect, diagnostics, program } = prepared(plan, world, undefined);
  return { dialect, ok: program !== undefined, checked: brief(diagnostics), diagnostics };
}

function prepared(plan: PlanText, world: World, server: ModelServer | undefined) {
  const text = typeof plan === 'string' ? plan : JSON.stringify(plan);
  const env = server?.env.openai ?? { OPENAI_API_KEY: 'none' };
  const handlers = byName(
    ...modelHandlers(openModel('openai/test', { env })),
    ...(world.tools ?? []),
  );
  const environment = {
    tools: new Map([...handlers].map(([name, { spec }]) => [name, spec])),
    inputs: Object.keys(world.inputs ?? {}),
  };
  const options: DetectOptions = world.dialect === undefined ? {} : { dialect: world.dialect };
  return { ...checkProgram(text, environment, options), text, handlers };
}

const brief = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ code, severity, step }) =>
    [code + (severity === 'error' ? '!' : ''), ...(step === undefined ? [] : [step])].join(' '),
  );

function scriptOf(model: World['model']): Script {
  if (model === undefined) return () => ({ status: 400, message: 'this plan asks no model' });
  if (typeof model === 'function') return model;
  const replies: readonly ServedReply[] = isList(model) ? model : [model];
  return ({ index }) =>
    replies[index] ??
    (isList(model) ? { status: 400, message: 'no more replies' } : replies[0]) ??
    '';
}

const isList = (model: ServedReply | readonly ServedReply[]): model is readonly ServedReply[] =>
  Array.isArray(model);

type Data = Readonly<Record<string, unknown>>;

/** An instruction of stackvm-2. */
export const step = (seq_no: number, type: string, parameters: unknown, more: Data = {}): Data => ({
  seq_no,
  type,
  parameters,
  execution_objective: 'needed',
  ...more,
});

/** Assigns variables. */
export const set = (seq_no: number, values: Data, more: Data = {}): Data =>
  step(seq_no, 'assign', values, more);

/** Sets final_answer. */
export const answer = (seq_no: number, value: unknown): Data =>
  set(seq_no, { final_answer: value });

/** Calls a tool; `to` is its output_vars. */
export const call = (
  seq_no: number,
  tool: string,
  params: Data,
  to?: unknown,
  more: Data = {},
): Data =>
  step(seq_no, 'calling', { tool, params, ...(to === undefined ? {} : { output_vars: to }) }, more);

/** An instruction of stackvm-1. */
export const old = (seq_no: number, type: string, parameters: Data, more: Data = {}): Data => ({
  seq_no,
  type,
  parameters,
  ...more,
});

/** The verdict of a condition as a model gives it. */
export const verdict = (result: unknown): string =>
  JSON.stringify({ result, explanation: 'it follows from the data' });

/** Stubs of retrieval with the parameters of the real tools; what they give is up to the test. */
export const graph = (answer: (query: string) => unknown): Handler =>
  quickTool('retrieve_knowledge_graph', ({ query }) => answer(String(query)), {
    parameters: searching('query'),
  });

export const passages = (answer: (query: string, count: unknown) => unknown): Handler =>
  quickTool(
    'retrieve_embedded_chunks',
    ({ embedding_query, top_k }) => answer(String(embedding_query), top_k),
    { parameters: searching('embedding_query') },
  );

export const vectors = (answer: (query: string, count: unknown) => unknown): Handler =>
  quickTool('vector_search', ({ query, top_k }) => answer(String(query), top_k), {
    parameters: searching('query'),
  });

const searching = (query: string): JsonSchema => ({
  type: 'object',
  properties: { [query]: { type: 'string' }, top_k: { type: 'integer' } },
  required: [query],
});

/** A tool that gives back its arguments. */
export const echo: Handler = quickTool('echo', (args) => args);
