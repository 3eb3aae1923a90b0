/** The engine's public face: start a run, resume one; `cancel.ts` cancels one. */
import { createMachine } from '../machine/create.ts';
import type { Machine, Snapshot } from '../machine/machine.ts';
import type { EffectClass, JsonSchema, ToolSpec } from '../program/effect.ts';
import { encode } from '../program/json.ts';
import { type Limits, limitNames } from '../program/limits.ts';
import { togetherProblems } from '../program/together.ts';
import { dict } from '../program/value.ts';
import { compared, watched } from './always-replay.ts';
import { systemClock } from './clock.ts';
import { RunError } from './codes.ts';
import { Execution } from './execution.ts';
import type { ExecutionParts } from './execution-parts.ts';
import type { Handler } from './handler.ts';
import { innerRuns } from './inner-run.ts';
import { type EventBody, JournalError, type Lease, type RunRecord } from './journal/journal.ts';
import { processOwner } from './journal/owner.ts';
import type { RunStatus } from './journal/run-state.ts';
import {
  type Load,
  type Loaded,
  limitsSoFar,
  loadProgram,
  machineFor,
  programHash,
  type RecordedRun,
  withhold,
} from './load.ts';
import { dropLost, forgetSeen, restoreLatest } from './past/checkpoint.ts';
import type { Past } from './past/past.ts';
import { unhandledFailures } from './past/past-effect.ts';
import { readPast } from './past/read-past.ts';
import { missingTool } from './past/walk.ts';
import { type Approvals, defaultApprovals } from './perform/approvals.ts';
import { argumentReader, hasSecrets, resultReader, secretArguments } from './perform/arguments.ts';
import type { RunTool } from './perform/job.ts';
import { concernIn, withSources } from './provenance/concern.ts';
import type { RunResult } from './result.ts';
import { existingRun, findRun, nameInRecord, RunExists, runId } from './run-name.ts';
import type { EngineOptions, ResumeOptions, RunHandle, StartOptions } from './run-options.ts';
import {
  effectiveLimits,
  newKey,
  noKey,
  readSettings,
  writeLimits,
  writeSettings,
} from './settings.ts';

export type { EngineOptions, ResumeOptions, RunHandle, StartOptions } from './run-options.ts';

/**
 * Creates a run and lets it go. Throws `JournalError` where the journal refuses it, and `RunError`:
 * PV5150 for tools that declare of each other what cannot be kept, PV5111 and PV5114 for an id and
 * metadata that a run cannot have. Under an id that was given before it starts nothing: it throws
 * `RunExists` for the same request, PV5113 for another one.
 */
export function startRun(options: StartOptions): RunHandle {
  const { handlers, program, text, dialect, inputs = new Map() } = options;
  const { clock = systemClock, random = Math.random } = options;
  const approvals = { ...defaultApprovals, ...options.approvals };
  const { sequential = false } = options;
  const specs = new Map([...handlers].map(([name, handler]) => [name, handler.spec]));
  const requestKey = hasSecrets(specs.values()) ? newKey() : noKey;
  const settings = { limits: options.limits ?? {}, sequential, approvals, requestKey };
  const run: RunRecord = {
    id: options.id ?? runId(clock.now(), random),
    title: options.title ?? '',
    dialect,
    createdAt: clock.now(),
    inputs: encode(dict(inputs)),
    settings: writeSettings(options.settings ?? {}, settings),
    ...nameInRecord(options),
    ...(options.parent && { parent: options.parent }),
  };
  refuseContradictions(specs);
  withhold(specs, readSettings(run.settings));
  const tools = JSON.stringify([...specs.values()]);
  const limits = effectiveLimits(settings);
  const lease = createRun(options, run, [
    { type: 'run.started', run },
    { type: 'program.loaded', text, dialect, hash: programHash(program), tools },
  ]);
  const past = { ...readPast([]), requestKey };
  const own: Own = {
    ...{ lease, program, specs, limits, past, approvals },
    machine: createMachine(program, { tools: specs, inputs, limits }),
    sameProgram: true,
    warnings: options.warnings ?? [],
    opening: [],
  };
  return begin(readyWith(options, own, { inputs, load: () => ({ program }) }));
}

/** The journal decides in one transaction which of several starts under one id creates the run. */
function createRun(options: StartOptions, run: RunRecord, events: readonly EventBody[]): Lease {
  try {
    return options.journal.create(run, options.owner ?? processOwner(), events);
  } catch (error) {
    const isTaken = error instanceof JournalError && error.code === 'PV5004';
    const existing = isTaken && run.identity ? existingRun(options) : undefined;
    throw existing ? new RunExists(existing) : error;
  }
}

