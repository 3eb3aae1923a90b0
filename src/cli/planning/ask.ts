/** A goal from plan to answer: `planvm ask` and the demo share it. */

import { newTalk } from '../../agent/record/talk.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { limits } from '../../program/limits.ts';
import type { ExitCode } from '../exit.ts';
import { journalPath } from '../settings/workspace.ts';
import type { Asking, Place } from './asking.ts';
import { newCourse, type Over, type Stage } from './course.ts';
import { arrive, pursue } from './pursuit.ts';

/** Reports the result as `run` does. Throws as `pursue` does. */
export async function answerGoal(asking: Asking): Promise<ExitCode> {
  const { workspace, flags, named = true } = asking;
  const journal = openJournal(flags.journal ? journalPath(workspace) : ':memory:');
  try {
    return await pursue(
      { ...common(asking), journal, kept: flags.journal && named },
      wanted(asking),
    );
  } finally {
    journal.close();
  }
}

/** The same for whoever reports in another way. Throws as `arrive` does. */
export const reachAnswer = (asking: Asking, place: Place): Promise<Over> =>
  arrive({ ...common(asking), ...place }, wanted(asking));

const common = ({ workspace, toolbox, inputs, flags }: Asking) => ({
  ...{ workspace, toolbox, inputs, flags },
  startedAt: Date.now(),
});

const wanted = ({ workspace, goal, flags }: Asking): Stage => ({
  ...newCourse({
    goal,
    ...(flags.route && { route: flags.route }),
    ...(flags.turns !== undefined && { talk: newTalk(flags.turns) }),
    ...(flags.confirm && { confirm: true }),
    ...(workspace.settings.dialect && { dialect: workspace.settings.dialect }),
    corrections: flags.corrections ?? 2,
    repairs: limits(workspace.settings.limits).repairs,
    revisions: flags.judge,
    refused: [],
    sequential: flags.sequential === true,
  }),
  at: 'wanted',
});
