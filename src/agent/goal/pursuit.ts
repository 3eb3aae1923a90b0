/**
 * Goes from a goal to its answer: plan, run, repair what fails, judge, revise what is rejected.
 * `ask`, `run --repair`, `revise`, resuming and the demo share it.
 */

import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { Host } from '../port/host.ts';
import type { Pursuit, PursuitEnd } from '../run/work.ts';
import { apply, type Course, type Done, failureOf } from './course.ts';
import { endOf, perform } from './perform.ts';

/** Goes on to the end. Throws as `runLoop` and `forkRun` do. */
export async function pursue(pursuit: Pursuit, from: Course): Promise<PursuitEnd> {
  let course = from;
  while (course.next !== 'end') {
    const done = await perform(pursuit, course);
    announce(pursuit.host, course, done);
    course = apply(course, done);
  }
  return endOf(pursuit, course, course.result, course.ran.source);
}

/** Tells the host how a run ended that the course goes on from. */
export function announce(host: Host, { asked }: Course, done: Done): void {
  if (done.type === 'judged') {
    host.notice?.({ type: 'verdict.given', run: done.result.run, verdict: done.verdict });
  }
  if (done.type !== 'ran' || asked.talk === undefined) return;
  const { run, status, error } = done.result;
  if (status !== 'failed' || isModelUnavailable(error?.code)) return;
  host.notice?.({ type: 'turn.failed', run, text: failureOf(done) });
}
