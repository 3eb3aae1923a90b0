/** A goal from the question to its answer, in whichever way its dialect means. */

import { isTaskLoop, type TaskLoop } from '../../planner/tasks/task-loops.ts';
import { limits } from '../../program/limits.ts';
import { runTaskLoop } from '../loops/task-loop.ts';
import type { Workspace } from '../port/workspace.ts';
import type { Asked } from '../record/kept.ts';
import { newTalk } from '../record/talk.ts';
import { usageOf } from '../run/usage.ts';
import type { GoalRequest, PursuitEnd } from '../run/work.ts';
import { newCourse, type Stage } from './course.ts';
import { pursue } from './pursuit.ts';

/** Throws as `pursue` and `runTaskLoop` do. */
export async function answerGoal(call: GoalRequest): Promise<PursuitEnd> {
  const loop = taskLoopIn(call.workspace);
  return await pursue(call, loop ? await afterTasks(call, loop) : wanted(call));
}

/** The loop that a dialect means; undefined where a program is planned as a whole. */
export const taskLoopIn = ({ settings }: Pick<Workspace, 'settings'>): TaskLoop | undefined =>
  settings.dialect !== undefined && isTaskLoop(settings.dialect) ? settings.dialect : undefined;

const wanted = (call: GoalRequest): Stage => {
  const { route, turns, confirm } = call.options;
  const { dialect, limits: given } = call.workspace.settings;
  return {
    ...newCourse({
      ...taskOf(call),
      ...(route && { route }),
      ...(turns !== undefined && { talk: newTalk(turns) }),
      ...(confirm && { confirm: true }),
      ...(dialect !== undefined && { dialect }),
      repairs: limits(given).repairs,
    }),
    at: 'wanted',
  };
};

/** A loop is not repaired: what fails in it is its own matter. */
async function afterTasks(call: GoalRequest, loop: TaskLoop): Promise<Stage> {
  const course = newCourse({ ...taskOf(call), repairs: 0 });
  const { result, ran } = await runTaskLoop(call, loop, course.asked);
  return { ...course, spent: usageOf(result), at: 'ended', result, ran };
}

const taskOf = ({ goal, options }: GoalRequest): Omit<Asked, 'repairs'> => ({
  goal,
  corrections: options.corrections ?? 2,
  revisions: options.revisions,
  refused: [],
  sequential: options.sequential === true,
});
