/**
 * For tests of planvm itself: with PLANVM_ALWAYS_REPLAY in the environment, no machine and no run
 * is taken at its word. Beside each machine goes another one, put together again from a snapshot,
 * that has to do the same; and again and again, and at its end, each run is rebuilt from its
 * journal. What differs ends the run with an error, so that whole test suites can be run in this
 * mode.
 *
 * The work is spread so that it grows with the length of a run and not with its square: after the
 * first turns, a machine is taken apart and a run rebuilt each time it has become a half longer.
 */
import type { Machine, Snapshot } from '../machine/machine.ts';
import type { Turn } from '../machine/turn.ts';
import { encode, inKeyOrder, NotData } from '../program/json.ts';
import type { Value } from '../program/value.ts';
import { RunError } from './codes.ts';
import type { RecordedRun } from './load.ts';
import { verifyRun } from './past/verify.ts';
import type { RunResult } from './result.ts';

const isOn = (): boolean => (process.env.PLANVM_ALWAYS_REPLAY ?? '') !== '';

/** The same result; in the mode, once the run has been rebuilt from its journal. */
export function compared(result: Promise<RunResult>, replay: RecordedRun): Promise<RunResult> {
  if (!isOn()) return result;
  return result.then((ended) => {
    // What the journal cannot go on with has been said by the run itself.
    if (ended.reason !== 'diverged') compareWithJournal(replay);
    return ended;
  });
}

type Restore = (snapshot: Snapshot) => Machine;

/** A changed program or journal on being resumed: the run itself says so, and stops. */
function isRefused(replay: RecordedRun): boolean {
  const [first] = verifyRun(replay).differences;
  return first?.what === 'request' || first?.what === 'journal';
}

/** Turns up to which the machine is taken apart each time. */
const often = 20;

/** The same machine; in the mode, with the other one beside it. */
export function watched(machine: Machine, restore: Restore, replay: RecordedRun): Machine {
  if (!isOn()) return machine;
  let other: Machine | undefined;
  let turns = 0;
  let next = 1;
  return {
    ...machine,
    run(fuel, pause) {
      const due = ++turns >= next;
      if (due) {
        next = turns < often ? turns + 1 : Math.ceil(turns * 1.5);
        if (turns === 1 && isRefused(replay)) next = Infinity;
        else compareWithJournal(replay);
      }
      const most = machine.view().instructions + fuel;
      const turn = machine.run(fuel, pause);
      const otherTurn = other?.run(fuel, pause);
      // The copy is charged a little more for values that were shared before.
      const isOut = otherTurn !== undefined && otherTurn.instructions >= most;
      if (other && otherTurn && !isOut) compareTurns(turn, otherTurn, machine, other);
      other = due ? copyOf(machine, restore) : undefined;
      return turn;
    },
    settle(effect, outcome) {
      machine.settle(effect, outcome);
      other?.settle(effect, outcome);
    },
    part(effect, index, value) {
      machine.part(effect, index, value);
      other?.part(effect, index, value);
    },
  };
}

function copyOf(machine: Machine, restore: Restore): Machine {
  const text = JSON.stringify(inKeyOrder(machine.snapshot()));
  const copy = restore(JSON.parse(text));
  const again = JSON.stringify(inKeyOrder(copy.snapshot()));
  if (again !== text) throw differs('a snapshot came back as another one', text, again);
  return copy;
}

function compareTurns(turn: Turn, other: Turn, machine: Machine, copy: Machine): void {
  // Memory is counted in another rhythm.
  if (turn.status === 'full' || other.status === 'full') return;
  const [was, is] = [turn, other].map(summaryOf);
  if (was !== is) throw differs('a restored machine has gone another way', was, is);
  const [before, after] = [machine, copy].map(viewOf);
  if (before !== after) throw differs('a restored machine has come elsewhere', before, after);
}

/** What a person may see of a machine; where it keeps a value is its own business. */
function viewOf(machine: Machine): string {
  const { status, variables, answers, error, open, openSteps } = machine.view();
  const shown = [...variables].map(([name, value]) => `${name} = ${shownOf(value)}`);
  const said = answers.map(({ value, step }) => `${encode(value)} ${step}`);
  const effects = [...open].sort();
  return JSON.stringify(
    inKeyOrder({ status, shown, said, error, effects, steps: [...openSteps].sort() }),
  );
}

function shownOf(value: Value): string {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof NotData) return 'no data';
    throw error;
  }
}

/**
 * What a turn has made of the world. But a restored machine asks for all that is open once more,
 * and drops without a word what it would have had to cancel before it has asked; and it may be
 * charged a little more for values that were shared before.
 */
function summaryOf({ status, emits, steps }: Turn): string {
  const said = emits.map(({ channel, value, step }) => `${channel} ${encode(value)} ${step}`);
  return JSON.stringify({ status, said, steps });
}

function compareWithJournal(replay: RecordedRun): void {
  const { ok, differences } = verifyRun(replay);
  if (ok) return;
  const [first] = differences;
  throw differs(
    `${first?.what} ${first?.name} is not as in the journal`,
    String(first?.recorded),
    String(first?.replayed),
  );
}

function differs(what: string, was = '', is = ''): RunError {
  let same = 0;
  while (same < was.length && was[same] === is[same]) same++;
  const part = (text: string): string => text.slice(Math.max(0, same - 80), same + 160);
  return new RunError('PV5190', `${what}: ${part(was)} has become ${part(is)}`);
}
