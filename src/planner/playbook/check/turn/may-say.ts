/**
 * Whether what a reply is about to say may be heard while it is still written: that is so where all
 * but its words is known, and none of that is against it.
 */
import type { Said } from '../../reply/said.ts';
import type { SayAct } from '../course/line-acts.ts';
import type { ActsAlone } from './acts-alone.ts';
import type { ActsAt } from './acts-at.ts';
import type { TurnCalls } from './turn-calls.ts';
import type { TurnSets } from './turn-sets.ts';

interface Before {
  readonly calls: TurnCalls;
  readonly sets: TurnSets;
  readonly alone: ActsAlone;
}

/** The line that a Say belongs to which comes now; undefined where it may not be said there. */
export function lineToSay(
  at: ActsAt,
  { calls, sets, alone }: Before,
  named?: Said & { readonly is: 'step' },
): string | undefined {
  const { place, lines, report } = at;
  const isFirst = calls.asked !== undefined && place.done.length === 0;
  // It may turn out to ask for what is known, or to come behind what does not stand.
  const isUnsure = Boolean(place.known?.length) || sets.isHolding || alone.isHolding;
  if (!isFirst || isUnsure || lines.isRepeating || !report.isOpen) return undefined;
  if (named && !lines.isOurs(named.playbook)) return undefined;
  const { line } = lines.placing.place(anySay);
  const isIts = named === undefined || line === named.line;
  const isDue = isIts && lines.placing.isDue(anySay) && lines.keepsRounds(line);
  return isDue && !mayFail(at, line) && !maySayAgain(at, line) ? line : undefined;
}

/** Whether it may be what its line has said, which nobody hears twice. */
const maySayAgain = ({ course, lines }: ActsAt, line: string): boolean =>
  line === course.line && lines.duties.hasDone(anySay);

/**
 * Whether it may not stand: its line has it in quotes, or needs a missing value, or says nothing
 * where that counts.
 */
function mayFail({ course, lines, names, place }: ActsAt, line: string): boolean {
  const step = course.stepAt(line);
  const { say, reads = [] } = step ?? {};
  const isExtra = place.strictness === 'enforce' && !lines.placing.isForAt(step, anySay);
  return isExtra || say?.isLiteral === true || !reads.every((one) => names.has(one));
}

/** One whose text is not known yet. */
const anySay: SayAct = {
  ...{ is: 'say', isMade: false },
  ...{ isOtherAt: () => false, isForOther: () => false, isQuotedAt: () => false },
  isQuestion: false,
};
