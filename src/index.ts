/**
 * The public API of planvm, on one screen.
 *
 *     import { defineTool, run } from 'planvm';
 *
 *     const add = defineTool({ name: 'add', description: 'Adds.', effect: 'pure', … });
 *     const { answer } = await run(text, { tools: [add], model: 'openai/gpt-5-mini' });
 */
import { isEventFor } from './agent/record/event-for.ts';
import { load, warningsOf } from './agent/record/load.ts';
import type { Checked } from './dialects/dialect.ts';
import { checkProgram, unwrap, withSaid } from './dialects/index.ts';
import { readPlaybooksWith } from './dialects/playbook/index.ts';
import * as playbookReader from './dialects/playbook/reader.ts';
import { type BuiltIn, builtInTools } from './effects/built-in.ts';
import { builtInSpecs } from './effects/built-in-specs.ts';
import type { LanguageModel } from './effects/model/language-model.ts';
import { openModel } from './effects/model/open.ts';
import { modelOf, type OwnModel } from './effects/model/own-model.ts';
import type { ContextWindow } from './effects/model/window.ts';
import { askHandler } from './effects/person/ask.ts';
import { guarded, type RedactionRules, redactionOf } from './effects/redaction.ts';
import { openKnowledge } from './effects/retrieve/knowledge.ts';
import { type AiTools, fromAiTools } from './effects/tool/ai-tools.ts';
import { functionHandlers } from './effects/tool/function.ts';
import type { FunctionTool } from './effects/tool/tool.ts';
import type { Listener } from './engine/events.ts';
import { forkRun } from './engine/fork/fork.ts';
import { editFrom, type ForkChanges } from './engine/fork/fork-changes.ts';
import { EffectFailure, type Handler, type RunLoop } from './engine/handler.ts';
import type { Journal } from './engine/journal/journal.ts';
import { openJournal } from './engine/journal/open-journal.ts';
import type { Load } from './engine/load.ts';
import type { Assume } from './engine/past/assume.ts';
import type { ApprovalRule } from './engine/perform/approval-rule.ts';
import type { Approvals } from './engine/perform/approvals.ts';
import type { Person } from './engine/perform/person.ts';
import { answerRun, decideRun } from './engine/reply.ts';
import type { RunResult } from './engine/result.ts';
import { type RunHandle, resumeRun, startRun } from './engine/run.ts';
import { loopRunner } from './planner/run-loop.ts';
import type { Diagnostic } from './program/diagnostic.ts';
import type { ToolSpec } from './program/effect.ts';
import { fromJson } from './program/json.ts';
import { type Limits, limits as limitsWith } from './program/limits.ts';
import type { Program } from './program/program.ts';
import { openTelemetry } from './telemetry/telemetry.ts';

// Checking does not wait here, whatever the dialect.
readPlaybooksWith(playbookReader);

