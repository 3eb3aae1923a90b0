/**
 * A program that a model continues by a few statements at a time, by the control loop `converse`.
 * What was run is never run again: each turn is a fork of the run before with a longer program,
 * which takes all outcomes from there. So the program stays one text that can be saved and
 * replayed, and whichever process dies between two turns, the next one goes on with the last run.
 */

import type { Usage } from '../../engine/handler.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { showRun } from '../../engine/views/show.ts';
import type { Conversation, Grown } from '../../planner/converse.ts';
import type { Variable } from '../../planner/goal.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { shortened, variableLine } from '../../planner/prompt.ts';
import { decode, encode, fromJson, stringify, textOf } from '../../program/json.ts';
import { dict } from '../../program/value.ts';
import { clip, oneLine } from '../../text/words.ts';
import { described } from '../evidence/known-variables.ts';
import { labelsOf } from '../evidence/revision-of.ts';
import { type Asked, type KeptTalking, keptEnvironment } from '../record/kept.ts';
import { keptResult } from '../record/kept-result.ts';
import { load } from '../record/load.ts';
import { isLastAttempt, type Talk } from '../record/talk.ts';
import { refuseSecretGoal } from '../run/secret-goal.ts';
import type { Change } from './change-run.ts';
import { type LoopGoal, runLoop } from './loop-run.ts';

export interface TurnCall extends LoopGoal {
  readonly talk: Talk;
  /** The run of the turn before. */
  readonly base: string | undefined;
}

/** Has the next statements written. Throws as `runLoop` does. */
export async function writeTurn(
  call: TurnCall,
): Promise<{ readonly grown: Grown; readonly run: string; readonly usage: Usage }> {
  const { workspace, toolbox, asked, talk, base, inputs } = call;
  const { goal } = asked;
  refuseSecretGoal(workspace, goal, inputs);
  const { turns, left, program } = talk;
  const number = turns.length + 1;
  const about = number === 1 ? goal.text : `turn ${number}: ${goal.text}`;
  const task: Conversation = {
    ...{ goal, program, turns, left, isLast: isLastAttempt(talk), about },
  };
  const environment = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const kept: KeptTalking = {
    ...(base !== undefined && { base }),
    ...keptEnvironment(environment),
  };
  const { run, answer, usage } = await runLoop({
    ...call,
    name: 'converse',
    inputs: { task, rounds: 1 + asked.corrections },
    title: `turn ${number}: ${clip(oneLine(goal.text), 100)}`,
    settings: { talking: kept, asked, values: encode(dict(inputs)) },
    doing: 'writing',
  });
  return { grown: grownFrom(answer), run, usage };
}

/** What the loop has answered. Throws `PlanFailure` PV7004 for anything else. */
export function grownFrom(answer: unknown): Grown {
  const { program, block, kind } = Object(answer);
  const isKind = kind === 'statements' || kind === 'words';
  if (typeof program === 'string' && typeof block === 'string' && isKind) {
    return { program, block, kind };
  }
  throw new PlanFailure('PV7004', 'the loop that continues a program answered with none', {
    hint: 'a loop answers with program, block and kind, as grow has given them',
  });
}

/** The fork that runs the longer program, from the last step on that both have. */
export function turnChange(journal: Journal, base: string, asked: Asked, grown: Grown): Change {
  const { goal, talk } = asked;
  const dialect = 'starlark';
  const kept = talk?.program ?? '';
  const own = labelsOf(grown.program, dialect);
  const shared = labelsOf(kept, dialect);
  const view = showRun({ journal, run: base, load });
  // The last step that stays was entered in the base, and is entered in the fork.
  const entered = new Set(view.steps.map(({ id }) => id.replace(/@\d+$/, '')));
  const at = shared.findLast((label) => entered.has(label));
  return {
    base,
    program: grown.program,
    scope: at === undefined || !own.includes(at) ? 'plan' : 'rest',
    revision: {
      ...{ goal, dialect, program: kept, scopes: ['rest'], states: {}, variables: [] },
      ...(at !== undefined && { at }),
      ...{ writes: [], refused: [], about: `turn ${(talk?.turns.length ?? 0) + 1}` },
    },
  };
}

/** Characters of one value, and of all that a turn gave. */
const valueMost = 2000;
const shownMost = 12_000;

/** What the statements of a turn gave, as the model is told. */
export function turnGave(journal: Journal, result: RunResult): string {
  const base = journal.find(result.run)?.base;
  const before = base && keptResult(journal, base.run)?.variables;
  const changed = Object.entries(result.variables).filter(
    ([name, data]) => before === undefined || !same(before[name], data),
  );
  const words = changed.flatMap(([name, data]) => described(name, fromJson(data), valueMost));
  const printed = printedIn(journal, result.run, base?.seq ?? 0);
  const lines = [
    ...fitting(words),
    ...printed.map((text) => `printed: ${shortened(text, valueMost)}`),
  ];
  if (lines.length > 0) return `The statements were run. They gave:\n${lines.join('\n')}`;
  return 'The statements were run. They set no name to another value and printed nothing.';
}

const same = (a: unknown, b: unknown): boolean =>
  a !== undefined && b !== undefined && stringify(a) === stringify(b);

/** Those for which there is no room keep their names and sizes. */
function fitting(variables: readonly Variable[]): string[] {
  let room = shownMost;
  return variables.map((one) => {
    room -= one.text.length;
    if (room >= 0) return variableLine(one);
    return `- ${one.name}: ${one.type}, not shown here: take the part that you need`;
  });
}

function printedIn(journal: Journal, run: string, from: number): string[] {
  return journal
    .events(run, from)
    .flatMap((event) =>
      event.type === 'message.emitted' && event.channel !== 'answer'
        ? [textOf(decode(event.value))]
        : [],
    );
}
