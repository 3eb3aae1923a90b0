/** A goal from the question to its answer, in whichever way its dialect means. */

import { isTaskLoop, type TaskLoop } from '../../planner/tasks/task-loops.ts';
import { limits } from '../../program/limits.ts';
import { runTaskLoop } from '../loops/task-loop.ts';
import type { Workspace } from '../port/workspace.ts';
import type { Asked } from '../record/kept.ts';
import { newTalk } from '../record/talk.ts';
import type { GoalRequest, PursuitEnd } from '../run/work.ts';
import { apply, begin, type Course } from './course.ts';
import { ranDone } from './perform.ts';
import { pursue } from './pursuit.ts';

/** Throws as `pursue` and `runTaskLoop` do. */
export async function answerGoal(call: GoalRequest): Promise<PursuitEnd> {
  const loop = taskLoopIn(call.workspace);
  return await pursue(call, loop ? await afterTasks(call, loop) : begin(askedIn(call)));
}

/** The loop that a dialect means; undefined where a program is planned as a whole. */
export const taskLoopIn = ({ settings }: Pick<Workspace, 'settings'>): TaskLoop | undefined =>
  settings.dialect !== undefined && isTaskLoop(settings.dialect) ? settings.dialect : undefined;

function askedIn(call: GoalRequest): Asked {
  const { route, turns, confirm } = call.options;
  const { dialect, limits: setLimits } = call.workspace.settings;
  return {
    ...taskOf(call),
    ...(route && { route }),
    ...(turns !== undefined && { talk: newTalk(turns) }),
    ...(confirm && { confirm: true }),
    ...(dialect !== undefined && { dialect }),
    repairs: limits(setLimits).repairs,
  };
}

/** A loop is not repaired: what fails in it is its own matter. */
async function afterTasks(call: GoalRequest, loop: TaskLoop): Promise<Course> {
  const asked = { ...taskOf(call), repairs: 0 };
  const { result, ran } = await runTaskLoop(call, loop, asked);
  return apply(begin(asked), ranDone(call.journal, asked, result, ran));
}

const taskOf = ({ goal, options }: GoalRequest): Omit<Asked, 'repairs'> => ({
  goal,
  corrections: options.corrections ?? 2,
  revisions: options.revisions,
  refused: [],
  sequential: options.sequential === true,
});
