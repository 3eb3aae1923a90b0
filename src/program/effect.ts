/**
 * What crosses the machine's border: declarations of tools, requests that go out, outcomes that
 * come back, and the errors a guest program can end with.
 */
import { type JsonSchema, plainSchema } from './json-schema.ts';
import type { ToolLimits } from './limits.ts';

export type { JsonSchema } from './json-schema.ts';

/** What kind of world a tool touches; decides the folder under `effects/` and how it is shown. */
export type EffectKind = 'model' | 'tool' | 'retrieve' | 'person' | 'clock';

/**
 * - `pure`: the same arguments give the same result; may be cached.
 * - `read`: changes nothing; may start early, be repeated or be cancelled. Model calls are reads.
 * - `write`: changes the world; starts only when everything before it has succeeded.
 */
export type EffectClass = 'pure' | 'read' | 'write';

/**
 * The declaration of a tool: what checkers, prompts and the machine know of it. Beyond what it does
 * it may say how it goes together with others (good practices of LLMCompiler's syntax glossary):
 *
 * - `after` (kept by the machine): of *each* of these tools a call must have succeeded, earlier in
 *   the program order of this run, before a call of this one starts. Where one is still open, this
 *   one waits for it; where there is none and the tool needs no arguments, the machine calls it
 *   first, with a warning on the step. Else, and where all have failed, the call fails and never
 *   starts.
 * - `requires` (machine): parameters that a person is asked for when a call leaves them out, or
 *   gives null for one that cannot be null: the call waits for `ask`, and has the answer as its
 *   argument. They count as required.
 * - `returns` (engine, checkers): JSON Schema of the result. A result that does not fit is a value
 *   like any other and a warning on the step, never a failure: the tool has answered, and it is the
 *   declaration that is off. Checkers judge field paths by it.
 * - `alternatives` (engine): tools to try in this order where an effect has failed for good, with
 *   the same arguments as far as they have parameters for them; within the same effect, journaled
 *   under its id, with a warning that says what stood in. Neither side may write. One whose
 *   required parameters are missing is passed over.
 * - `conflicts` (scheduler): tools of which no call runs while one of this tool does, either way
 *   round. It may name itself.
 * - `limits` (engine): bounds and budgets of its own, see `toolLimitTable`.
 *
 * - `aliases` (dialects, machine): further names that programs may call it by, with dots where they
 *   stand in a namespace: `WebHelpers.get_url`. Everything but the program's text knows it by
 *   `name` alone; see `tool-names.ts`.
 *
 * - `price` (engine): what an attempt costs, in USD; budgets of cost count it.
 * - `keys` (people): the variables of the environment that it takes keys out of; no model is told.
 * - `untold` (prompts): which planners are not told of it unless a goal names it: see
 *   `planner/told.ts`. Checkers and the machine know it like any other.
 *
 * Names are those of tools of the run. One that does not exist is an error of the configuration,
 * never of the program.
 */
export interface ToolSpec {
  /** Its canonical name; dots separate namespaces: `filesystem.read_file`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  /** An object schema; its property order is the order of positional arguments. */
  readonly parameters: JsonSchema;
  readonly kind: EffectKind;
  readonly effect: EffectClass;
  /** Whether an attempt may be repeated after a failure or a crash. Default: not for writes. */
  readonly idempotent: boolean;
  readonly destructive: boolean;
  /**
   * Whether it keeps its place in order as a write does, although it changes nothing: it starts
   * once all before it has succeeded, and reads behind it wait. A question, a pause, the time.
   */
  readonly ordered?: true;
  /**
   * Whether it sees nothing of the world but its arguments, although it may give something else
   * the next time: no write before it changes what it is asked, so it starts behind one, as what
   * is pure does. A judgement of a model about what it is shown.
   */
  readonly blind?: true;
  readonly after?: readonly string[];
  readonly requires?: readonly string[];
  readonly returns?: JsonSchema;
  readonly alternatives?: readonly string[];
  readonly conflicts?: readonly string[];
  readonly limits?: ToolLimits;
  readonly keys?: readonly string[];
  readonly untold?: Untold;
  readonly price?: { readonly perCall: number };
}

