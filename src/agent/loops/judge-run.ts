/** A model's verdict on the answer of a run, by the control loop `judge`; kept with that run. */

import type { Usage } from '../../engine/handler.ts';
import type { Journal, RunRecord } from '../../engine/journal/journal.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import { keepVerdict } from '../../engine/judged.ts';
import type { RunResult } from '../../engine/result.ts';
import { showRun } from '../../engine/views/show.ts';
import type { Goal } from '../../planner/goal.ts';
import type { Case } from '../../planner/judge.ts';
import type { MadeCall } from '../../planner/made-call.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { shortened } from '../../planner/prompt.ts';
import { judgements } from '../../program/judgement.ts';
import { clip, oneLine } from '../../text/words.ts';
import { evidenceOf } from '../evidence/evidence.ts';
import { AgentError } from '../port/errors.ts';
import { type Asked, type KeptJudging, keptOf } from '../record/kept.ts';
import { load } from '../record/load.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { answersText } from '../view/answers-text.ts';
import { type LoopPlace, runLoop } from './loop-run.ts';

export interface JudgeCall extends LoopPlace {
  readonly toolbox: Toolbox;
  /** The run that has answered. */
  readonly run: string;
  readonly answers: RunResult['answers'];
  readonly goal: Goal;
  readonly asked: Asked | undefined;
}

/** Judges the last answer. Throws as `runLoop` does, and `AgentError` PV6043 without an answer. */
export async function judgeRun(
  call: JudgeCall,
): Promise<{ readonly verdict: Verdict; readonly usage: Usage }> {
  const { toolbox, journal, run, asked, goal } = call;
  const judging: KeptJudging = { run, answer: call.answers.length - 1 };
  const { answer, usage } = await runLoop({
    ...call,
    name: 'judge',
    inputs: { case: caseOf(call), rounds: 1 + (asked?.corrections ?? 2) },
    title: `judge ${run}: ${clip(oneLine(goal.text), 100)}`,
    settings: { judging, ...(asked && { asked }) },
    doing: 'judging',
  });
  return { verdict: keepAnswer(journal, judging, answer, toolbox.models.judge().name), usage };
}

/** Keeps what the loop has answered. Throws `PlanFailure` PV7004 for anything but a verdict. */
export function keepAnswer(
  journal: Journal,
  judged: KeptJudging,
  answer: unknown,
  by: string,
): Verdict {
  const { accept, outcome, reason, suggestion, rewritten } = Object(answer);
  if (typeof accept !== 'boolean' || typeof reason !== 'string') {
    throw new PlanFailure('PV7004', 'the loop that judges answered with no verdict', {
      hint: 'a loop answers with accept, reason and suggestion',
    });
  }
  const verdict: Verdict = {
    ...{ accept, reason, suggestion: String(suggestion ?? ''), by },
    ...(judgements.includes(outcome) && { outcome }),
    ...(rewritten && { rewritten: String(rewritten) }),
  };
  keepVerdict(journal, judged.run, { answer: judged.answer, ...verdict });
  return verdict;
}

/** Characters of all calls together. */
const basisMost = 24_000;

function caseOf({ journal, run, answers, goal }: JudgeCall): Case {
  if (answers.length === 0) {
    throw new AgentError('PV6043', `run ${run} has given no answer, so there is none to judge`, {
      facts: { run, lacks: 'answer' },
    });
  }
  const made = showRun({ journal, run, load }).effects.map(evidenceOf);
  // The last calls are the nearest to the answer.
  const basis: MadeCall[] = [];
  let room = basisMost;
  for (const one of made.toReversed()) {
    room -= one.request.length + one.outcome.length;
    if (room < 0) break;
    basis.unshift(one);
  }
  const answer = shortened(answersText(answers), basisMost);
  return { goal, answer, basis, omitted: made.length - basis.length, about: `judge: ${goal.text}` };
}

/** What a run of the loop judges; undefined for other runs. */
export const judgedBy = (record: RunRecord): KeptJudging | undefined => keptOf(record).judging;
