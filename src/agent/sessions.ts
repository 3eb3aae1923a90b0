/** The kinds of work that an agent does, each as a function of what it works with. */

import type { Manner } from '../dialects/playbook/manner.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { Goal } from '../planner/goal.ts';
import type { Value } from '../program/value.ts';
import { answerGoal } from './goal/ask.ts';
import { begin } from './goal/course.ts';
import { pursue } from './goal/pursuit.ts';
import { planGoal } from './loops/plan-run.ts';
import { openProgram } from './open-program.ts';
import { InvalidProgram } from './port/errors.ts';
import type { Host } from './port/host.ts';
import type { Workspace } from './port/workspace.ts';
import type { Source } from './program/source.ts';
import type { RunNames } from './run/begin.ts';
import { runProgram } from './run/run-program.ts';
import type { GoalOptions, PursuitEnd } from './run/work.ts';
import { openToolbox, type Toolbox } from './tools/toolbox.ts';

/** What all work of an agent has in common. */
export interface Base {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly isDurable: boolean;
  readonly names: RunNames;
}

export interface ProgramWork extends Base {
  readonly source: Source;
  readonly inputs: ReadonlyMap<string, Value>;
  /** What the program is for: models that repair it or shorten long values are told. */
  readonly goal?: string | undefined;
  /** How often a model may repair it where it fails. */
  readonly repairs: number;
  readonly sequential: boolean;
  /** Of playbooks. */
  readonly manner: Partial<Manner>;
  /** Whether playbooks hear messages when they have nothing to do. */
  readonly idle: boolean;
}

/** Runs a program of any dialect, playbooks too. Throws `InvalidProgram`. */
export async function runText(work: ProgramWork, host: Host): Promise<Partial<PursuitEnd> & Ends> {
  const { source, workspace, toolbox, checked } = await openProgram(
    work.source,
    work.workspace,
    work,
  );
  try {
    const { ok, program, diagnostics, dialect } = checked;
    if (!ok) throw new InvalidProgram(diagnostics);
    const run = { ...work, workspace, toolbox, host, source, diagnostics };
    if (!program) {
      const { play, readyPlaybooks } = await import('./playbook/play.ts');
      return await play(run, await readyPlaybooks(run));
    }
    const { repairs, sequential } = work;
    if (repairs === 0) return { result: await runProgram({ ...run, program, dialect }) };
    const text = work.goal ?? `Do what the program ${source.title} was written for.`;
    const asked = { goal: { text }, corrections: 2, repairs, refused: [], sequential };
    const command = { ...begin(asked), source, checked: { program, dialect, diagnostics } };
    return await pursue(run, { ...command, next: 'run' });
  } finally {
    toolbox.close();
  }
}

type Ends = Pick<PursuitEnd, 'result'>;

export interface GoalWork extends Base {
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly options: GoalOptions;
  readonly label?: string | undefined;
  /** False: no saved plan is looked at. */
  readonly saved?: boolean;
}

export async function answer(work: GoalWork, host: Host): Promise<PursuitEnd> {
  return await withTools(work, work.goal.text, (toolbox) => answerGoal({ ...work, toolbox, host }));
}

/** The answer is the text of the program, which is not run. */
export async function plan(work: GoalWork, host: Host): Promise<Ends> {
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
