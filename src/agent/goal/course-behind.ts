/**
 * What a pursuit has used before this process: each run that it leads to says which one it came
 * behind, and what each has used stands in its journal. So a goal that is taken up again has one
 * bill and one budget, however many processes have died on the way.
 */

import type { Usage } from '../../engine/handler.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { usageOf as shownUsage } from '../../engine/result.ts';
import { judgedBy } from '../loops/judge-run.ts';
import { askedOf, loopOf } from '../record/asked.ts';
import { nothingUsed, sum } from '../run/usage.ts';
import type { Course } from './course.ts';

/** What has been used up to a run and with it, by what its journal says now. */
export function usedUpTo(journal: Journal, record: RunSummary): Omit<Course, 'asked'> {
  let spent = nothingUsed;
  let planning = nothingUsed;
  for (const run of runsUpTo(journal, record)) {
    const usage = usageIn(journal, run.id);
    spent = sum(spent, usage);
    if (loopOf(run) !== undefined) planning = sum(planning, usage);
  }
  return { spent, planning };
}

/** The run, those that it came behind, and those that have judged them meanwhile. */
function runsUpTo(journal: Journal, record: RunSummary): RunSummary[] {
  const found = new Map<string, RunSummary>();
  for (let run: RunSummary | undefined = record; run && !found.has(run.id); ) {
    found.set(run.id, run);
    const from: string | undefined = askedOf(run)?.from ?? judgedBy(run)?.run;
    run = from === undefined ? undefined : journal.find(from);
  }
  const since = Math.min(...[...found.values()].map(({ createdAt }) => createdAt));
  const judges = journal.list({ since, limit: judgesMost }).filter((run) => {
    const judged = judgedBy(run)?.run;
    return judged !== undefined && found.has(judged) && run.createdAt <= record.createdAt;
  });
  for (const run of judges) found.set(run.id, run);
  return [...found.values()];
}

/** What judges a run is made right behind it: no need to look far. */
const judgesMost = 1000;

function usageIn(journal: Journal, run: string): Usage {
  const { cost, ...counts } = shownUsage(readPast(journal.events(run)).spent);
  return cost === null ? counts : { ...counts, cost };
}