export type { Config } from './cli/settings/config-file.ts';
export { disassemble } from './dialects/assembly/disassembler.ts';
export {
  render as renderDiagnostic,
  renderAll as renderDiagnostics,
} from './dialects/diagnostic.ts';
export type { Checked } from './dialects/dialect.ts';
export { dialects } from './dialects/index.ts';
export type { ApiSource } from './effects/http/openapi/source.ts';
export type { HttpDeclaration } from './effects/http/template.ts';
export { type HttpToolsOptions, httpTools, openApiTools } from './effects/http/tools.ts';
export type { Model, ModelReply, ModelRequest } from './effects/model/model.ts';
export { openModel } from './effects/model/open.ts';
export type { OwnModel } from './effects/model/own-model.ts';
export type { RedactionRules } from './effects/redaction.ts';
export { ingest } from './effects/retrieve/ingest.ts';
export { openKnowledge } from './effects/retrieve/knowledge.ts';
export type { AiTool, AiTools } from './effects/tool/ai-tools.ts';
export {
  type DefinedTool,
  defineTool,
  type FunctionTool,
  type ToolContext,
} from './effects/tool/tool.ts';
export { toolSet } from './effects/tool-sets.ts';
export type { WatchEvent } from './engine/events.ts';
export { forkRun } from './engine/fork/fork.ts';
export type { ForkChanges } from './engine/fork/fork-changes.ts';
export type { ForkOptions } from './engine/fork/fork-draft.ts';
export { type ForkPreview, previewFork } from './engine/fork/fork-preview.ts';
export { EffectFailure, type Handler } from './engine/handler.ts';
export { exportRuns } from './engine/journal/export.ts';
export type { ForkEdit } from './engine/journal/fork-edit.ts';
export { importRuns, readExport } from './engine/journal/import.ts';
export { type Journal, JournalError } from './engine/journal/journal.ts';
export { openJournal } from './engine/journal/open-journal.ts';
export type { ApprovalRule } from './engine/perform/approval-rule.ts';
export type { Approvals } from './engine/perform/approvals.ts';
export type { OpenWait, Person } from './engine/perform/person.ts';
export { answerOrigins } from './engine/provenance/answers.ts';
export type { RunResult } from './engine/result.ts';
export { cancelRun, type RunHandle, resumeRun, startRun } from './engine/run.ts';
export { type Comparison, compareRuns } from './engine/views/compare.ts';
export { familyOf, type Member } from './engine/views/family.ts';
export { showRun } from './engine/views/show.ts';
export { decodeValue, encodeValue, type Json } from './program/json.ts';
export type {
  EvaluateOptions,
  Evaluation,
  EvaluationError,
  EvaluationFrame,
  HostInput,
  HostValue,
  LoadedModule,
  LoadModule,
  NativeFunction,
  ObjectBehaviour,
} from './starlark/index.ts';
export { Guest, starlark } from './starlark/index.ts';
export type { Diagnostic, Limits, Program, ToolSpec };

export interface RunOptions {
  /** What programs may call besides the built-in tools; one of the same name replaces those. */
  readonly tools?: readonly (FunctionTool | Handler)[] | AiTools;
  /** `provider/model`, with keys from `env`; one of the `ai` package; or a model of your own. */
  readonly model?: string | OwnModel | LanguageModel;
  /** Where addresses and keys of providers are looked up. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Tokens that a model can be sent and reply, for all models or by name, if not known. */
  readonly contextWindow?: ContextWindow;
  /** What the run is for: values that do not fit the window are shortened with regard to it. */
  readonly goal?: string;
  /** Path of the knowledge base that retrieval searches. */
  readonly knowledge?: string;
  /** Variables that are set before the program starts: JSON data. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** What the text is written in; found out where absent. */
  readonly dialect?: string;
  /** Those that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** One effect at a time. */
  readonly sequential?: boolean;
  /** A journal, or the path of one. Default: in memory, so that nothing can be resumed. */
  readonly journal?: Journal | string;
  /**
   * What is asked about before it is performed; default: what cannot be undone. A function decides
   * about each call that changes something: `allow`, `ask` a person, or `deny`.
   */
  readonly approvals?: Partial<Approvals> | ApprovalRule;
  /** Who answers and approves while the run goes on; without one it ends as waiting. */
  readonly person?: Person;
  /** Suspends the run when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onEvent?: Listener;
  /** What else of the environment is secret, and what is not. */
  readonly redact?: RedactionRules;
}

/** A text is no valid program. `diagnostics` say why, each with its place. */
export class InvalidProgram extends Error {
  override readonly name = 'InvalidProgram';
  readonly diagnostics: readonly Diagnostic[];

  /** Throws `RangeError` where none of them is an error. */
  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    if (!first) throw new RangeError('got no error among the diagnostics, want at least one');
    super(`${first.line}:${first.column}: ${first.code} ${first.message}`);
    this.diagnostics = diagnostics;
  }
}

/** A text is valid, but no program of the machine: a control loop plays it. */
export class NeedsLoop extends Error {
  override readonly name = 'NeedsLoop';
  readonly code = 'PV6066';
  readonly dialect: string;
  readonly hint = 'check says whether it is valid; the command planvm run plays it';

  constructor(dialect: string) {
    super(`a ${dialect} is played by a control loop, which the library does not run`);
    this.dialect = dialect;
  }
}

