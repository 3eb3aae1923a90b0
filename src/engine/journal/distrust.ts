/**
 * What an imported run loses. Its file may come from anybody, so that it carries no trust: what may
 * be done, with what and for how much is for the workspace that goes on with it to say.
 *
 * - D1 Of its settings, only those stay that allow nothing. No approvals, tools, models or servers.
 * - D2 A limit stays only where it is an error of the program, without which its past cannot be
 *   computed again, and is at most `limitFactor` times the default. Budgets and bounds go.
 * - D3 What a person has approved or answered counts only where the effect has its outcome. What
 *   has none is asked again.
 * - D4 All its inputs and its program count as coming from outside.
 * - D5 Its id stands for nothing that was asked for here: a start under that id never gives it.
 */
import { decode } from '../../program/json.ts';
import { limitNames, limitTable } from '../../program/limits.ts';
import { dictEntries, isDict } from '../../program/value.ts';
import type { AdoptedRun, EventOf, RunEvent, RunRecord } from './journal.ts';

type Data = Readonly<Record<string, unknown>>;

/** Settings of its own that a caller lets an imported run keep. */
export type KeptSettings = (settings: Data) => Data;

const limitFactor = 16;

/** A run without trust. `before`: what it shares with its base. Its shape was checked already. */
export function distrusted(
  { record, events, shares }: AdoptedRun,
  before: readonly RunEvent[],
  kept: KeptSettings,
): AdoptedRun {
  const recordOf = ({ identity: _, ...run }: RunRecord): RunRecord => ({
    ...run,
    settings: JSON.stringify(settingsOf(run, kept)),
  });
  return {
    record: recordOf(record),
    events: withoutReplies(events, before).map((event) => {
      if ('run' in event) return { ...event, run: recordOf(event.run) };
      return event.type === 'limit.raised' ? { ...event, limits: limitsOf(event.limits) } : event;
    }),
    shares,
  };
}

/** Whether the settings of a run are those of an imported one. */
export const isImported = ({ settings }: Pick<RunRecord, 'settings'>): boolean =>
  (JSON.parse(settings) as Data).imported === true;

function settingsOf({ settings, inputs }: RunRecord, kept: KeptSettings): Data {
  const data: Data = JSON.parse(settings);
  const { sequential, requestKey, withheld, goal, limits } = data;
  return {
    ...kept(data),
    ...(typeof goal === 'string' && { goal }),
    ...(Array.isArray(withheld) && { withheld: withheld.map(String) }),
    ...(typeof requestKey === 'string' && { requestKey }),
    sequential: sequential === true,
    limits: limitsOf(typeof limits === 'object' && limits !== null ? (limits as Data) : {}),
    earlier: { inputs: namesIn(inputs), program: true },
    imported: true,
  };
}

function limitsOf(limits: Data): Record<string, number> {
  const stay = limitNames.flatMap((name): [string, number][] => {
    const { effect, default: usual } = limitTable[name];
    const value = Object.hasOwn(limits, name) ? limits[name] : undefined;
    const isSmall = typeof value === 'number' && value > 0 && value <= limitFactor * usual;
    return effect === 'error' && isSmall ? [[name, value]] : [];
  });
  return Object.fromEntries(stay);
}

function namesIn(inputs: string): string[] {
  const values = decode(inputs);
  return isDict(values) ? [...dictEntries(values)].map(([name]) => String(name)) : [];
}

/** Approvals and answers of effects without an outcome are again the questions that they were. */
function withoutReplies(events: readonly RunEvent[], before: readonly RunEvent[]): RunEvent[] {
  const settledAt = new Map<string, number>();
  const succeededAt = new Map<string, number>();
  for (const { seq, ...event } of events) {
    if (event.type !== 'effect.settled') continue;
    settledAt.set(event.effect, seq);
    if (event.outcome.ok) succeededAt.set(event.effect, seq);
  }
  const approvals = new Map<string, EventOf<'approval.requested'>>();
  const questions = new Map<string, EventOf<'effect.asked'>>();
  const isBefore = (ends: ReadonlyMap<string, number>, { effect, seq }: Reply): boolean =>
    (ends.get(effect) ?? 0) > seq;
  const read = (event: RunEvent): RunEvent => {
    const { seq, at } = event;
    switch (event.type) {
      case 'approval.requested':
        approvals.set(event.effect, event);
        return event;
      case 'effect.asked':
        questions.set(event.effect, event);
        return event;
      case 'approval.granted':
      case 'approval.denied': {
        // What failed after it was approved may be performed again, and is asked about again.
        const ends = event.type === 'approval.granted' ? succeededAt : settledAt;
        const request = isBefore(ends, event) ? undefined : approvals.get(event.effect);
        return request ? { ...request, seq, at } : event;
      }
      case 'effect.answered': {
        const question = isBefore(settledAt, event) ? undefined : questions.get(event.effect);
        return question ? { ...question, seq, at } : event;
      }
      default:
        return event;
    }
  };
  before.forEach(read);
  return events.map(read);
}

type Reply = EventOf<'approval.granted' | 'approval.denied' | 'effect.answered'>;