/**
 * Takes up a run that has stopped, wherever its process ended, and goes on. Of a run that failed,
 * the effects that failed are performed again: what was wrong outside of it may have been mended.
 * Throws `RunError` when there is nothing to go on with, `RunOwned` while another process has it.
 */
export function resumeRun(options: ResumeOptions): RunHandle {
  const { journal, run } = options;
  const summary = findRun(journal, run);
  if (summary.status === 'done' || summary.status === 'invalid') {
    throw new RunError('PV5106', `run ${run} has ended: ${summary.status}`, { run });
  }
  const lease = journal.claim(run, options.owner ?? processOwner());
  try {
    return begin(takeUp(options, lease, summary.status));
  } catch (error) {
    journal.release(lease);
    throw error;
  }
}

/** A run that is about to go on, and how it would be rebuilt. */
export interface Ready {
  readonly execution: Execution;
  readonly replay: RecordedRun;
  readonly handlers: ReadonlyMap<string, Handler>;
}

/** Lets it go with the next turn of the event loop. */
export function begin({ execution, replay, handlers }: Ready): RunHandle {
  execution.begin();
  const sourced = (result: RunResult): RunResult =>
    execution.sourced ? withSources(result, replay) : result;
  return {
    id: replay.run,
    result: closed(compared(execution.result, replay), replay.run, handlers).then(sourced),
    cancel: (reason = 'cancelled') => execution.cancel(reason),
    breakOff(effect) {
      const result = execution.breakOff(effect);
      return result && sourced(result);
    },
    subscribe: (listener) => execution.subscribe(listener),
  };
}

/** The result, once handlers have closed what they kept for the run. */
async function closed(
  result: Promise<RunResult>,
  run: string,
  handlers: ReadonlyMap<string, Handler>,
): Promise<RunResult> {
  try {
    return await result;
  } finally {
    await Promise.allSettled([...handlers.values()].map((handler) => handler.ended?.(run)));
  }
}

function takeUp(options: ResumeOptions, lease: Lease, status: RunStatus): Ready {
  const { journal, run } = options;
  const events = journal.events(run);
  const again = status === 'failed' ? unhandledFailures(readPast(events).effects) : [];
  const resumed: EventBody = { type: 'run.resumed', ...(again.length > 0 ? { again } : {}) };
  // No time has passed between the end of what there is and this.
  const { seq = 0, at = 0 } = events.at(-1) ?? {};
  const past = readPast([...events, { ...resumed, seq: seq + 1, at }]);
  if (again.length > 0) dropLost(journal, lease, past);
  const loaded = loadProgram(run, past, options.load);
  const changed = changedLimits(limitsSoFar(loaded, past), options.limits ?? {});
  const opening: EventBody[] = [resumed];
  if (Object.keys(changed).length > 0) {
    opening.push({ type: 'limit.raised', limits: writeLimits(changed) });
  }
  return executionOf(options, { lease, past, loaded, opening });
}

/** What a run goes on with that is in the journal. */
export interface Taken {
  readonly lease: Lease;
  readonly past: Past;
  readonly loaded: Loaded;
  /** Events that are still to be journaled. */
  readonly opening: readonly EventBody[];
}

/** What goes on where the past ends. */
export function executionOf(
  options: EngineOptions & Pick<ResumeOptions, 'assume'>,
  { lease, past, loaded, opening }: Taken,
): Ready {
  const { journal } = options;
  const { program, specs, inputs, source, settings } = loaded;
  const before = limitsSoFar(loaded, past);
  const changed = changedLimits(before, options.limits ?? {});
  const limits = effectiveLimits({ ...settings, limits: { ...before, ...changed } });
  const restored = restoreLatest({ journal, run: lease.run, past, loaded, limits });
  if (restored) forgetSeen(past, restored);
  const own: Own = {
    ...{ lease, program, specs, limits, past, restored, opening },
    machine: restored?.machine ?? machineFor(loaded, past, limits),
    sameProgram: source.hash === programHash(program),
    assume: options.assume,
    approvals: addedApprovals(settings.approvals, options.approvals),
    warnings: loaded.warnings,
  };
  return readyWith(options, own, { inputs, load: () => loaded });
}

