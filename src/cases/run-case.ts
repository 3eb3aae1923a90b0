/** Runs one case and compares what it does with what is expected. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { planGoal } from '../agent/loops/plan-run.ts';
import { loadReaderOf } from '../agent/playbook/load-reader.ts';
import type { Workspace } from '../agent/port/workspace.ts';
import { checkIn } from '../agent/program/check.ts';
import { readFileSource, type Source, withBeside } from '../agent/program/source.ts';
import { runProgram } from '../agent/run/run-program.ts';
import type { Work } from '../agent/run/work.ts';
import { toolSource } from '../agent/settings/quantity.ts';
import { openToolbox, type Toolbox } from '../agent/tools/toolbox.ts';
import type { Handler } from '../engine/handler.ts';
import { memoryJournal } from '../engine/journal/open-journal.ts';
import { PlanFailure } from '../planner/plan-failure.ts';
import { fromJson, stringify } from '../program/json.ts';
import type { Value } from '../program/value.ts';
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

/**
 * Runs it by the settings of a workspace and its own; `update` writes what it does as what is
 * expected. Throws `AgentError` for what is wrong with the case itself.
 */
export async function runCase(
  testCase: Case,
  workspace: Workspace,
  update: boolean,
): Promise<CaseResult> {
  const startedAt = performance.now();
  const got = await traced(testCase, await caseWorkspace(workspace, testCase));
  const file = join(testCase.folder, expectedName);
  const before = existsSync(file) ? (readJson(file) as Trace) : undefined;
  const missing = { about: expectedName, expected: null, got: 'it is not there' };
  const differences = before ? differencesOf(before, got) : [missing];
  const updated = update && differences.length > 0;
  if (updated) writeFileSync(file, `${stringify(got, 2)}\n`);
  return {
    name: testCase.name,
    ok: updated || differences.length === 0,
    updated,
    tookMs: Math.round(performance.now() - startedAt),
    effects: got.effects.length,
    differences,
  };
}

/** The workspace with what the case says; only the case says what is approved. */
async function caseWorkspace(
  { settings, rule: _, ...workspace }: Workspace,
  { folder, tools = [], transcript, dialect, limits, outcomes, yes }: Case,
): Promise<Workspace> {
  const { approve: _approve, yes: _yes, ...shared } = settings;
  const replay = transcript === undefined ? undefined : `replay/${resolve(folder, transcript)}`;
  // What was performed then had been approved; now nothing is.
  const approvals = outcomes === undefined ? yes && { yes } : { approve: 'none' as const };
  await loadReaderOf(dialect);
  return {
    ...workspace,
    settings: {
      ...shared,
      ...approvals,
      ...(replay && { model: replay, plannerModel: replay, judgeModel: replay }),
      ...(dialect !== undefined && { dialect }),
      tools: tools.map((path) => toolSource(folder, path)),
      limits: { ...settings.limits, ...limits },
    },
  };
}

interface CaseWork extends Work {
  readonly inputs: ReadonlyMap<string, Value>;
}

async function traced(testCase: Case, workspace: Workspace): Promise<Trace> {
  const { inputs = {} } = testCase;
  const opened = await openToolbox(workspace);
  const journal = memoryJournal();
  try {
    return await traceIn(testCase, {
      ...{ workspace, journal, isDurable: false, host: {} },
      toolbox: withOutcomes(opened, testCase),
      inputs: new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)])),
    });
  } finally {
    journal.close();
    opened.close();
  }
}

/** Of a case that has outcomes, the tools that answer with them in place of all others. */
function withOutcomes(toolbox: Toolbox, { folder, outcomes }: Case): Toolbox {
  if (outcomes === undefined) return toolbox;
  const handlers = recordedHandlers(resolve(folder, outcomes));
  return {
    ...toolbox,
    handlers,
    specs: specsOf(handlers),
    prepare: () => [],
    callsFunctions: () => false,
    kept: {},
  };
}

const specsOf = (handlers: ReadonlyMap<string, Handler>): Toolbox['specs'] =>
  new Map([...handlers].map(([name, { spec }]) => [name, spec]));

async function traceIn(testCase: Case, work: CaseWork): Promise<Trace> {
  const { goal } = testCase;
  const source = goal === undefined ? await programOf(testCase) : await plannedOf(work, goal);
  if ('status' in source) return source;
  const { program, dialect, diagnostics } = await checkIn(work.workspace, source, {
    specs: work.toolbox.specs,
    inputs: [...work.inputs.keys()],
  });
  if (!program) {
    const problem = diagnostics.find(({ severity }) => severity === 'error');
    const { code = '', message = '', line = 0 } = problem ?? {};
    return endedTrace('invalid', { code, message, line });
  }
  // One effect at a time: what a case expects must not depend on which is quicker.
  const checked = { source, program, dialect, diagnostics, sequential: true };
  const result = await runProgram({ ...work, ...checked });
  return traceOf(work.journal, result, goal === undefined ? undefined : source.text);
}

async function programOf({ folder, program = '' }: Case): Promise<Source> {
  const source = withBeside(await readFileSource(join(folder, program)));
  return { ...source, file: basename(program) };
}

/** The program that the model writes; the whole trace where it writes none. */
async function plannedOf(work: CaseWork, goal: string): Promise<Source | Trace> {
  try {
    const { plan } = await planGoal({ ...work, goal: { text: goal }, corrections: 2 });
    return { text: plan.text, file: 'plan', title: goal };
  } catch (error) {
    if (!(error instanceof PlanFailure)) throw error;
    const { code, message } = error;
    return endedTrace('failed', { code, message });
  }
}

const endedTrace = (status: 'failed' | 'invalid', error: unknown): Trace => ({
  ...{ status, answers: [], error },
  ...{ effects: [], messages: [] },
});