/**
 * - `tasks`: planners of tasks, whose plans have another way to the same, or nothing to gain by it.
 * - `starlark`: planners of programs in Starlark, which do the same by themselves.
 * - `all`: every planner; programs reach it by a word of their own language, or it has no use now.
 */
export type Untold = 'tasks' | 'starlark' | 'all';

/** An effect that the program wants and that may start now. */
export interface Request {
  /** Structural: fiber path, `#`, count of effects the fiber has issued: `0#7`. */
  readonly id: string;
  readonly tool: string;
  /** Canonical tagged JSON of the arguments, an object keyed by parameter name. */
  readonly args: string;
  /** The step that issued it, with its visit: `4@2`; empty outside any step. */
  readonly step: string;
  readonly site: Site;
  /** Whether the program goes on with its failure, as with a value. */
  readonly handled?: boolean;
  /**
   * Equal requests with equal `once` are performed once in a run, if that succeeds: it names the
   * write, pause or question that stands before them. Absent: each is performed.
   */
  readonly once?: string;
  /** Whether its parts are to be handed in as they come, before its outcome. */
  readonly stream?: boolean;
  /**
   * Whether its outcome may be `{"barrier": …}`: then the request is made again as `0#7.1`, with
   * that as the argument `barrier`, once more of what stands before it has succeeded.
   */
  readonly barrier?: boolean;
  /**
   * For `first`: nobody performs it. Its outcome is the index of the winner, a failure where all
   * have failed, or null where nobody has come within the time, which begins with its first start.
   */
  readonly race?: { readonly timeoutMs: number | null };
}

/** What a race goes by where others have the names of their tools. */
export const raceTool = 'first';

/** A place in the program's source. Lines and columns count from 1; 0 means unknown. */
export interface Site {
  readonly line: number;
  readonly column: number;
}

/** The place alone of what has one. */
export const siteOf = ({ line, column }: Site): Site => ({ line, column });

/** Where an outcome comes from: a page, a file, a record of a service. */
export interface Source {
  /** An address: `https:`, `file:`, or the name that a server gives it. After all redirects. */
  readonly url: string;
  readonly title?: string;
  /** When it was fetched, epoch milliseconds: before the effect where it had been kept. */
  readonly fetchedAt?: number;
}

/** Why an effect failed, in words that a person and a model can act on. */
export interface EffectError {
  /** `PV…`, or a tool's own code. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** It ends the program: no handler takes it, no attempt goes on behind it. */
  readonly final?: true;
}

/** How an effect settled. `value` is canonical tagged JSON. */
export type Outcome =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: EffectError };

/** One line of a back-trace, in the guest program's coordinates; innermost frame last. */
export interface TraceFrame extends Site {
  readonly name: string;
  /** Its file, where the program has several; `<builtin>` for a function of the library. */
  readonly file?: string;
}

/** How a program failed: the error and the place that issued it. */
export interface GuestError extends EffectError, Site {
  /** Step id with visit, empty outside any step. */
  readonly step: string;
  readonly trace: readonly TraceFrame[];
  /** The text that the place is of, where that is not the program's own: see `Step.file`. */
  readonly file?: string;
}

/** The parameters that a call has to give: a person is asked for what else is required. */
export const mandatory = ({ parameters, requires = [] }: ToolSpec): readonly string[] =>
  (parameters.required ?? []).filter((name) => !requires.includes(name));

/** Fills in what a declaration leaves open: an undeclared class is a write. */
export function toolSpec(
  spec: Partial<ToolSpec> & Pick<ToolSpec, 'name' | 'description'>,
): ToolSpec {
  const effect = spec.effect ?? 'write';
  const parameters = plainSchema(spec.parameters ?? { type: 'object', properties: {} });
  const schemas = { parameters, ...(spec.returns && { returns: plainSchema(spec.returns) }) };
  return {
    kind: 'tool',
    ...schemas,
    idempotent: effect !== 'write',
    destructive: false,
    ...spec,
    ...schemas,
    effect,
  };
}

// What models and tools say that they have used: data from outside, which may be anything.

/** More tokens, or dollars, than any one call has. */
const countMax = 1e9;

/** Whether a model may have counted so many tokens for one call. */
export const isTokenCount = (count: unknown): count is number =>
  isAmount(count) && Number.isInteger(count);

/** Whether a call may have cost so much. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= countMax;