/** What a run that starts and one that goes on each have of their own. */
type Own = Omit<
  ExecutionParts,
  | ('journal' | 'clock' | 'random' | 'checkpointEvery' | 'person' | 'rule' | 'gate')
  | ('within' | 'inner' | 'tool' | 'concern' | 'grows')
>;

function readyWith(
  options: EngineOptions,
  own: Own,
  { inputs, load }: Pick<Loaded, 'inputs'> & { readonly load: Load },
): Ready {
  const { journal, handlers, clock = systemClock, random = Math.random } = options;
  const { checkpointEvery, person, rule, gate } = options;
  const { lease, program, specs, past, limits, approvals } = own;
  const replay = { journal, run: lease.run, load };
  const again = (snapshot: Snapshot): Machine =>
    machineFor({ program, specs, inputs }, past, limits, snapshot);
  const execution = new Execution({
    ...own,
    grows: false,
    ...{ journal, clock, random, checkpointEvery, person, rule, gate },
    ...aroundInner(options, limits, approvals, load),
    machine: watched(own.machine, again, replay),
    tool: toolLookup(handlers, specs),
    concern: (recorder) => concernIn({ journal, ...own }, recorder),
  });
  return { execution, replay, handlers };
}

/** How a run stands to those within its effects, and to the one that it is within itself. */
export function aroundInner(
  options: Pick<EngineOptions, 'journal' | 'owner' | 'clock' | 'random' | 'within' | 'rule'>,
  limits: Limits,
  approvals: Approvals,
  load?: Load,
): Pick<ExecutionParts, 'within' | 'inner'> {
  const { journal, within, owner = processOwner() } = options;
  const { clock = systemClock, random = Math.random } = options;
  const host = { journal, owner, clock, random, limits, approvals, rule: options.rule, load };
  return { within, inner: innerRuns({ ...host, start: startRun, resume: resumeRun }) };
}

function addedApprovals(before: Approvals, given: Partial<Approvals> = {}): Approvals {
  const { policy = before.policy, yes = [] } = given;
  return { policy, yes: [...new Set([...before.yes, ...yes])] };
}

/** Only what differs, so that the journal says what was raised and not what was repeated. */
export function changedLimits(before: Partial<Limits>, given: Partial<Limits>): Partial<Limits> {
  const changed = limitNames.filter(
    (name) => given[name] !== undefined && given[name] !== before[name],
  );
  return Object.fromEntries(changed.map((name) => [name, given[name]]));
}

function refuseContradictions(specs: ReadonlyMap<string, ToolSpec>): void {
  const [problem] = togetherProblems(specs);
  if (!problem) return;
  const { tool, message, hint } = problem;
  throw new RunError('PV5150', `the tool ${tool}: ${message}`, hint === undefined ? {} : { hint });
}

/** What a person is asked for is required, whatever the schema says. */
function wholeParameters({ parameters, requires = [] }: ToolSpec): JsonSchema {
  return { ...parameters, required: [...new Set([...(parameters.required ?? []), ...requires])] };
}

const classes: readonly EffectClass[] = ['pure', 'read', 'write'];

const stricter = (one: EffectClass, other: EffectClass): EffectClass =>
  classes.indexOf(one) > classes.indexOf(other) ? one : other;

/** Tools made ready on first use. `specs` are those the program was compiled with. */
export function toolLookup(
  handlers: ReadonlyMap<string, Handler>,
  specs: ReadonlyMap<string, ToolSpec>,
): (name: string) => RunTool {
  const ready = new Map<string, RunTool>();
  const lookup = (name: string): RunTool => {
    const known = ready.get(name);
    if (known) return known;
    const handler = handlers.get(name);
    if (!handler) throw missingTool(name);
    const then = specs.get(name) ?? handler.spec;
    // What the program relied on stays, unless the tool does more today: it may come from anybody.
    const spec: ToolSpec = {
      ...handler.spec,
      effect: stricter(then.effect, handler.spec.effect),
      destructive: then.destructive || handler.spec.destructive,
      idempotent: then.idempotent && handler.spec.idempotent,
    };
    const { returns, alternatives } = spec;
    const made: RunTool = {
      ...{ spec, handler, read: argumentReader(wholeParameters(spec)) },
      secret: secretArguments(spec.parameters),
      ...(returns && { misfits: resultReader(returns) }),
      ...(alternatives && {
        standIns: () => alternatives.filter((one) => handlers.has(one)).map(lookup),
      }),
    };
    ready.set(name, made);
    return made;
  };
  return lookup;
}