/** Everything that can be said about a text without running it. `tools` come to the built-in. */
export function check(
  text: string,
  options: {
    readonly tools?: readonly ToolSpec[];
    readonly inputs?: readonly string[];
    readonly dialect?: string;
    /** How long the text and its program may be, where that differs from the defaults. */
    readonly limits?: Pick<Partial<Limits>, 'sourceBytes' | 'programInstructions'>;
  } = {},
): Checked {
  const { tools = [], inputs = [], dialect, limits } = options;
  const { sourceBytes: sourceBytesMax, programInstructions } = limitsWith(limits);
  const specs = [...builtInSpecs, ...tools];
  const environment = { tools: new Map(specs.map((spec) => [spec.name, spec])), inputs };
  const { text: program, said } = unwrap(text);
  const most = { sourceBytesMax, instructionsMax: programInstructions };
  const named = dialect === undefined ? {} : { dialect };
  return withSaid(said, checkProgram(program, environment, { ...most, ...named }));
}

/** The program of a text. Throws `InvalidProgram`; `NeedsLoop`. */
export function compile(text: string, options: Parameters<typeof check>[1] = {}): Program {
  return programOf(check(text, options));
}

function programOf({ ok, program, dialect, diagnostics }: Checked): Program {
  if (program) return program;
  throw ok ? new NeedsLoop(dialect) : new InvalidProgram(diagnostics);
}

/**
 * Runs a program to its end. A program that fails, waits or meets a limit is a result, with
 * `status`, `reason` and `error`. Throws `InvalidProgram`; `NeedsLoop`; `EffectFailure` for tools
 * and models that are none; `JournalError`.
 */
export async function run(text: string, options: RunOptions = {}): Promise<RunResult> {
  return await within(options, (journal, handlers) => {
    const { inputs = {}, dialect, limits, sequential = false, person } = options;
    const tools = [...handlers.values()].map(({ spec }) => spec);
    const named = dialect === undefined ? {} : { dialect };
    const most = limits && { limits };
    const checked = check(text, { tools, inputs: Object.keys(inputs), ...named, ...most });
    const program = programOf(checked);
    const values = Object.entries(inputs).map(([name, data]) => [name, fromJson(data)] as const);
    return startRun({
      journal,
      handlers,
      limits,
      ...approvalsOf(options),
      person,
      sequential,
      text: unwrap(text).text,
      program,
      dialect: checked.dialect,
      inputs: new Map(values),
      warnings: warningsOf(checked.diagnostics),
    });
  });
}

/** Goes on with a run of a journal; the tools and the model have to be given again. */
export async function resume(
  id: string,
  options: RunOptions & { readonly journal: Journal | string; readonly assume?: Assume },
): Promise<RunResult> {
  const { limits, assume, person } = options;
  return await within(options, (journal, handlers) =>
    resumeRun({
      ...{ journal, handlers, limits, person, assume, run: id, load },
      ...approvalsOf(options),
    }),
  );
}

/**
 * Makes a new run that begins as another one of a journal and differs from a step on, and runs it.
 * What it asks for as the other one did is answered from there. Throws `RunError` where the changes
 * name what there is not.
 */
export async function fork(
  id: string,
  changes: ForkChanges,
  options: RunOptions & { readonly journal: Journal | string },
): Promise<RunResult> {
  const { limits, person } = options;
  const { program } = changes;
  const text = program && unwrap(program.text).text;
  const edit = editFrom({ ...changes, ...(program && text && { program: { ...program, text } }) });
  // What is new is checked as a program that starts.
  const reading: Load = (read, dialect, specs, inputs) => {
    if (read !== text) return load(read, dialect, specs, inputs);
    const most = limits && { limits };
    const checked = check(read, { tools: [...specs.values()], inputs, dialect, ...most });
    return { program: programOf(checked), warnings: warningsOf(checked.diagnostics) };
  };
  return await within(options, (journal, handlers) =>
    forkRun({
      ...{ journal, handlers, limits, person, edit, run: id, load: reading },
      ...approvalsOf(options),
    }),
  );
}

