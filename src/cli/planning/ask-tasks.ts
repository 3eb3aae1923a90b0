/** A goal by a loop over tasks, and what comes behind its answer where that is to be judged. */
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { TaskLoop } from '../../planner/tasks/task-loops.ts';
import type { ExitCode } from '../exit.ts';
import { loopFile } from '../program/loop-file.ts';
import { journalPath } from '../settings/workspace.ts';
import { reportResult } from '../view/result.ts';
import type { Asking, Place, Pursuit } from './asking.ts';
import { newCourse, type Stage } from './course.ts';
import { usageOf } from './planning.ts';
import { arrive, pursue } from './pursuit.ts';
import { runTaskLoop } from './task-loop.ts';

/** Reports the result as `run` does. Throws as `runTaskLoop` and `pursue` do. */
export async function answerByTasks(asking: Asking, loop: TaskLoop): Promise<ExitCode> {
  const { workspace, flags } = asking;
  const startedAt = Date.now();
  const { text, file } = loopFile(workspace, loop);
  const report = (result: RunResult): ExitCode =>
    reportResult(
      result,
      { text, file, tookMs: Date.now() - startedAt, kept: flags.journal },
      flags,
    );
  const journal = openJournal(flags.journal ? journalPath(workspace) : ':memory:');
  try {
    const place = { journal, kept: flags.journal, report };
    const { report: _, ...pursuit } = pursuitOf(asking, place, startedAt);
    return await pursue(pursuit, await asked(asking, loop, place));
  } finally {
    journal.close();
  }
}

/** The same for whoever reports in another way. */
export async function reachByTasks(
  asking: Asking,
  loop: TaskLoop,
  place: Place,
): Promise<RunResult> {
  const stage = await asked(asking, loop, place);
  return (await arrive(pursuitOf(asking, place, Date.now()), stage)).result;
}

const pursuitOf = (asking: Asking, place: Place, startedAt: number): Pursuit => {
  const { workspace, toolbox, inputs, flags } = asking;
  return { workspace, toolbox, inputs, flags, startedAt, ...place };
};

/** The loop has run. A loop is not repaired: what fails in it is its own matter. */
async function asked(asking: Asking, loop: TaskLoop, place: Place): Promise<Stage> {
  const { goal, flags } = asking;
  const course = newCourse({
    ...{ goal, corrections: flags.corrections ?? 2, repairs: 0, revisions: flags.judge },
    ...{ refused: [], sequential: flags.sequential === true },
  });
  const { result, ran } = await runTaskLoop(asking, loop, place, course.asked);
  return { ...course, spent: usageOf(result), at: 'ended', result, ran };
}
