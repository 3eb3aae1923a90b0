/** The kinds of work that an agent does, each as a function of what it works with. */

import type { Manner } from '../dialects/playbook/manner.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { SavedPlan } from '../engine/journal/saved-plans.ts';
import type { Goal } from '../planner/goal.ts';
import type { Value } from '../program/value.ts';
import { type OpenOptions, type OpenProgram, openProgram } from './open-program.ts';
import type { ReadyPlaybooks } from './playbook/play.ts';
import { InvalidProgram } from './port/errors.ts';
import type { Host } from './port/host.ts';
import type { AgentModels } from './port/settings.ts';
import type { Workspace } from './port/workspace.ts';
import type { Source } from './program/source.ts';
import type { RunNames } from './run/begin.ts';
import { runProgram } from './run/run-program.ts';
import type { GoalOptions, PursuitEnd } from './run/work.ts';
import type { Worked } from './session.ts';
import { openToolbox, type Toolbox } from './tools/toolbox.ts';

/** What all work of an agent has in common. */
export interface Base {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly isDurable: boolean;
  readonly names: RunNames;
}

export interface ProgramWork extends Base, OpenOptions {
  readonly source: Source;
  /** How often a model may repair it where it fails. */
  readonly repairs: number;
  readonly sequential: boolean;
  /** The saved plan that it is, and whether its goal is planned again where a guard fails. */
  readonly saved?: { readonly plan: SavedPlan; readonly replan: boolean } | undefined;
  /** Of playbooks: how they are played. */
  readonly manner: Partial<Manner>;
  readonly agentModels?: AgentModels | undefined;
  /** Whether playbooks hear messages when they have nothing to do. */
  readonly idle: boolean;
  /** What came along for the start of playbooks. */
  startup?(program: OpenProgram): Promise<string | undefined>;
  /** Hears what was made of playbooks before they are played. */
  ready?(playbooks: ReadyPlaybooks): void;
}

/** What running a program takes, but for the journal. */
export type ProgramParts = Omit<ProgramWork, 'journal' | 'isDurable'>;

/** Runs a program of any dialect, playbooks too. Throws `InvalidProgram`. */
export const runText = (work: ProgramWork, host: Host): Promise<Worked> =>
  withProgram(work, (opened) => runOpened(opened, work, host));

/** A program with its tools, for as long as `act` needs them. Throws `InvalidProgram`. */
export async function withProgram<Result>(
  parts: ProgramParts,
  act: (opened: OpenProgram) => Promise<Result>,
): Promise<Result> {
  const opened = await openProgram(parts.source, parts.workspace, parts);
  try {
    const { ok, diagnostics } = opened.checked;
    if (!ok) throw new InvalidProgram(diagnostics, opened.source);
    return await act(opened);
  } finally {
    opened.toolbox.close();
  }
}

export async function runOpened(
  opened: OpenProgram,
  work: ProgramWork,
  host: Host,
): Promise<Worked> {
  const { source, workspace, toolbox, checked } = opened;
  const { program, diagnostics, dialect } = checked;
  const { saved, repairs, sequential, goal, ...rest } = work;
  const run = { ...rest, sequential, workspace, toolbox, host, source, diagnostics };
  if (!program) {
    const { play, readyPlaybooks } = await import('./playbook/play.ts');
    const playbooks = { ...run, startup: await work.startup?.(opened) };
    const ready = await readyPlaybooks(playbooks);
    work.ready?.(ready);
    return await play(playbooks, ready);
  }
  const whole = { ...run, program, dialect };
  if (saved) {
    const { runSaved } = await import('./goal/saved-run.ts');
    return await runSaved({ ...whole, ...saved, repairs });
  }
  if (repairs === 0) return { result: await runProgram(whole), ...source };
  const { begin } = await import('./goal/course.ts');
  const { pursue } = await import('./goal/pursuit.ts');
  const text = goal ?? `Do what the program ${source.title} was written for.`;
  const asked = { goal: { text }, corrections: 2, repairs, refused: [], sequential };
  const command = { ...begin(asked), source, checked: { program, dialect, diagnostics } };
  return await pursue(run, { ...command, next: 'run' });
}

export interface GoalWork extends Base {
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly options: GoalOptions;
  readonly label?: string | undefined;
  /** False: no saved plan is looked at. */
  readonly saved?: boolean;
}

export async function answer(work: GoalWork, host: Host): Promise<PursuitEnd> {
  const { answerGoal } = await import('./goal/ask.ts');
  return await withTools(work, work.goal.text, (toolbox) => answerGoal({ ...work, toolbox, host }));
}

/** The answer is the text of the program, which is not run. */
export async function plan(work: GoalWork, host: Host): Promise<Worked> {
  const { planGoal } = await import('./loops/plan-run.ts');
  return await withTools(work, work.goal.text, async (toolbox) => {
    const { corrections = 2 } = work.options;
    const planned = await planGoal({ ...work, saved: undefined, toolbox, host, corrections });
    const { text, checked } = planned.plan;
    host.notice?.({ type: 'plan.written', text, dialect: checked.dialect });
    const { cost = null, ...counts } = planned.usage;
    const result = {
      ...{ run: planned.run ?? '', status: 'done' as const, answer: text, variables: {} },
      ...{ answers: [{ value: text, step: '' }], usage: { ...counts, cost }, warnings: [] },
    };
    return { result };
  });
}

export async function withTools<Result>(
  { workspace }: Base,
  goal: string | undefined,
  act: (toolbox: Toolbox) => Promise<Result>,
): Promise<Result> {
  const toolbox = await openToolbox(workspace, { goal });
  try {
    return await act(toolbox);
  } finally {
    toolbox.close();
  }
}
