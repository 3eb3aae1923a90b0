/**
 * A note on the answer of a loop over tasks, or on the lack of one: a fork of its run in which
 * the loop goes on behind that, with the note as the reason and all that it has found. Everything
 * up to there is answered from the journal, since only the input `remarks` differs.
 */

import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { shortened } from '../../planner/prompt.ts';
import { encode, fromJson, stringify } from '../../program/json.ts';
import { AgentError } from '../port/errors.ts';
import { approvalsIn } from '../port/settings.ts';
import { inputData } from '../record/asked.ts';
import { keptResult } from '../record/kept-result.ts';
import { load } from '../record/load.ts';
import { type ChangePlace, type ForkPlan, forkPlan } from './change-run.ts';
import { keptTaskLoop, taskLoopEffects } from './task-loop.ts';

/** Whether a run is one of a loop over tasks. */
export function takesNotes(journal: Journal, run: string): boolean {
  const record = journal.find(run);
  return record !== undefined && keptTaskLoop(record) !== undefined;
}

/** Throws `AgentError` PV6043 for a run that has not ended, or of a loop that takes no notes. */
export async function noteFork(call: ChangePlace, run: string, note: string): Promise<ForkPlan> {
  const { workspace, toolbox, journal, asked } = call;
  const record = journal.find(run);
  const loop = record && keptTaskLoop(record);
  const handlers = record && (await taskLoopEffects(record, toolbox, workspace));
  const notes = record && inputData(record, 'remarks');
  if (!loop || !handlers || !Array.isArray(notes)) {
    throw new AgentError('PV6043', `the loop of run ${run} takes no notes on its answers`, {
      hint: 'ask again, or give the loop an input variable remarks',
      facts: { run, lacks: 'notes' },
    });
  }
  const result = keptResult(journal, run);
  if (result?.status !== 'done' && result?.status !== 'failed') {
    throw new AgentError('PV6043', `run ${run} has not come to its end yet`, {
      facts: { run, lacks: 'end' },
    });
  }
  const isShown = loop.loop === 'react' && result.status === 'done';
  const text = isShown ? note : `${endText(result)}\n${note}`;
  const options = {
    ...{ journal, run, load, handlers },
    limits: workspace.settings.limits,
    approvals: approvalsIn(workspace.settings),
    settings: { asked, ...toolbox.kept },
    edit: {
      set: { remarks: encode(fromJson([...notes, text])) },
      ...{ vanished: 'ask' as const, by: 'revise' as const, note },
    },
  };
  return forkPlan(options);
}

/**
 * A model that acts step by step sees its answer; one that plans has to be told, and both why there
 * was none.
 */
function endText({ status, answer, error }: RunResult): string {
  if (status === 'failed') return `There was no answer: ${shortened(error?.message ?? '')}`;
  return `The answer was: ${shortened(typeof answer === 'string' ? answer : stringify(answer))}`;
}
