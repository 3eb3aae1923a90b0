/** Checks that another program does, up to a place, what the one did that it is to replace (F1). */
import type { StepVisit } from '../../machine/turn.ts';
import type { Program } from '../../program/program.ts';
import { RunError } from '../codes.ts';
import type { RunEvent } from '../journal/journal.ts';
import type { Loaded } from '../load.ts';
import { readPast } from '../past/read-past.ts';
import { Walk } from '../past/walk.ts';
import { mainLine, type Place } from '../views/locate.ts';

/**
 * `history` is that of the fork. Throws `RunError` PV5131 with the first step that is not the same,
 * has asked for something else, or is missing.
 */
export function checkSame(loaded: Loaded, history: readonly RunEvent[], place: Place): void {
  const { point } = place;
  let wrong: string | undefined;
  const read = readPast(history);
  // What the fork may spend is for its own way, not for this.
  const past = { ...read, raised: { ...read.raised, instructions: Infinity } };
  const walk = new Walk({
    ...{ loaded, past, status: 'done', inherits: true },
    onRequest({ id, step, tool }, known) {
      if (known.kind === 'other') wrong ??= asks(step, id, known.past.tool, tool);
    },
  });
  let entered = 0;
  let last: StepVisit | undefined;
  while (entered <= place.steps.length && wrong === undefined) {
    const moment = walk.next();
    if (moment.kind === 'end') break;
    if (moment.kind !== 'step') continue;
    last = moment.step;
    const was = place.steps[entered++];
    if (was && !isSame(last, was, loaded.program, place)) wrong ??= differs(last, was);
  }
  const missing = place.steps[entered];
  if (missing) wrong ??= `step ${missing.id} is not reached`;
  const { generation, issued, spawned } = mainLine(walk.machine);
  const isAsMuch =
    generation === point.generation && issued === point.issued && spawned === point.spawned;
  if (!isAsMuch) wrong ??= `what comes before it asks for ${issued} effects, not ${point.issued}`;
  if (entered > place.steps.length && last && last.id !== place.point.step) {
    wrong ??= `step ${last.id} comes in its place`;
  }
  if (wrong === undefined) return;
  throw new RunError(
    'PV5131',
    `the program may differ from step ${place.point.step} on, but ${wrong}`,
    {
      hint: 'leave the steps before it as they are, or fork at an earlier one',
    },
  );
}

/** Spaces do not count; nor does what stands inside of a step, where the place is there, too. */
function isSame(step: StepVisit, was: StepVisit, now: Program, { program, point }: Place): boolean {
  const [one, other] = [now.steps[step.index], program.steps[was.index]];
  if (step.id !== was.id || one?.kind !== other?.kind) return false;
  const isAround = point.step.startsWith(`${other?.label}.`);
  return isAround || withoutSpaces(one?.source) === withoutSpaces(other?.source);
}

const withoutSpaces = (text = ''): string => text.replaceAll(/\s+/g, '');

const differs = (step: StepVisit, was: StepVisit): string =>
  step.id === was.id
    ? `step ${step.id} is another one`
    : `step ${step.id} comes where step ${was.id} was`;

const asks = (step: string, effect: string, then: string, now: string): string =>
  then === now
    ? `step ${step} calls ${now} with other arguments (effect ${effect})`
    : `step ${step} calls ${now} where ${then} was called (effect ${effect})`;
