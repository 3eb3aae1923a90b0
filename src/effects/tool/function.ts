/** Function tools as handlers: arguments checked by their own schema, errors kept as they are. */
import { type AttemptContext, EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { SchemaCheck } from '../json-schema.ts';
import { isPlain, schemaCheck } from './argument-check.ts';
import { during, end } from './call.ts';
import { wrongArguments } from './checked.ts';
import { type Declared, readDeclaration } from './declaration.ts';
import { issueText } from './standard-schema.ts';
import type { FunctionTool, ToolContext } from './tool.ts';

/**
 * A handler for each tool, in their order. Throws `EffectFailure` PV4200 for one that is declared
 * wrongly; `where` names the list: `defineTool[2]`.
 */
export async function functionHandlers(
  tools: readonly FunctionTool[],
  where = 'tools',
): Promise<Handler[]> {
  const handlers: Handler[] = [];
  for (const [index, tool] of tools.entries()) {
    const place = `${where}[${index}]`;
    handlers.push(functionHandler(await readDeclaration(tool, place), place));
  }
  return handlers;
}

/** Throws `EffectFailure` PV4200 when there is no function. */
export function functionHandler(declared: Declared, where: string): Handler {
  const { spec, schema, run } = declared;
  if (run === undefined) {
    throw refusal('PV4200', `${where} (${spec.name}): lacks run, want a function`);
  }
  let check: SchemaCheck | undefined;
  return {
    spec,
    // It waits only for what is not there yet: the function is called before others get their turn.
    perform: (args, context) =>
      during(spec.name, context, async (mark) => {
        try {
          let given: unknown = args;
          if (schema) {
            const validating = schema['~standard'].validate(args);
            const validated = validating instanceof Promise ? await validating : validating;
            if (validated.issues) throw wrongArguments(spec.name, issueText(validated.issues));
            given = validated.value;
          } else {
            check ??= isPlain(spec.parameters) ? fits : await schemaCheck(spec);
            const checked = check(args, context);
            const problem = checked instanceof Promise ? await checked : checked;
            if (problem !== undefined) throw wrongArguments(spec.name, problem);
          }
          return await answer(run, given, context, spec);
        } finally {
          end(mark);
        }
      }),
  };
}

async function answer(
  run: FunctionTool['run'],
  args: unknown,
  context: AttemptContext,
  spec: ToolSpec,
): Promise<unknown> {
  try {
    const result = await call(run, args, contextOf(context));
    return isAsyncIterable(result) ? await partsOf(result, context) : result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw failureOf(error, spec);
  }
}

/** What the engine has checked needs no second look. */
const fits: SchemaCheck = () => undefined;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** What an async generator yields, each as it comes; all of it is the result. */
async function partsOf(
  result: AsyncIterable<unknown>,
  context: AttemptContext,
): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of result) {
    context.signal.throwIfAborted();
    context.part(part);
    parts.push(part);
  }
  return parts;
}

/** The type of its arguments is the tool's own matter: its schema has just checked them. */
const call = (run: FunctionTool['run'], args: unknown, context: ToolContext): unknown =>
  run(args as never, context);

/** What a tool is handed. A signal is made when it is asked for: most tools never do. */
const contextOf = (attempt: AttemptContext): ToolContext => ({
  get signal() {
    return attempt.signal;
  },
  get idempotencyKey() {
    return attempt.idempotencyKey;
  },
  ...(attempt.headers && { headers: attempt.headers }),
  progress: (text) => attempt.progress(text),
  source: (source) => attempt.source(source),
});

/**
 * A function that throws has answered: it failed. Not so where it only passes on that a connection
 * broke: then what it was talking to may have acted all the same.
 */
function failureOf(thrown: unknown, { name, idempotent, effect }: ToolSpec): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const cut = isCut(thrown);
  return new EffectFailure('PV4202', `${name}: ${thrownMessage(thrown)}`, {
    // What is pure fails again in the same way, and so does a slip.
    retryable: cut || (idempotent && effect !== 'pure' && !isSlip(thrown)),
    answered: !cut,
    // What a function says of some arguments it says of them again.
    lasts: !cut,
    cause: thrown,
  });
}

/**
 * Whether the code of the tool cannot do what it was written to do with what it has: a value of the
 * wrong kind, a name that there is not. What fetch throws has a cause.
 */
const isSlip = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  thrown.cause === undefined &&
  ['TypeError', 'ReferenceError'].includes(thrown.name);

/** The names and codes under which Node reports a connection or a wait that came to nothing. */
function isCut(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (['AbortError', 'TimeoutError'].includes(thrown.name)) return true;
  const code: unknown = 'code' in thrown ? thrown.code : undefined;
  const isNetwork = typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|UND_ERR_)/.test(code);
  return isNetwork || isCut(thrown.cause);
}
