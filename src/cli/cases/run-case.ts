/** Runs one case and compares what it does with what is expected. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { planGoal } from '../../agent/loops/plan-run.ts';
import { saidModels } from '../../agent/program/agent-models.ts';
import { checkSource } from '../../agent/program/check.ts';
import type { Source } from '../../agent/program/source.ts';
import { warningsOf } from '../../agent/record/load.ts';
import { openToolbox, type Toolbox } from '../../agent/tools/toolbox.ts';
import type { Handler } from '../../engine/handler.ts';
import { memoryJournal } from '../../engine/journal/memory/journal.ts';
import type { Approvals } from '../../engine/perform/approvals.ts';
import type { RunResult } from '../../engine/result.ts';
import { startRun } from '../../engine/run.ts';
import { PlanFailure } from '../../planner/planner.ts';
import { fromJson, stringify } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { readProgram } from '../program/read-program.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { type Case, expectedName, readJson } from './case-file.ts';
import { recordedHandlers } from './outcomes.ts';
import { type CaseDifference, differencesOf, type Trace, traceOf } from './trace.ts';

export interface CaseResult {
  readonly name: string;
  readonly ok: boolean;
  /** Whether `expected.json` was written. */
  readonly updated: boolean;
  readonly tookMs: number;
  /** Effects that had an outcome. */
  readonly effects: number;
  readonly differences: readonly CaseDifference[];
}

/** Throws `CliError` for what is wrong with the case itself. */
export async function runCase(one: Case, update: boolean): Promise<CaseResult> {
  const startedAt = performance.now();
  const got = await traced(one);
  const file = join(one.folder, expectedName);
  const isThere = existsSync(file);
  const before = isThere ? (readJson(file) as Trace) : undefined;
  const missing = { about: expectedName, expected: null, got: 'it is not there' };
  const differences = before ? differencesOf(before, got) : [missing];
  const updated = update && differences.length > 0;
  if (updated) writeFileSync(file, `${stringify(got, 2)}\n`);
  return {
    name: one.name,
    ok: updated || differences.length === 0,
    updated,
    tookMs: Math.round(performance.now() - startedAt),
    effects: got.effects.length,
    differences,
  };
}

async function traced(one: Case): Promise<Trace> {
  const { tools = [], transcript, dialect, limits = {}, outcomes } = one;
  const flags = {
    tools: tools.map((path) => resolve(one.folder, path)),
    ...(transcript !== undefined && { replay: resolve(one.folder, transcript) }),
    ...(dialect !== undefined && { dialect }),
  };
  const workspace = await openWorkspace({ flags, limits });
  const toolbox = await openToolbox(workspace);
  try {
    const recorded = outcomes === undefined ? undefined : resolve(one.folder, outcomes);
    const handlers = recorded === undefined ? toolbox.handlers : recordedHandlers(recorded);
    const place = { one, workspace, toolbox, handlers };
    const source = one.goal === undefined ? await programOf(one) : await plannedOf(place, one.goal);
    return 'status' in source ? source : await run(place, source);
  } finally {
    toolbox.close();
  }
}

interface Place {
  readonly one: Case;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly handlers: ReadonlyMap<string, Handler>;
}

async function programOf({ folder, program = '' }: Case): Promise<Source> {
  const source = await readProgram(join(folder, program));
  return { ...source, file: basename(program) };
}

/** The program that the model writes; the whole trace where there is none. */
async function plannedOf(
  { one, workspace, toolbox }: Place,
  text: string,
): Promise<Source | Trace> {
  const journal = memoryJournal();
  try {
    const inputs = inputsOf(one);
    const { plan } = await planGoal({
      ...{ workspace, toolbox, journal, inputs, isDurable: false, host: {} },
      goal: { text },
      corrections: 2,
    });
    return { text: plan.text, file: 'plan', title: text };
  } catch (error) {
    if (!(error instanceof PlanFailure)) throw error;
    const { code, message } = error;
    return endedTrace('failed', { code, message });
  } finally {
    journal.close();
  }
}

const inputsOf = ({ inputs = {} }: Case): Map<string, Value> =>
  new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)]));

async function run({ one, workspace, toolbox, handlers }: Place, source: Source): Promise<Trace> {
  const inputs = inputsOf(one);
  const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { program, dialect, diagnostics } = checkSource(source, {
    dialect: workspace.settings.dialect,
    specs,
    inputs: [...inputs.keys()],
    limits: workspace.settings.limits,
    models: saidModels(workspace.settings),
  });
  if (!program) {
    const wrong = diagnostics.find(({ severity }) => severity === 'error');
    const { code = '', message = '', line = 0 } = wrong ?? {};
    return endedTrace('invalid', { code, message, line });
  }
  if (one.outcomes === undefined) toolbox.prepare(program);
  const journal = memoryJournal();
  try {
    const result = await driven(one, {
      program,
      dialect,
      journal,
      handlers,
      inputs,
      source,
      warnings: warningsOf(diagnostics),
      limits: workspace.settings.limits,
    });
    return traceOf(journal, result, one.goal === undefined ? undefined : source.text);
  } finally {
    journal.close();
  }
}

interface Parts
  extends Pick<
    Parameters<typeof startRun>[0],
    'journal' | 'handlers' | 'inputs' | 'warnings' | 'limits'
  > {
  readonly program: Program;
  readonly dialect: string;
  readonly source: Source;
}

/** One effect at a time: what a case expects must not depend on which is quicker. */
async function driven({ yes = [], outcomes }: Case, parts: Parts): Promise<RunResult> {
  const { source, ...rest } = parts;
  // What was performed then had been approved; now nothing is.
  const approvals: Partial<Approvals> = outcomes === undefined ? { yes } : { policy: 'none' };
  const { text, title } = source;
  const handle = startRun({ ...rest, text, title, approvals, sequential: true });
  // A run may wait for something that does not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    return await handle.result;
  } finally {
    clearInterval(alive);
  }
}

const endedTrace = (status: 'failed' | 'invalid', error: unknown): Trace => ({
  ...{ status, answers: [], error },
  ...{ effects: [], messages: [] },
});
