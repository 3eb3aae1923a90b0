/** Runs one case and compares what it does with what is expected. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadReaderOf } from '../agent/playbook/load-reader.ts';
import type { Workspace } from '../agent/port/workspace.ts';
import { checkIn } from '../agent/program/check.ts';
import { readFileSource, withBeside } from '../agent/program/source.ts';
import { runProgram } from '../agent/run/run-program.ts';
import { toolSource } from '../agent/settings/quantity.ts';
import { openToolbox } from '../agent/tools/toolbox.ts';
import { memoryJournal } from '../engine/journal/open-journal.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import { fromJson, stringify } from '../program/json.ts';
import { type Case, expectedName, readJson } from './case-file.ts';
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
  { folder, tools = [], transcript, dialect, limits, yes }: Case,
): Promise<Workspace> {
  const { approve: _approve, yes: _yes, ...shared } = settings;
  const replay = transcript === undefined ? undefined : `replay/${resolve(folder, transcript)}`;
  await loadReaderOf(dialect);
  return {
    ...workspace,
    settings: {
      ...shared,
      ...(yes && { yes }),
      ...(replay && { model: replay, plannerModel: replay, judgeModel: replay }),
      ...(dialect !== undefined && { dialect }),
      tools: tools.map((path) => toolSource(folder, path)),
      limits: { ...settings.limits, ...limits },
    },
  };
}

async function traced(testCase: Case, workspace: Workspace): Promise<Trace> {
  const { folder, program: file, inputs = {} } = testCase;
  const toolbox = await openToolbox(workspace);
  const journal = memoryJournal();
  try {
    const values = new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)]));
    const written = withBeside(await readFileSource(join(folder, file)));
    const source = { ...written, file: basename(file) };
    const { program, dialect, diagnostics } = await checkIn(workspace, source, {
      specs: toolbox.specs,
      inputs: [...values.keys()],
    });
    if (!program) return invalidTrace(diagnostics);
    // One effect at a time: what a case expects must not depend on which is quicker.
    const checked = { source, program, dialect, diagnostics, sequential: true };
    const work = { workspace, toolbox, journal, isDurable: false, host: {}, inputs: values };
    return traceOf(journal, await runProgram({ ...work, ...checked }));
  } finally {
    journal.close();
    toolbox.close();
  }
}

function invalidTrace(diagnostics: readonly Diagnostic[]): Trace {
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  const { code = '', message = '', line = 0 } = problem ?? {};
  const error = { code, message, line };
  return { status: 'invalid', answers: [], error, effects: [], messages: [] };
}
