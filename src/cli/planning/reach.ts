/** A goal from question to result, in whichever way its dialect means, for whoever reports it. */
import type { RunResult } from '../../engine/result.ts';
import { reachAnswer } from './ask.ts';
import { reachByTasks } from './ask-tasks.ts';
import type { Asking, Place } from './asking.ts';
import { taskLoopIn } from './task-loop.ts';

/** Throws as `reachAnswer` and `reachByTasks` do. */
export async function reach(asking: Asking, place: Place): Promise<RunResult> {
  const loop = taskLoopIn(asking.workspace);
  if (loop) return await reachByTasks(asking, loop, place);
  return (await reachAnswer(asking, place)).result;
}
