/**
 * An agent as one tool of somebody else's: a code mode whose programs can ask, wait and survive.
 * The same object is a tool of the `ai` package and, by `mcp`, one of an MCP server.
 */
import { renderAll } from '../dialects/diagnostic.ts';
import { signatureOf } from '../dialects/signature.ts';
import type { Validated } from '../effects/tool/standard-schema.ts';
import type { JsonSchema, ToolSpec } from '../program/effect.ts';
import { encodeValue } from '../program/json.ts';
import { InvalidProgram, isCoded } from './port/errors.ts';
import type { SessionEnd } from './port/events.ts';
import type { Session } from './session.ts';

/** What a model gives: a program or a goal, or an answer to a run that has asked. */
export interface AgentToolInput {
  /** In Starlark. */
  readonly program?: string;
  readonly goal?: string;
  /** Variables that are set before it starts. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** A run that waits, and what its question is answered with. */
  readonly run?: string;
  readonly answer?: unknown;
}

/** What a model learns: no variables, and of what waits only what it may answer or tell. */
export interface AgentToolOutput {
  readonly run: string;
  readonly status: SessionEnd['status'];
  readonly answer: unknown;
  readonly waits?: readonly Readonly<Record<string, unknown>>[];
  readonly error?: { readonly code: string; readonly message: string };
}

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: JsonSchema;
  /** Standard Schema of the same: what the `ai` package takes. */
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: 'planvm';
      readonly validate: (value: unknown) => Validated & { readonly value: AgentToolInput };
      readonly jsonSchema: {
        readonly input: () => Record<string, unknown>;
        readonly output: () => Record<string, unknown>;
      };
    };
  };
  execute(
    input: AgentToolInput,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<AgentToolOutput>;
  /** The result of `tools/call`. */
  mcp(input: unknown): Promise<{
    readonly content: readonly { readonly type: 'text'; readonly text: string }[];
    readonly structuredContent: AgentToolOutput;
    readonly isError: boolean;
  }>;
}

/** What of an agent the tool stands on. */
export interface ToolWork {
  run(program: string, options: WorkOptions): Session;
  ask(goal: string, options: WorkOptions): Session;
  /** Answers a question as a client does, who decides nothing that is in doubt, and goes on. */
  answer(run: string, answer: unknown, signal: AbortSignal | undefined): Session;
}

interface WorkOptions {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

export function agentTool(
  name: string,
  specs: readonly ToolSpec[],
  { run, ask, answer }: ToolWork,
): AgentTool {
  const parameters: JsonSchema = {
    type: 'object',
    properties: {
      program: { type: 'string', description: 'A Starlark program that ends with answer(value).' },
      goal: { type: 'string', description: 'What is wanted, in words; a model writes a program.' },
      inputs: { type: 'object', description: 'Variables that are set before it starts.' },
      run: { type: 'string', description: 'A run that waits for an answer.' },
      answer: { description: "The user's answer to the question of that run." },
    },
    additionalProperties: false,
  };
  const execute: AgentTool['execute'] = async (input, { abortSignal } = {}) => {
    const { program, goal, inputs = {}, run: waiting } = input;
    const options = { inputs, ...(abortSignal && { signal: abortSignal }) };
    try {
      if (waiting !== undefined) {
        return outputOf(await answer(waiting, input.answer, abortSignal).end);
      }
      if (program !== undefined) return outputOf(await run(program, options).end);
      if (goal !== undefined) return outputOf(await ask(goal, options).end);
    } catch (error) {
      return refusedOutput(error, input);
    }
    throw new TypeError('got neither program, goal nor run, want one of them');
  };
  return {
    ...{ name, parameters, description: descriptionOf(specs), execute },
    inputSchema: {
      '~standard': {
        ...{ version: 1, vendor: 'planvm' },
        validate: (value) => ({ value: inputOf(value) }),
        jsonSchema: { input: () => ({ ...parameters }), output: () => ({ ...parameters }) },
      },
    },
    async mcp(input) {
      const structuredContent = await execute(inputOf(input));
      const { status } = structuredContent;
      const text = JSON.stringify(structuredContent);
      const isError = status !== 'done' && status !== 'waiting';
      return { content: [{ type: 'text', text }], structuredContent, isError };
    },
  };
}

/** Members of another type are left out: what is missing then is said when it is called. */
function inputOf(value: unknown): AgentToolInput {
  const given = Object(value);
  const texts = (['program', 'goal', 'run'] as const).filter(
    (key) => typeof given[key] === 'string',
  );
  return {
    ...Object.fromEntries(texts.map((key) => [key, given[key]])),
    ...(typeof given.inputs === 'object' && given.inputs !== null && { inputs: given.inputs }),
    ...('answer' in given && { answer: given.answer }),
  };
}

function descriptionOf(specs: readonly ToolSpec[]): string {
  const own = specs.filter(({ untold }) => untold === undefined);
  return [
    'Runs a program or works on a goal: durable, with independent calls side by side. A result',
    'with the status waiting has asked the user something: show them waits, then call this again',
    'with run and answer. Approvals are given by people elsewhere. Programs may call:',
    ...own.map((spec) => `${signatureOf(spec)}: ${spec.description.split('\n')[0]}`),
  ].join('\n');
}

/** What a model can do something about is no exception of its caller. */
function refusedOutput(
  error: unknown,
  { run = '', program = '' }: AgentToolInput,
): AgentToolOutput {
  if (error instanceof InvalidProgram) {
    const { diagnostics } = error;
    const message = renderAll(diagnostics, program, { file: 'program', color: false });
    const [first] = diagnostics.filter(({ severity }) => severity === 'error');
    const { code } = first ?? { code: 'PV2002' };
    return { run, status: 'invalid', answer: null, error: { code, message } };
  }
  if (!isCoded(error)) throw error;
  const { code, message, hint } = error;
  const text = hint === undefined ? message : `${message} (${hint})`;
  return { run, status: 'failed', answer: null, error: { code, message: text } };
}

function outputOf({ run, status, answer, waits, error }: SessionEnd): AgentToolOutput {
  return {
    ...{ run, status, answer: encodeValue(answer) },
    ...(waits && { waits: waits.map((wait) => plainOf(wait)) }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

const plainOf = (data: object): Readonly<Record<string, unknown>> =>
  Object(encodeValue({ ...data }));
