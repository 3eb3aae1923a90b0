/** A tool as a person declares it in a module: data that says what it is, and a function. */
import type { EffectClass, JsonSchema, Source } from '../../program/effect.ts';
import type { ToolLimits } from '../../program/limits.ts';
import type { DataOf } from './schema-type.ts';
import type { StandardSchema } from './standard-schema.ts';

/** What can be said of a tool without having it. */
export interface ToolDeclaration {
  /** Dots separate namespaces: `mail.send`. */
  readonly name: string;
  /** Further names that programs may call it by. */
  readonly aliases?: readonly string[];
  /** For models and people: what it does, what it returns. */
  readonly description: string;
  /** An object schema; its property order is the order of positional arguments. */
  readonly parameters?: StandardSchema | JsonSchema;
  /** Absent: `write`, which runs alone and in order. */
  readonly effect?: EffectClass;
  /** Whether an attempt may be repeated. Default: not for writes. */
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  /** Tools of each of which a call must have succeeded before one of this starts. */
  readonly after?: readonly string[];
  /** Parameters that a person is asked for where a call leaves them out. */
  readonly requires?: readonly string[];
  /** What `run` returns; a result that does not fit is a warning. */
  readonly returns?: StandardSchema | JsonSchema;
  /** Tools to try in this order, with the same arguments, where a call has failed for good. */
  readonly alternatives?: readonly string[];
  /** Tools of which no call runs while one of this does. */
  readonly conflicts?: readonly string[];
  /** Its own bounds and budgets: `{ timeoutMs: 5000, callsPerMinute: 60 }`. */
  readonly limits?: ToolLimits;
  /** What an attempt costs, in USD: budgets of cost count it. */
  readonly price?: { readonly perCall: number };
}

export interface FunctionTool extends ToolDeclaration {
  /**
   * Performs one attempt. Returns JSON data; `undefined` is a failure, `null` is nothing. An error
   * that it throws is its answer, and the message goes to the program. An async generator yields
   * the parts that `stream` reads one by one; for an ordinary call its result is a list of them.
   */
  readonly run: (args: never, context: ToolContext) => unknown;
}

export interface ToolContext {
  /** Aborted when the attempt is given up; pass it on to what you call. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this effect; send it to services that deduplicate. */
  readonly idempotencyKey: string;
  /** Where the run is traced: send them along, so that what answers joins the trace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shows text to a person who watches the run. */
  readonly progress: (text: string) => void;
  /** Says where what it returns comes from: kept with the outcome, for answers to name. */
  readonly source: (source: Source) => void;
}

type ArgumentsOf<Parameters> = Parameters extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : DataOf<Parameters>;

/** One that can be called by itself, as in its test: `await price.run({ article: 'bread' })`. */
export interface DefinedTool<Arguments, Result> extends ToolDeclaration {
  readonly run: (args: Arguments, context?: Partial<ToolContext>) => Result;
}

/**
 * Gives `run` the types of `parameters`: of a Standard Schema, or of a JSON Schema that stands
 * here. Integers beyond 2^53 come as bigints.
 */
export function defineTool<const Parameters extends StandardSchema | JsonSchema, Result>(
  tool: Omit<ToolDeclaration, 'parameters'> & {
    readonly parameters: Parameters;
    readonly run: (args: ArgumentsOf<Parameters>, context: ToolContext) => Result;
  },
): DefinedTool<ArgumentsOf<Parameters>, Result> {
  return { ...tool, run: (args, context) => tool.run(args, { ...alone(), ...context }) };
}

/** For a call without a run: nothing ends it, and nobody watches. */
const alone = (): ToolContext => ({
  signal: new AbortController().signal,
  idempotencyKey: 'alone',
  progress() {},
  source() {},
});