/**
 * Leaves the answer to a question with a run, for whoever has it or resumes it. Of several,
 * `effect` names one, or `to` whose it is. Throws `RunError`: PV5142 where nothing waits for it,
 * PV5143 where several do, PV5144 for an answer that does not fit.
 */
export async function answer(
  journal: Journal,
  run: string,
  value: unknown,
  options: { readonly effect?: string; readonly to?: string; readonly by: string },
): Promise<void> {
  const isForAll = isEventFor({ journal, run }, value);
  await answerRun({ journal, run, handlers: asking, ...options, isForAll, answer: () => value });
}

/** Leaves an approval with a run, or a denial; `effects` may be absent where there is but one. */
export async function decide(
  journal: Journal,
  run: string,
  approved: boolean,
  options: {
    readonly effects?: readonly string[] | 'all';
    readonly by: string;
    readonly note?: string;
  },
): Promise<void> {
  await decideRun({ journal, run, handlers: asking, approved, effects: [], ...options });
}

const asking = new Map([[askHandler.spec.name, askHandler]]);

async function within(
  options: RunOptions,
  begin: (journal: Journal, handlers: ReadonlyMap<string, Handler>) => RunHandle,
): Promise<RunResult> {
  const { journal: given = ':memory:', tools = [], signal, onEvent } = options;
  const own: Handler[] = [];
  for (const [index, tool] of (await toolsIn(tools)).entries()) {
    own.push(...('spec' in tool ? [tool] : await functionHandlers([tool], `tools[${index}]`)));
  }
  const redaction = redactionOf(options.env ?? process.env, options.redact);
  const telemetry = await openTelemetry();
  const ready = (all: ReadonlyMap<string, Handler>): ReadonlyMap<string, Handler> => {
    const clean = new Map([...all].map(([name, one]) => [name, guarded(one, redaction)]));
    return telemetry?.tools(clean) ?? clean;
  };
  const builtIn = openBuiltIn(options, loopRunner({ ready }));
  const journal = typeof given === 'string' ? openJournal(given) : given;
  // A run may wait for something that does not keep Node alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    const all = [...builtIn.handlers, ...own];
    const handle = begin(journal, ready(new Map(all.map((one) => [one.spec.name, one]))));
    const { title = '', dialect = '', events = 0 } = journal.find(handle.id) ?? {};
    telemetry?.watch(handle, { title, dialect, resumed: events > newEvents });
    if (onEvent) handle.subscribe(onEvent);
    const interrupt = (): void => handle.cancel('interrupted');
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted) interrupt();
    try {
      return await handle.result;
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  } finally {
    clearInterval(alive);
    builtIn.close();
    if (typeof given === 'string') journal.close();
  }
}

const approvalsOf = ({ approvals }: RunOptions) =>
  typeof approvals === 'function'
    ? ({ approvals: { policy: 'writes' }, rule: approvals } as const)
    : { approvals };

const toolsIn = async (
  tools: NonNullable<RunOptions['tools']>,
): Promise<readonly (FunctionTool | Handler)[]> =>
  isList(tools) ? tools : await fromAiTools(tools);

const isList = <Item>(tools: readonly Item[] | AiTools): tools is readonly Item[] =>
  Array.isArray(tools);

/** Of a run that has just been created: its start and its program. */
const newEvents = 2;

function openBuiltIn(
  { model, env = process.env, knowledge, contextWindow, goal }: RunOptions,
  runLoop: RunLoop,
): BuiltIn {
  const missing = (option: string): never => {
    throw new EffectFailure('PV6011', `the run has no ${option}: give it the option ${option}`, {
      mayHaveActed: false,
    });
  };
  return builtInTools({
    openModel: () =>
      typeof model === 'string' ? openModel(model, { env }) : modelOf(model ?? missing('model')),
    openKnowledge: () => openKnowledge(knowledge ?? missing('knowledge'), { mustExist: true }),
    runLoop,
    ...(contextWindow !== undefined && { settings: { contextWindow } }),
    ...(goal !== undefined && { long: { goal } }),
  });
}
