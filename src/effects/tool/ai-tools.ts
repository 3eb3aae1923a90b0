/** Tools of the `ai` package, as whoever embeds planvm has them already. */
import { refusal } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';
import type { FunctionTool, ToolContext, ToolDeclaration } from './tool.ts';

/**
 * What `tool({ description, inputSchema, execute })` makes, under its name in an object. It says
 * nothing of what it does to the world, so it is a write, and each call waits for those before;
 * `effect` and the like beside its members say more.
 */
export interface AiTool
  extends Partial<Pick<ToolDeclaration, 'effect' | 'idempotent' | 'destructive'>> {
  /** A text; what is made for each conversation is left out. */
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** As `destructive`: a person is asked before each call. */
  readonly needsApproval?: unknown;
}

export type AiTools = Readonly<Record<string, AiTool>>;

/** Throws `EffectFailure` PV4200 for one that somebody else performs. */
export async function fromAiTools(tools: AiTools): Promise<FunctionTool[]> {
  return await Promise.all(Object.entries(tools).map(([name, tool]) => fromAiTool(name, tool)));
}

async function fromAiTool(name: string, tool: AiTool): Promise<FunctionTool> {
  const { inputSchema, execute, needsApproval, effect, idempotent } = tool;
  const description = typeof tool.description === 'string' ? tool.description : '';
  if (!execute) {
    throw refusal('PV4200', `tools.${name}: lacks execute, want a function`);
  }
  const destructive = tool.destructive ?? (needsApproval ? true : undefined);
  return {
    ...{ name, description, parameters: await parametersOf(inputSchema) },
    ...(effect !== undefined && { effect }),
    ...(idempotent !== undefined && { idempotent }),
    ...(destructive !== undefined && { destructive }),
    run: async (args: unknown, { idempotencyKey, signal }: ToolContext) => {
      const options = { toolCallId: idempotencyKey, messages: [], abortSignal: signal };
      return await lastOf(execute(args as never, options as never));
    },
  };
}

async function parametersOf(schema: unknown): Promise<StandardSchema | JsonSchema> {
  if (isStandardSchema(schema)) return schema;
  const { asSchema } = await import('ai');
  return (await asSchema(schema as never).jsonSchema) as JsonSchema;
}

/** What a generator of the package yields last is its result; what comes before is on the way. */
async function lastOf(result: unknown): Promise<unknown> {
  const isSeries = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
  if (!isSeries) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) last = part;
  return last;
}
